/**
 * One call of the command line, made ready: its arguments checked, and the database opened where it writes and the policy
 * lets it. A read opens none, so it starts at once; a denied write opens neither a database nor a socket.
 */
import type { CallOptions, Provider } from '@weir/forge';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import type { HttpPort } from '@weir/ports';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import type { Storage } from '../composition/open-storage.ts';
import { type ArgumentSources, argumentsOf } from './call-arguments.ts';
import { openProvider, readProvider, type ReadProvider } from './open-provider.ts';
import { operatorPolicyFile } from './operator-policy.ts';
import { openReceiptKey } from './receipt-key.ts';

export interface CallTarget extends ArgumentSources {
  readonly provider: string;
  readonly operation: string;
  readonly baseUrl: string | undefined;
  readonly flags: Flags;
}

export interface PreparedCall {
  readonly read: ReadProvider;
  readonly provider: Provider;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
  /** Writes a sentence for people to stderr. */
  readonly say: (sentence: string) => void;
}

/** Opens the database for a write, and closes it whatever happens. */
async function withStorage<Result>(database: string | null, say: (sentence: string) => void, work: (storage: Storage) => Promise<Result>): Promise<Result> {
  // Loaded here, since a read needs none of it.
  const { openStorage } = await import('../composition/open-storage.ts');
  const storage = await openStorage({ database, say });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

const ACTOR = 'cli';

export interface CallAround {
  readonly signal: AbortSignal;
  /** What the requests go through on their way out. */
  readonly through?: (http: HttpPort) => HttpPort;
  /** Nothing is sent, so no policy is asked. */
  readonly dryRun?: boolean;
}

/** Throws ProviderError for wrong arguments, FORGE_DENIED for a write that the policy does not name, the failures of the database. */
export async function prepareCall<Result>(
  target: CallTarget,
  { signal, through = http => http, dryRun = false }: CallAround,
  work: (call: PreparedCall) => Promise<Result>,
): Promise<Result> {
  const settings = loadSettings(await operatorSources(target.flags));
  const http = through(createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins') }));
  const quiet = settings.get<boolean>('output.quiet');
  const say = (sentence: string): void => void (quiet || process.stderr.write(`${sentence}\n`));
  const read = await readProvider(target.provider);
  const args = await argumentsOf(target, signal);
  const options = { signal, actor: ACTOR, fromCommandLine: true };
  const provider = openProvider(read, { baseUrl: target.baseUrl, http });
  const { operation, mutates, policy } = provider.dryRun(target.operation, args, options);
  if (dryRun || !mutates) return work({ read, provider, args, options, say });
  if (!policy.allowed) throw denied(target.provider, operation, policy.reason);
  const receiptKey = read.files.descriptor.policy.receipts === 'required' ? await openReceiptKey() : undefined;
  return withStorage(settings.get<string | null>('storage.database'), say, storage =>
    work({ read, args, options, say, provider: openProvider(read, { baseUrl: target.baseUrl, http, durable: { storage, receiptKey } }) }),
  );
}

const denied = (provider: string, operation: string, reason: string): AppError =>
  new AppError('FORGE_DENIED', `${provider} ${operation}: ${reason}`, {
    next: `If it is meant, name ${operation} in allowed_mutations of ${operatorPolicyFile(provider)}; no flag does that.`,
  });
