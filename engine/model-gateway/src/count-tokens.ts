/** `POST /v1/messages/count_tokens`: asked upstream where the route speaks Messages, else estimated. It costs nothing and is not charged. */
import { isObject, parseJson } from '@weir/wire';
import { errorIn } from './deliver-call.ts';
import { failureReply, type GatewayCall, type GatewayReply, jsonReply } from './gateway-call.ts';
import { CHARS_PER_TOKEN, readBody, type CallRules, type Switchboard } from './open-call.ts';
import { readText } from './read-text.ts';
import { refuseRoute } from './route-book.ts';

export async function countTokens(call: GatewayCall, rules: CallRules, { routes, upstream }: Switchboard): Promise<GatewayReply> {
  const parsed = readBody(call.body);
  if ('failure' in parsed) return failureReply('messages', parsed.failure);
  const finding = await routes.resolve(parsed.model, call.binding);
  if ('failure' in finding) return failureReply('messages', finding.failure);
  const { route } = finding.found;
  const refused = refuseRoute(call.principal, route);
  if (refused !== undefined) return failureReply('messages', refused);
  if (route.protocol !== 'messages') return jsonReply(200, JSON.stringify({ input_tokens: Math.ceil(call.body.length / CHARS_PER_TOKEN) }));
  const body = JSON.stringify({ ...(parsed.body as object), model: route.model });
  const outcome = await upstream.send(
    { route, path: '/count_tokens', body, stream: false, client: 'messages', headers: call.headers, ...rules, opened: () => Promise.resolve() },
    call.signal,
  );
  if ('refusal' in outcome) return failureReply('messages', outcome.refusal.failure);
  const text = await readText(outcome.response.body);
  const json = parseJson(text);
  const error = isObject(json) ? errorIn(json) : undefined;
  return error === undefined ? jsonReply(200, text) : failureReply('messages', error);
}
