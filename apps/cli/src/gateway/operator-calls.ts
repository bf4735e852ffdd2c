/**
 * The stores as an operator's commands use them. The embedded database has one process; while the gateway is it, commands like
 * `weir keys create` call these methods through it.
 */
import { AppError } from '@weir/kernel';
import type { CredentialPool, LedgerStore, ModelConfigStore, SealedColumn, VirtualKeyStore } from '@weir/ports';

const METHODS = {
  config: ['rows', 'saveProvider', 'deleteProvider', 'saveModel', 'renameModel', 'deleteModel'],
  credentials: ['add', 'setDisabled', 'remove', 'list'],
  secrets: ['list', 'replace'],
  keys: ['create', 'list', 'revoke'],
  ledger: ['charges', 'sum', 'sumBy'],
} as const;

type StoreName = keyof typeof METHODS;
type MethodOf<Name extends StoreName> = (typeof METHODS)[Name][number];

export interface OperatorStores {
  readonly config: Pick<ModelConfigStore, MethodOf<'config'>>;
  readonly credentials: Pick<CredentialPool, MethodOf<'credentials'>> & { readonly secrets: SealedColumn };
  readonly keys: Pick<VirtualKeyStore, MethodOf<'keys'>>;
  readonly ledger: Pick<LedgerStore, MethodOf<'ledger'>>;
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** All methods of one store, each by the same function. */
export const methodsOf = (store: StoreName, run: (method: string, args: readonly unknown[]) => Promise<unknown>): Readonly<Record<string, Method>> =>
  Object.fromEntries(METHODS[store].map(method => [method, (...args: readonly unknown[]) => run(method, args)]));

export const isStoreName = (name: unknown): name is StoreName => typeof name === 'string' && Object.hasOwn(METHODS, name);

/** Runs one call that arrived as JSON: `{"store", "method", "args"}`, an argument that was left out being null. A name that is not in the table is refused. */
export async function runStoreCall(call: unknown, stores: OperatorStores): Promise<unknown> {
  const { store, method, args } = (typeof call === 'object' && call !== null ? call : {}) as Readonly<Record<string, unknown>>;
  const known = isStoreName(store) && (METHODS[store] as readonly unknown[]).includes(method);
  if (!known || !Array.isArray(args)) {
    throw new AppError('USAGE', 'The running gateway does not know this request.', { next: 'Use a program of the same version as the gateway.' });
  }
  const targets: Readonly<Record<StoreName, unknown>> = { ...stores, secrets: stores.credentials.secrets };
  const target = targets[store] as Readonly<Record<string, Method>>;
  return target[method as string]?.(...args.map(value => (value === null ? undefined : (value as unknown))));
}
