/**
 * The form in which one kind of tool lives upstream, over its whole life (MOD-3). It follows from the kind, the route's
 * facts and the two protocols; what the declaration says apart from that plays no part.
 */
import type { CapabilityFacts, WireProtocol } from './capability-facts.ts';
import type { ToolName } from './tool-declaration.ts';

/** `same`: unchanged. `function`: a root function with an alias. `envelope`: a root function with one text field. `none`: it cannot be there. */
export type ToolForm = 'same' | 'function' | 'envelope' | 'none';

export interface PlanSides {
  readonly client: WireProtocol;
  readonly upstream: WireProtocol;
  readonly facts: CapabilityFacts;
}

export interface FormChoice {
  readonly form: ToolForm;
  readonly reason: string;
}

const choice = (form: ToolForm, reason: string): FormChoice => ({ form, reason });

/** Does not look at the name; a name that is illegal upstream turns `same` into an alias later. */
export function chooseForm(tool: ToolName, sides: PlanSides): FormChoice {
  if (tool.kind === 'hosted') return hostedForm(tool.name, sides);
  const native = nativeForm(tool, sides);
  if (native !== undefined) return native;
  if (!sides.facts.function) return choice('none', 'the route takes no function tools, and every adapter needs one');
  if (tool.kind === 'custom') return choice('envelope', `${place(tool)}the route takes no freeform tools there; it goes as a function with one text field`);
  if (tool.kind === 'tool_search') return choice('function', 'the route has no tool search; it goes as a function');
  return choice('function', 'the route takes no namespaces; it goes as a function with an alias');
}

const place = (tool: ToolName): string => (tool.namespace === undefined ? '' : 'it is a child of a namespace and ');

function nativeForm(tool: ToolName, { upstream, facts }: PlanSides): FormChoice | undefined {
  if (tool.namespace !== undefined && !(upstream === 'responses' && facts.namespace)) return undefined;
  if (tool.kind === 'function') return facts.function ? choice('same', 'the route takes function tools') : undefined;
  if (tool.kind === 'custom') return facts.custom && upstream !== 'messages' ? choice('same', 'the route takes freeform tools') : undefined;
  return facts.tool_search && upstream === 'responses' ? choice('same', 'the route has tool search') : undefined;
}

/** A hosted tool answers with events of its own, so another protocol cannot carry it even where its provider has the like. */
function hostedForm(kind: string, { client, upstream, facts }: PlanSides): FormChoice {
  if (!(Object.hasOwn(facts.hosted, kind) && facts.hosted[kind])) return choice('none', `the route does not host ${JSON.stringify(kind)}`);
  if (client !== upstream) return choice('none', `the events of ${JSON.stringify(kind)} have no form in the client's protocol`);
  return choice('same', `the route hosts ${JSON.stringify(kind)}`);
}
