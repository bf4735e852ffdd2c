/**
 * Receipts of writes (PRV-18): who let which request go out, signed with Ed25519 before it goes. A receipt is
 * `<base64url of its JSON>.<base64url of the signature>`, and the signature is over the first part as it stands.
 */
import { createHash, createPrivateKey, type KeyLike, sign, verify } from 'node:crypto';
import { bodyBytes } from './send-request.ts';
import type { PlannedCall } from './plan-call.ts';

export interface ReceiptSubject {
  readonly provider: string;
  readonly operation: string;
  readonly capability: string;
  readonly actor: string;
  /** sha256 of the canonical request, hex. */
  readonly digest: string;
  /** ISO 8601. */
  readonly at: string;
}

export type SignReceipt = (bytes: Uint8Array) => Uint8Array;

const VERSION = 1;

/** Throws where the PEM is no Ed25519 private key. */
export const createReceiptSigner = (pem: string): SignReceipt => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('receipts are signed with an Ed25519 key');
  return bytes => sign(null, bytes, key);
};

export const writeReceipt = (subject: ReceiptSubject, signReceipt: SignReceipt): string => {
  const { provider, operation, capability, actor, digest, at } = subject;
  const payload = Buffer.from(JSON.stringify({ version: VERSION, provider, operation, capability, actor, digest, at })).toString('base64url');
  return `${payload}.${Buffer.from(signReceipt(Buffer.from(payload))).toString('base64url')}`;
};

/** What the receipt says, where the key signed it; undefined for anything else. */
export const verifyReceipt = (receipt: string, publicKey: KeyLike): ReceiptSubject | undefined => {
  const [payload, signature, ...rest] = receipt.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined;
  if (!verify(null, Buffer.from(payload), publicKey, Buffer.from(signature, 'base64url'))) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as ReceiptSubject;
};

/** The same for the same request, whatever its credential and the random boundary of its parts. */
export const requestDigest = ({ request, operation }: PlannedCall): string => {
  const { method, url, headers, body } = request;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([VERSION, operation, method, url, headers['accept'] ?? '', body.kind]));
  if (body.kind === 'multipart') hash.update(withoutBoundary(body.value, headers['content-type'] ?? ''));
  else hash.update(bodyBytes(body) ?? '');
  return hash.digest('hex');
};

function withoutBoundary(chunks: readonly (string | Uint8Array)[], contentType: string): Uint8Array {
  const boundary = /boundary=([\w'()+,./:=? -]{1,70})/.exec(contentType)?.[1] ?? '';
  return Buffer.concat(chunks.map(chunk => Buffer.from(typeof chunk === 'string' && boundary !== '' ? chunk.replaceAll(boundary, '') : chunk)));
}
