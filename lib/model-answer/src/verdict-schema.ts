/** The JSON Schema of an answer about earlier findings (REV-21, REV-22). Closed, with every property required, as strict modes ask. */
import { REVIEW_VERDICTS } from '@weir/contract';

const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const verdict = closed({
  finding: { type: 'string', description: 'Id of the finding, as listed.' },
  verdict: { type: 'string', enum: [...REVIEW_VERDICTS] },
  reason: { type: 'string', description: 'One or two sentences for the author: what in the diff or in the conversation decides it.' },
});

export const verdictSchema: Readonly<Record<string, unknown>> = closed({ verdicts: { type: 'array', items: verdict } });
