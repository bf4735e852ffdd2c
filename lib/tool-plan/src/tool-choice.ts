/**
 * What the client demands of the model's choice of tools, and whether the plan can keep it (MOD-8).
 * Decided on the whole inventory, before anything is dropped.
 */
import { sayTool, type ToolName, toolKey } from './tool-declaration.ts';

export type ToolChoice =
  | { readonly mode: 'auto' | 'none' | 'required' }
  | { readonly mode: 'named'; readonly tool: ToolName }
  /** The model may use these tools only; `need` says whether it must use one. */
  | { readonly mode: 'allowed'; readonly need: 'auto' | 'required'; readonly tools: readonly ToolName[] };

export interface ChoiceFailure {
  readonly code: 'tool_choice_unknown' | 'tool_choice_unavailable';
  readonly message: string;
}

export interface ChoiceFacts {
  /** Keys of all tools in the inventory. */
  readonly declared: ReadonlySet<string>;
  /** Keys of the tools that reach the upstream. */
  readonly left: ReadonlySet<string>;
}

export function checkChoice(choice: ToolChoice | undefined, { declared, left }: ChoiceFacts): ChoiceFailure | undefined {
  switch (choice?.mode) {
    case undefined:
    case 'auto':
    case 'none':
      return undefined;
    case 'required':
      return left.size > 0 ? undefined : unavailable('tool_choice requires a tool, and the route can take none of those that the request declares.');
    case 'named':
      return checkNamed(choice.tool, declared, left);
    case 'allowed':
      return checkAllowed(choice, declared, left);
  }
}

const unavailable = (message: string): ChoiceFailure => ({ code: 'tool_choice_unavailable', message });

function checkNamed(tool: ToolName, declared: ReadonlySet<string>, left: ReadonlySet<string>): ChoiceFailure | undefined {
  if (!declared.has(toolKey(tool))) {
    return { code: 'tool_choice_unknown', message: `tool_choice names the ${tool.kind} tool ${sayTool(tool)}, which the request does not declare.` };
  }
  return left.has(toolKey(tool)) ? undefined : unavailable(`tool_choice requires ${sayTool(tool)}, which the route cannot take.`);
}

function checkAllowed(
  { need, tools }: { need: 'auto' | 'required'; tools: readonly ToolName[] },
  declared: ReadonlySet<string>,
  left: ReadonlySet<string>,
): ChoiceFailure | undefined {
  const unknown = tools.find(tool => !declared.has(toolKey(tool)));
  if (unknown !== undefined) return checkNamed(unknown, declared, left);
  const usable = tools.some(tool => left.has(toolKey(tool)));
  return need === 'auto' || usable ? undefined : unavailable('tool_choice requires one of its allowed tools, and the route can take none of them.');
}
