/** The forge of one change with the account of a token: what a server has in its registry, for one command that keeps nothing. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Actor, BlockOn } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ForgeAccount, ForgePort, HttpPort, RegisteredRepository } from '@weir/ports';
import { memoryAuditStore, memoryRateStore } from '@weir/provider-store';
import type { StageForge } from '@weir/review-workers';
import type { LoadedSettings } from '../composition/load-settings.ts';
import { readProvider } from '../provider/open-provider.ts';
import { forgePlace } from '../registration/api-address.ts';
import type { ChangeAddress } from '../registration/change-address.ts';
import { credentialsOf, forgePortOf, openEngine } from '../server/provider-book.ts';

export interface ChangeForgeInput {
  readonly address: ChangeAddress;
  readonly settings: LoadedSettings;
  readonly token: string;
  readonly http: HttpPort;
}

/** Receipts prove a write to whoever reads the audit log; the log of one command ends with it, and so does its key. */
const passingKey = async (): Promise<string> => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** Throws AppError: an unknown provider, what the forge refuses. */
export async function openChangeForge({ address, settings: { get }, token, http }: ChangeForgeInput, signal: AbortSignal): Promise<StageForge> {
  const { forge, path } = address;
  const read = await readProvider(forge);
  const place = forgePlace(read.files.descriptor, { origin: address.origin, baseUrl: get<string | null>('forge.apiUrl') ?? undefined });
  const account: ForgeAccount = {
    ...{ ...place, forge, id: 'command', role: 'reviewer', identity: NOBODY, credential: { kind: 'token' }, sealedSecret: token },
    ...{ scopes: null, observedAt: Date.now(), state: 'active', listedAuthors: [], allowedBots: [] },
  };
  const parts = { http, receiptKey: passingKey, auditStore: memoryAuditStore(), rateStore: memoryRateStore({ now: Date.now, newId: randomUUID }) };
  const credentials = credentialsOf({ open: sealed => sealed }, account);
  const port = forgePortOf(await openEngine(parts, read, { baseUrl: account.baseUrl, credentials }), read);
  const identity = await identityOf(port, get<string | null>('forge.user'), signal);
  const { id: repositoryId, owner, name } = await port.ask('repo.get', { repository: path }, signal);
  const blockOn = get<BlockOn>('post.blockOn');
  const repository: RegisteredRepository = {
    ...{ id: 'command', account: account.id, factoryAccount: null, forge, origin: place.origin, repositoryId, path: { owner, name } },
    ...{ reviewDrafts: get<boolean>('post.drafts'), observe: get<boolean>('post.observe'), blockOn: blockOn === 'none' ? null : blockOn },
    ...{ showCost: false, deniedActors: [], grantedActors: [], hook: '', hookId: null, lastDeliveryAt: null },
  };
  return { port, repository, account: { ...account, identity } };
}

const NOBODY: Actor = { id: '-', login: '-', kind: 'unknown' };
const BY_ID = 'id:';

/** By its stable id Weir's own comments are known. Some tokens have no user whom the forge would name. */
async function identityOf(port: ForgePort, named: string | null, signal: AbortSignal): Promise<Actor> {
  if (named?.startsWith(BY_ID) === true) return { id: named.slice(BY_ID.length), login: named.slice(BY_ID.length), kind: 'unknown' };
  if (named !== null) return port.ask('user.get', { login: named }, signal);
  try {
    return await port.ask('account.whoami', {}, signal);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'FORGE_FORBIDDEN' && error.code !== 'FORGE_UNAUTHORIZED')) throw error;
    throw new AppError(error.code, `The forge does not say whose token this is: ${error.message}`, {
      next: 'Check the token; for one that has no user of its own, name whom it posts as with forge.user (docs/guides/ci.md).',
      cause: error,
    });
  }
}
