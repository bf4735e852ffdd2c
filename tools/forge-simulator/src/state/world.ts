/**
 * Everything that one simulated forge knows: accounts, repositories, ids, the clock and what happened.
 * Forge routes change it through the actions beside this file; listeners turn happenings into webhooks.
 */
import { randomBytes } from 'node:crypto';
import { GitStore } from '../git/git-store.ts';
import { type Account, allows, type Permission, uuidOf } from './account.ts';
import type { Happening } from './happening.ts';
import type { Remark } from './issue.ts';
import type { Repository } from './repository.ts';

export interface App {
  readonly id: number;
  readonly slug: string;
  readonly publicKey: string;
  /** Null until it is installed. */
  installation: number | null;
  readonly bot: Account;
  readonly by: Account;
  /** The webhook of the app itself; null where it has none. */
  readonly hook: { readonly url: string; readonly secret: string; readonly events: readonly string[] } | null;
}

/** An app that was made from a manifest, until somebody asks for its secrets. */
export interface ManifestConversion {
  readonly app: App;
  readonly privateKey: string;
}

export interface AccountSeed {
  readonly login: string;
  readonly name?: string;
  readonly kind?: Account['kind'];
}

export interface RepositorySeed {
  readonly owner: string;
  readonly name: string;
  readonly private?: boolean;
  readonly defaultBranch?: string;
}

/** GitHub and Gitea number issues and changes together; GitLab and Bitbucket count each from 1. */
export type Numbering = 'shared' | 'apart';

const FIRST_ID = 1000;

export class World {
  readonly accounts: Account[] = [];
  readonly repositories: Repository[] = [];
  readonly apps: App[] = [];
  /** By the code of the redirect; each is asked for once. */
  readonly conversions = new Map<string, ManifestConversion>();
  /** Tokens that were minted for an installation, with the instant at which they end. */
  readonly minted = new Map<string, { readonly app: App; readonly expires: Date }>();
  readonly now: () => Date;
  /** Whether a conversation comment is a thread of its own, as on GitLab and Bitbucket. */
  readonly conversationThreads: boolean;
  /** Where a draft is a prefix of the title (Gitea, GitLab): that prefix. */
  readonly draftPrefix: string | null;
  readonly #numbering: Numbering;
  readonly #ids = new Map<string, number>();
  readonly #listeners: ((happening: Happening) => void)[] = [];

  constructor(numbering: Numbering, now: () => Date, draftPrefix: string | null = null) {
    this.draftPrefix = draftPrefix;
    this.#numbering = numbering;
    this.conversationThreads = numbering === 'apart';
    this.now = now;
  }

  id(family: string): number {
    const next = (this.#ids.get(family) ?? FIRST_ID) + 1;
    this.#ids.set(family, next);
    return next;
  }

  number(repository: Repository, family: 'change' | 'issue'): number {
    const taken = [
      ...(this.#numbering === 'shared' || family === 'change' ? repository.changes : []),
      ...(this.#numbering === 'shared' || family === 'issue' ? repository.issues : []),
    ];
    return taken.reduce((highest, one) => Math.max(highest, one.number), 0) + 1;
  }

  listen(listener: (happening: Happening) => void): void {
    this.#listeners.push(listener);
  }

  happen(happening: Happening): void {
    for (const listener of this.#listeners) listener(happening);
  }

  addAccount(seed: AccountSeed): Account {
    if (this.accounts.some(account => account.login === seed.login)) throw new Error(`account ${seed.login} exists`);
    const account: Account = {
      id: this.id('account'),
      uuid: uuidOf(`account ${seed.login}`),
      login: seed.login,
      name: seed.name ?? seed.login,
      email: `${seed.login.replace(/[^a-z0-9-]/gi, '')}@example.invalid`,
      kind: seed.kind ?? 'user',
      token: `simulated-${seed.login.replace(/[^a-z0-9]/gi, '')}-${randomBytes(12).toString('hex')}`,
    };
    this.accounts.push(account);
    return account;
  }

  account(login: string): Account {
    const found = this.accounts.find(account => account.login.toLowerCase() === login.toLowerCase());
    if (found === undefined) throw new Error(`no account ${login}`);
    return found;
  }

  async addRepository(seed: RepositorySeed): Promise<Repository> {
    const owner = this.account(seed.owner);
    const defaultBranch = seed.defaultBranch ?? 'main';
    const fullName = `${owner.login}/${seed.name}`;
    const repository: Repository = {
      id: this.id('repository'),
      uuid: uuidOf(`repository ${fullName}`),
      owner,
      name: seed.name,
      fullName,
      private: seed.private ?? false,
      defaultBranch,
      git: await GitStore.create(defaultBranch),
      createdAt: this.now(),
      permissions: new Map([[owner.id, 'admin']]),
      changes: [],
      issues: [],
      labels: [],
      milestones: [],
      statuses: [],
      checks: [],
      protections: new Map(),
      hooks: [],
    };
    this.repositories.push(repository);
    return repository;
  }

  permission(repository: Repository, account: Account | null): Permission {
    const held = account === null ? undefined : repository.permissions.get(account.id);
    if (held !== undefined) return held;
    return repository.private ? 'none' : 'read';
  }

  may(repository: Repository, account: Account | null, needed: Permission): boolean {
    return account !== null && allows(this.permission(repository, account), needed);
  }

  remark(author: Account, body: string, parent: number | null = null): Remark {
    const at = this.now();
    return { id: this.id('remark'), author, body, createdAt: at, updatedAt: at, reactions: [], parent, deleted: false };
  }

  async close(): Promise<void> {
    await Promise.all(this.repositories.map(repository => repository.git.remove()));
  }
}
