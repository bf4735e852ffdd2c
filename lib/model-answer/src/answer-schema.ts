/**
 * The JSON Schema of an answer, for the prompt and for endpoints that hold a model to a schema. Strict mode asks that
 * every property is required and no other is allowed; a part that may be missing is null instead.
 */
import { CATEGORIES, SEVERITIES } from '@weir/contract';

const string = (description: string) => ({ type: 'string', description });
const orNull = (schema: Readonly<Record<string, unknown>>) => ({ anyOf: [schema, { type: 'null' }] });
const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const evidence = closed({
  path: string('File that was read.'),
  line: orNull({ type: 'integer', description: 'Line on the new side.' }),
  note: string('What stands there and why it supports the finding.'),
});

const finding = closed({
  path: string('File, spelled as in the diff.'),
  side: { type: 'string', enum: ['new', 'old'], description: 'old only for removed lines.' },
  line: { type: 'integer', description: 'First line on that side; 0 for the whole file.' },
  endLine: { type: 'integer', description: 'Last line; equal to line for a single line.' },
  severity: { type: 'string', enum: [...SEVERITIES] },
  category: orNull({ type: 'string', enum: [...CATEGORIES] }),
  title: string('One line, no full stop.'),
  message: string('What happens, for which input, and why it matters.'),
  quote: orNull(string('The code that the finding is about, copied exactly.')),
  evidence: { type: 'array', items: evidence },
  suggestion: orNull(string('Replacement for the lines from line to endLine, or null.')),
});

/** Closed in every object, all properties required, no keyword that strict modes refuse. */
export const answerSchema: Readonly<Record<string, unknown>> = closed({ findings: { type: 'array', items: finding } });
