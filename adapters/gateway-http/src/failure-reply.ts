/** Failures of this server itself, in the words of the protocol that the client speaks (MOD-15). */
import type { UpstreamProtocol } from '@weir/contract';
import { clientError, type GatewayFailure, permanent } from '@weir/wire';
import type { FastifyReply, FastifyRequest } from 'fastify';

const PROTOCOL_OF_PATH: readonly (readonly [RegExp, UpstreamProtocol])[] = [
  [/\/responses(?:\/|$)/, 'responses'],
  [/\/messages(?:\/|$)/, 'messages'],
];

/** By the path; where the path is the same for all, by the header that only one vendor's clients send. */
export function protocolOf({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): UpstreamProtocol {
  const path = url.split('?', 1)[0] ?? '';
  return PROTOCOL_OF_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? (headers['anthropic-version'] === undefined ? 'chat' : 'messages');
}

export function sendFailure(reply: FastifyReply, protocol: UpstreamProtocol, failure: GatewayFailure): FastifyReply {
  const { status, headers, body } = clientError(protocol, failure);
  return reply.code(status).headers(headers).send(body);
}

const OF_SERVER: Readonly<Record<string, GatewayFailure>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: permanent('wrong_content_type', 'The content type must be application/json.'),
  FST_ERR_CTP_EMPTY_TYPE: permanent('wrong_content_type', 'The content type must be application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'request_too_large', class: 'too_large', message: 'The body is larger than the gateway takes.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: permanent('invalid_request', 'The body is not as long as its content-length says.'),
  FST_ERR_BAD_URL: permanent('invalid_request', 'The address is not valid.'),
};

/** @returns undefined for a bug. */
export function failureOfError(error: unknown): GatewayFailure | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && Object.hasOwn(OF_SERVER, code) ? OF_SERVER[code] : undefined;
}
