/** Top-level fields that another protocol does not know: named in a diagnostic, or refused where the answer would change. */
import type { WireProtocol } from '@weir/tool-plan';
import { CHAT_FORM_FIELDS, CHAT_MEANING_FIELDS } from './chat.wire.ts';
import type { Conversion } from './conversion.ts';
import { RequestProblem } from './gateway-failure.ts';
import { MESSAGES_FORM_FIELDS, MESSAGES_MEANING_FIELDS } from './messages.wire.ts';
import type { SamplingSettings } from './model-request.ts';
import { RESPONSES_FORM_FIELDS, RESPONSES_MEANING_FIELDS } from './responses.wire.ts';

interface KnownFields {
  readonly form: ReadonlySet<string>;
  readonly meaning: Readonly<Record<string, string>>;
}

const KNOWN: Readonly<Record<WireProtocol, KnownFields>> = {
  responses: { form: RESPONSES_FORM_FIELDS, meaning: RESPONSES_MEANING_FIELDS },
  chat: { form: CHAT_FORM_FIELDS, meaning: CHAT_MEANING_FIELDS },
  messages: { form: MESSAGES_FORM_FIELDS, meaning: MESSAGES_MEANING_FIELDS },
};

/** Values that ask for nothing. */
const isIdle = (value: unknown): boolean => value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Settings that the form carries and that not every upstream of the protocol takes; a route's own profile may add them. */
const LEFT_OUT: Readonly<Record<WireProtocol, readonly (keyof SamplingSettings)[]>> = {
  responses: [],
  chat: ['verbosity', 'cacheKey'],
  messages: ['effort', 'verbosity', 'cacheKey'],
};

/** @throws RequestProblem `unsupported_field`. */
export function explainDroppedFields({ request, upstream, diagnostics }: Conversion): void {
  const { form, meaning } = KNOWN[request.protocol];
  for (const setting of LEFT_OUT[upstream]) {
    if (request.settings[setting] !== undefined) diagnostics.add('setting_dropped', `Not every ${upstream} upstream takes the setting "${setting}".`);
  }
  for (const [field, value] of Object.entries(request.wire)) {
    if (form.has(field) || isIdle(value)) continue;
    const stands = Object.hasOwn(meaning, field) ? meaning[field] : undefined;
    if (stands !== undefined) throw new RequestProblem('unsupported_field', `"${field}" asks for ${stands}, which the route's protocol cannot do.`);
    if (field === 'n' && value !== 1) throw new RequestProblem('unsupported_field', '"n" asks for several answers, which the route\'s protocol cannot do.');
    diagnostics.add('field_dropped', `The route's protocol has no field for "${field.slice(0, 80)}".`);
  }
}
