export { type BoundCall, callsOf } from './calls-of.ts';
export { type BindingFinding, type BindingRule, checkBindings, type DoctorFacts } from './check-bindings.ts';
export { descriptorJsonSchema } from './descriptor-schema.ts';
export { type ExplainedCall, explainVerb, type VerbExplanation } from './explain-verb.ts';
export { mergeDescriptor } from './merge-descriptor.ts';
export { type DescriptorProblem, type DescriptorReading, readDescriptor } from './read-descriptor.ts';
export { expressionsOf, type NamedExpression } from './expressions-of.ts';
export { resolveOperation } from './resolve-operation.ts';
