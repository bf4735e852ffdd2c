/**
 * A descriptor made ready for use: every expression compiled once, every quirk found. A mistake shows when it is loaded, not in a call.
 */
import { type CapabilityBinding, type CapabilityStep, type ProviderDescriptor, type Verb, VERBS } from '@weir/contract';
import { createMappingCompiler, ExpressionError, type Mapping, type MappingCompiler } from './mapping.ts';
import { threadsFromComments } from './quirks/threads-from-comments.ts';

/** A pure function that a result passes after its mapping. */
export type Quirk = (mapped: unknown) => unknown;
const QUIRKS: ReadonlyMap<string, Quirk> = new Map([['threads-from-comments', threadsFromComments]]);

export interface CompiledCall {
  readonly step: CapabilityStep;
  /** With the descriptor's common arguments, each marked, since an operation without such a parameter does not get it. */
  readonly args: ReadonlyMap<string, Mapping>;
  readonly body: Mapping | undefined;
  readonly when: Mapping | undefined;
  readonly each: Mapping | undefined;
}

export interface CompiledBinding {
  readonly calls: readonly CompiledCall[];
  readonly result: Mapping;
  readonly quirk: Quirk | undefined;
}

export interface CompiledWebhookRule {
  readonly event: string | null;
  readonly when: Mapping | undefined;
  readonly map: Mapping | undefined;
}

export interface CompiledProvider {
  readonly descriptor: ProviderDescriptor;
  readonly commonArgs: ReadonlyMap<string, Mapping>;
  readonly bindings: ReadonlyMap<Verb, CompiledBinding>;
  readonly webhooks: ReadonlyMap<string, readonly CompiledWebhookRule[]>;
}

/** Throws ExpressionError with the place of the expression, or of the quirk that is not there. */
export const compileProvider = (descriptor: ProviderDescriptor): CompiledProvider => {
  const compile = createMappingCompiler(descriptor.shapes);
  const at = (place: string, expression: string): Mapping => placed(place, () => compile(expression));
  const bindings = new Map<Verb, CompiledBinding>();
  for (const verb of VERBS) {
    const binding = descriptor.capabilities[verb];
    if (binding !== undefined) bindings.set(verb, compileBinding(`capabilities.${verb}`, binding, at));
  }
  return { descriptor, commonArgs: mappings('common_args', descriptor.common_args, at), bindings, webhooks: compileWebhooks(descriptor, at) };
};

type CompileAt = (place: string, expression: string) => Mapping;

function placed(place: string, compile: () => ReturnType<MappingCompiler>): Mapping {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(`${place}: ${error.message}`, { cause: error });
  }
}

const mappings = (place: string, expressions: Readonly<Record<string, string>>, at: CompileAt): ReadonlyMap<string, Mapping> =>
  new Map(Object.entries(expressions).map(([name, expression]) => [name, at(`${place}.${name}`, expression)]));

const optional = (place: string, expression: string | undefined, at: CompileAt): Mapping | undefined =>
  expression === undefined ? undefined : at(place, expression);

function compileBinding(place: string, binding: CapabilityBinding, at: CompileAt): CompiledBinding {
  const { steps, result, quirk: name } = binding;
  const quirk = name === undefined ? undefined : QUIRKS.get(name);
  if (name !== undefined && quirk === undefined) throw new ExpressionError(`${place}.quirk: there is no quirk ${name}`);
  const single: CapabilityStep = { ...binding, name: 'call' };
  return { calls: (steps ?? [single]).map(step => compileCall(`${place}.${step.name}`, step, at)), result: at(`${place}.result`, result), quirk };
}

const compileCall = (place: string, step: CapabilityStep, at: CompileAt): CompiledCall => ({
  step,
  args: mappings(`${place}.args`, step.args, at),
  body: optional(`${place}.body`, step.body, at),
  when: optional(`${place}.when`, step.when, at),
  each: optional(`${place}.each`, step.each, at),
});

const compileWebhooks = ({ webhooks }: ProviderDescriptor, at: CompileAt): ReadonlyMap<string, readonly CompiledWebhookRule[]> =>
  new Map(
    Object.entries(webhooks?.events ?? {}).map(([name, rules]) => [
      name,
      rules.map((rule, index) => ({
        event: rule.event,
        when: optional(`webhooks.${name}.${index}.when`, rule.when, at),
        map: optional(`webhooks.${name}.${index}.map`, rule.map, at),
      })),
    ]),
  );
