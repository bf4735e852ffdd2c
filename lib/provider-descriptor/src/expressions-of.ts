/**
 * Every expression of a descriptor with its place, for the one who compiles them.
 */
import type { CapabilityBinding, ProviderDescriptor } from '@weir/contract';
import { callsOf } from './calls-of.ts';

export interface NamedExpression {
  /** `capabilities.change.get.result`, `webhooks.push.0.map` … */
  readonly place: string;
  readonly expression: string;
}

/** All but the shapes, which the others use. */
export const expressionsOf = (descriptor: ProviderDescriptor): readonly NamedExpression[] => [
  ...Object.entries(descriptor.common_args).map(([name, expression]) => ({ place: `common_args.${name}`, expression })),
  ...Object.entries(descriptor.capabilities).flatMap(([verb, binding]) => ofBinding(`capabilities.${verb}`, binding)),
  ...Object.entries(descriptor.webhooks?.events ?? {}).flatMap(([event, rules]) =>
    rules.flatMap((rule, index) => [...one(`webhooks.${event}.${index}.when`, rule.when), ...one(`webhooks.${event}.${index}.map`, rule.map)]),
  ),
];

const one = (place: string, expression: string | undefined): readonly NamedExpression[] => (expression === undefined ? [] : [{ place, expression }]);

const ofBinding = (place: string, binding: CapabilityBinding): readonly NamedExpression[] => [
  ...callsOf(binding).flatMap(call => [
    ...Object.entries(call.args).map(([name, expression]) => ({ place: `${place}.${call.name}.args.${name}`, expression })),
    ...one(`${place}.${call.name}.body`, call.body),
    ...one(`${place}.${call.name}.when`, call.when),
    ...one(`${place}.${call.name}.each`, call.each),
  ]),
  { place: `${place}.result`, expression: binding.result },
];
