/** The stores as a command uses them while a server has the embedded database open: each call goes to it, with the operator's key. */
import { ERRORS, type ErrorCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { HttpFailure, type HttpPort, type SealedColumn } from '@weir/ports';
import type { GatewayAddress } from './gateway-address.ts';
import { methodsOf, type OperatorStores, SEALED_COLUMNS, SECRETS, STORE_NAMES } from './operator-calls.ts';

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Where the running server takes the calls. */
export const STORES_PATH = '/v1/operator/stores';

export function remoteStores({ origin, operatorKey }: GatewayAddress, http: HttpPort): OperatorStores {
  const never = new AbortController().signal;
  const ask = async (store: string, method: string, args: readonly unknown[]): Promise<unknown> => {
    const { status, body } = await http.send(
      {
        method: 'POST',
        url: `${origin}${STORES_PATH}`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorKey}` },
        body: JSON.stringify({ store, method, args }),
        firstByteTimeoutMs: TIMEOUT_MS,
        idleTimeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      },
      never,
    );
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    return readAnswer(status, parse(Buffer.concat(parts).toString('utf8'), origin));
  };
  const stores = Object.fromEntries(STORE_NAMES.map(store => [store, methodsOf(store, (method, args) => ask(store, method, args))]));
  return { ...(stores as unknown as OperatorStores), secrets: SEALED_COLUMNS.map(name => remoteColumn(name, ask)) };
}

const remoteColumn = (name: string, ask: (store: string, method: string, args: readonly unknown[]) => Promise<unknown>): SealedColumn => ({
  name,
  list: (...args) => ask(SECRETS, 'list', [name, ...args]) as ReturnType<SealedColumn['list']>,
  replace: (...args) => ask(SECRETS, 'replace', [name, ...args]) as ReturnType<SealedColumn['replace']>,
});

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly next?: string };
}

/** Whatever else took the port of a gateway that was killed is none. */
function parse(text: string, origin: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch (cause) {
    throw new HttpFailure('unreachable', `${origin} is no gateway.`, cause);
  }
}

/** `{"result": …}` or `{"error": {"code", "message", "next"}}`, which is thrown here as it was there. */
function readAnswer(status: number, { result, error }: Answer): unknown {
  if (error === undefined && status === 200) return result;
  if (error !== undefined && Object.hasOwn(ERRORS, error.code)) {
    throw new AppError(error.code as ErrorCode, error.message, error.next === undefined ? {} : { next: error.next });
  }
  throw new HttpFailure('unreachable', `The server answers ${status}: ${error?.message ?? 'no result'}`);
}
