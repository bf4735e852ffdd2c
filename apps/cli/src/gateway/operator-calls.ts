/**
 * The stores as an operator's commands use them. The embedded database has one process; while a server is it, commands like
 * `weir keys create` and `weir repo add` call these methods through it.
 */
import type { ApiTokens, SignInLinks } from '@weir/identity';
import { AppError } from '@weir/kernel';
import type {
  Acknowledgements,
  AuditStore,
  CredentialPool,
  DeadLetters,
  DeliveryStore,
  LedgerStore,
  ModelConfigStore,
  ReviewRegistry,
  ReviewViews,
  SealedColumn,
  VirtualKeyStore,
} from '@weir/ports';
import type { ReviewListRow, ReviewPage } from '@weir/review';
import type { OperatorReviews } from '../server/operator-reviews.ts';

interface Stores {
  readonly config: ModelConfigStore;
  readonly credentials: CredentialPool;
  readonly keys: VirtualKeyStore;
  readonly ledger: LedgerStore;
  readonly registry: ReviewRegistry;
  readonly views: ReviewViews<ReviewListRow, ReviewPage>;
  readonly deadLetters: DeadLetters;
  readonly deliveries: DeliveryStore;
  readonly reviews: OperatorReviews;
  readonly audit: AuditStore;
  readonly signInLinks: SignInLinks;
  readonly tokens: ApiTokens;
  readonly acknowledgements: Acknowledgements;
}

const METHODS = {
  config: ['rows', 'saveProvider', 'deleteProvider', 'saveModel', 'renameModel', 'deleteModel'],
  credentials: ['add', 'setDisabled', 'remove', 'list'],
  keys: ['create', 'list', 'revoke'],
  ledger: ['charges', 'calls', 'sum', 'sumBy', 'filledAt'],
  registry: [
    'accounts',
    'account',
    'saveAccount',
    'noteCredential',
    'deleteAccount',
    'repositories',
    'saveRepository',
    'deleteRepository',
    'hook',
    'saveHook',
    'unregistered',
  ],
  views: ['get', 'list', 'stuck'],
  deadLetters: ['list', 'replay', 'drop'],
  deliveries: ['list'],
  reviews: ['execute', 'timeline', 'redeliver'],
  audit: ['append'],
  signInLinks: ['make'],
  tokens: ['create', 'list', 'revoke'],
  acknowledgements: ['save', 'list'],
} as const satisfies { readonly [Name in keyof Stores]: readonly (keyof Stores[Name])[] };

type StoreName = keyof typeof METHODS;

export type OperatorStores = { readonly [Name in StoreName]: Pick<Stores[Name], (typeof METHODS)[Name][number] & keyof Stores[Name]> } & {
  /** Everything that is encrypted, for a rotation of the keyset. */
  readonly secrets: readonly SealedColumn[];
};

/** Names of the columns of `secrets`, in their order. */
export const SEALED_COLUMNS = ['model-credentials', 'artifacts', 'deliveries', 'forge-accounts', 'hooks'] as const;

/** Calls on a column have its name in front of their arguments. */
export const SECRETS = 'secrets';
const COLUMN_METHODS: readonly unknown[] = ['list', 'replace'];

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** All methods of one store, each by the same function. */
export const methodsOf = <Name extends StoreName>(store: Name, run: (method: string, args: readonly unknown[]) => Promise<unknown>): OperatorStores[Name] =>
  Object.fromEntries(METHODS[store].map(method => [method, (...args: readonly unknown[]) => run(method, args)])) as unknown as OperatorStores[Name];

export const STORE_NAMES = Object.keys(METHODS) as readonly StoreName[];

const isStoreName = (name: unknown): name is StoreName => typeof name === 'string' && Object.hasOwn(METHODS, name);

/** Runs one call that arrived as JSON: `{"store", "method", "args"}`, an argument that was left out being null. A name that is not in the table is refused. */
export async function runStoreCall(call: unknown, stores: OperatorStores): Promise<unknown> {
  const { store, method, args } = (typeof call === 'object' && call !== null ? call : {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(args)) throw unknownCall();
  const given = args.map(value => (value === null ? undefined : (value as unknown)));
  if (store === SECRETS && COLUMN_METHODS.includes(method)) {
    const column = stores.secrets.find(({ name }) => name === given[0]);
    if (column === undefined) throw unknownCall();
    return methodOf(column, method)?.(...given.slice(1));
  }
  if (!isStoreName(store) || !(METHODS[store] as readonly unknown[]).includes(method)) throw unknownCall();
  return methodOf(stores[store], method)?.(...given);
}

const methodOf = (target: unknown, method: unknown): Method | undefined => (target as Readonly<Record<string, Method>>)[method as string];

const unknownCall = (): AppError =>
  new AppError('USAGE', 'The running server does not know this request.', { next: 'Use a program of the same version as the server.' });
