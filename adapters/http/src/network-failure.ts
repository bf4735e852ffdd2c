/**
 * What the network said, as a sentence for people. The codes are those of Node's sockets, OpenSSL and undici.
 * What has no code is not the network but a bug, and passes through.
 */
import { HttpFailure } from '@weir/ports';
import { errors } from 'undici';

const certificate = 'has a certificate that is not trusted. For a private authority, start with NODE_EXTRA_CA_CERTS=<its certificate file>.';
const cut = 'closed the connection before the answer was complete. Try again later.';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'cannot be found by name. Check the host name.',
  EAI_AGAIN: 'cannot be looked up, the name service does not answer. Check the network.',
  ECONNREFUSED: 'refuses the connection. Check that the server runs and the port is right.',
  EHOSTUNREACH: 'cannot be reached. Check the network.',
  ENETUNREACH: 'cannot be reached. Check the network.',
  ETIMEDOUT: 'does not answer. Check the network.',
  ECONNRESET: cut,
  EPIPE: cut,
  UND_ERR_SOCKET: cut,
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: cut,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cut,
  UND_ERR_HEADERS_OVERFLOW: 'sends more headers than are read.',
  EPROTO: 'does not speak TLS on this port. Check scheme and port.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS on this port. Check scheme and port.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS on this port. Check scheme and port.',
  CERT_HAS_EXPIRED: 'has a certificate that has expired. Renew it on the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name. Check the host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
};

/** The connection ended before the answer did. */
export const isCut = (error: unknown): boolean => SENTENCES[codeOf(error) ?? ''] === cut;

const NOT_HTTP = 'sends something that is not HTTP, or breaks off inside its answer. Check scheme and port, then try again.';

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // A bad argument is a mistake of the caller: it is not dressed up as a network failure.
  return typeof code === 'string' && code !== 'UND_ERR_INVALID_ARG' ? code : undefined;
}

/** @returns the error as HttpFailure when it comes from the network, else the error itself. */
export function describeNetworkFailure(error: unknown, origin: string): unknown {
  const code = codeOf(error);
  // The parser's error holds bytes of the response, so it is not kept as the cause.
  if (error instanceof errors.HTTPParserError) return new HttpFailure('unreachable', `${origin} ${NOT_HTTP}`);
  if (error instanceof HttpFailure || code === undefined) return error;
  return new HttpFailure('unreachable', `${origin} ${SENTENCES[code] ?? `cannot be used (${code}).`}`, error);
}
