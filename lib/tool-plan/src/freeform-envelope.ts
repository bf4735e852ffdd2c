/**
 * A freeform tool as a function: one text field, with the grammar as text in the description (MOD-6).
 * `sealEnvelope` and the FreeformDecoder are inverse to each other for every input.
 */
import type { ToolDeclaration } from './tool-declaration.ts';

/** The one field of the envelope. */
export const ENVELOPE_FIELD = 'input';

export const envelopeParameters = {
  type: 'object',
  properties: { [ENVELOPE_FIELD]: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: [ENVELOPE_FIELD],
  additionalProperties: false,
} as const;

export function envelopeDescription({ description, grammar }: Pick<ToolDeclaration, 'description' | 'grammar'>): string {
  if (grammar === undefined) return description;
  return `${description}${description === '' ? '' : '\n\n'}The text in "${ENVELOPE_FIELD}" follows this ${grammar.syntax} grammar:\n${grammar.definition}`;
}

/** Arguments of the function call that stand for a freeform input. */
export const sealEnvelope = (input: string): string => JSON.stringify({ [ENVELOPE_FIELD]: input });
