/** A question of Weir's own as a chat request, in the words of its route: declared by facts and profile, never by the model's name. */
import type { ModelRequest } from '@weir/ports';
import type { PlannedRoute } from './route-book.ts';

export interface QuestionRules {
  /** Ask for a JSON object where the route can. */
  readonly jsonMode: boolean;
  /** Null: the field is not sent, which reasoning models require. */
  readonly temperature: number | null;
}

/** The vendor refuses JSON mode when no message holds this word. */
const NAMES_JSON = /json/i;

export function questionBody(
  { system, user, maxOutputTokens }: ModelRequest,
  rules: QuestionRules,
  { route, facts }: PlannedRoute,
): Readonly<Record<string, unknown>> {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const chat = route.protocol === 'chat';
  const asksForJson = rules.jsonMode && takesJsonObject(facts.json_schema) && messages.some(({ content }) => NAMES_JSON.test(content));
  return {
    model: route.ref,
    // An empty message is refused by some endpoints.
    messages: messages.filter(({ content }) => content !== ''),
    stream: true,
    ...(chat && !facts.stream_usage ? {} : { stream_options: { include_usage: true } }),
    [chat && route.profile.outputTokens === 'max_completion_tokens' ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens,
    ...(rules.temperature === null || route.profile.temperature === 'refused' ? {} : { temperature: rules.temperature }),
    ...(asksForJson ? { response_format: { type: 'json_object' } } : {}),
  };
}

/** Messages can demand a schema only. */
const takesJsonObject = (place: PlannedRoute['facts']['json_schema']): boolean => place === 'response_format' || place === 'text_format';
