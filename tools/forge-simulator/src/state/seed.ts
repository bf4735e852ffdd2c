/**
 * Helpers that put a simulated forge into a state without HTTP: accounts, repositories, commits, pushes, changes.
 * They act as a person would: hooks that are registered hear of what they do.
 */
import type { FileContent } from '../git/git-store.ts';
import { type Account, type Permission, uuidOf } from './account.ts';
import type { Change } from './change.ts';
import { type ChangeEdit, deleteBranch, editChange, labelChange, mergeChange, openChange, pushBranch } from './change-actions.ts';
import type { Issue, Label } from './issue.ts';
import { addLabel, ensureLabel, findLabel, labelIssue, openIssue } from './issue-actions.ts';
import type { Repository } from './repository.ts';
import { addRemark, isChange, openThread, replyInThread, resolveThread } from './talk-actions.ts';
import { addApp, installApp, takeManifest } from './app-actions.ts';
import type { AccountSeed, App, RepositorySeed, World } from './world.ts';

export interface CommitSeed {
  /** `owner/name`. */
  readonly repository: string;
  readonly branch: string;
  /** A branch or commit to start from: the branch itself when it exists, else the default branch. */
  readonly from?: string;
  readonly files?: Readonly<Record<string, FileContent>>;
  readonly renames?: readonly (readonly [from: string, to: string])[];
  readonly message?: string;
  readonly by?: string;
}

export interface ChangeSeed {
  readonly repository: string;
  readonly title?: string;
  readonly body?: string;
  readonly head: string;
  readonly base?: string;
  readonly by?: string;
  readonly draft?: boolean;
}

export class Seed {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  account(seed: AccountSeed): Account {
    return this.#world.addAccount(seed);
  }

  repository(seed: RepositorySeed): Promise<Repository> {
    return this.#world.addRepository(seed);
  }

  /** Sets what an account may do in a repository. */
  permit(fullName: string, login: string, permission: Permission): void {
    this.find(fullName).permissions.set(this.#world.account(login).id, permission);
  }

  /** A GitHub App installed on everything. Its bot writes as `<slug>[bot]`; JWTs are checked with the public key. */
  app(seed: { readonly slug: string; readonly publicKey: string; readonly by: string }): App & { readonly installation: number } {
    const app = addApp(this.#world, { ...seed, hook: null });
    return { ...app, installation: installApp(this.#world, app) };
  }

  /** Sends the form with a manifest as a person does on the forge's own page. Returns the address that the browser is sent to. */
  manifest(sent: { readonly manifest: string; readonly state: string; readonly by: string }): string {
    return takeManifest(this.#world, sent);
  }

  /** Installs an app on everything, as a person does on the forge's own page. */
  install(slug: string): number {
    const app = this.#world.apps.find(one => one.slug === slug);
    if (app === undefined) throw new Error(`no app ${slug}`);
    return installApp(this.#world, app);
  }

  /** Writes a commit on a branch as a push. Returns its id. */
  async push(seed: CommitSeed): Promise<string> {
    const repository = this.find(seed.repository);
    const by = this.#by(repository, seed.by);
    const from =
      seed.from ?? ((await repository.git.resolve(`refs/heads/${seed.branch}`)) === undefined ? repository.defaultBranch : `refs/heads/${seed.branch}`);
    const parent = await repository.git.resolve(from);
    const sha = await repository.git.commit({
      parents: parent === undefined ? [] : [parent],
      ...(seed.files && { files: seed.files }),
      ...(seed.renames && { renames: seed.renames }),
      message: seed.message ?? `Change ${Object.keys(seed.files ?? {}).join(', ')}`,
      author: by,
      at: this.#world.now(),
    });
    await pushBranch(this.#world, repository, seed.branch, { sha, by });
    return sha;
  }

  /** Moves a branch to a commit, forwards or not. */
  async forcePush(fullName: string, branch: string, to: { readonly sha: string; readonly by?: string }): Promise<void> {
    const repository = this.find(fullName);
    await pushBranch(this.#world, repository, branch, { sha: to.sha, by: this.#by(repository, to.by) });
  }

  async deleteBranch(fullName: string, branch: string, by?: string): Promise<void> {
    const repository = this.find(fullName);
    await deleteBranch(this.#world, repository, branch, this.#by(repository, by));
  }

  async change(seed: ChangeSeed): Promise<Change> {
    const repository = this.find(seed.repository);
    const title = seed.title ?? `Change ${seed.head}`;
    const plan = {
      title: seed.draft === true && this.#world.draftPrefix !== null ? `${this.#world.draftPrefix}${title}` : title,
      body: seed.body ?? '',
      head: seed.head,
      base: seed.base ?? repository.defaultBranch,
      author: this.#by(repository, seed.by),
      draft: seed.draft ?? false,
    };
    const change = await openChange(this.#world, repository, plan);
    if (change === undefined) throw new Error(`${seed.head} can't be opened against ${plan.base}: a branch is missing or they are equal`);
    return change;
  }

  async edit(fullName: string, number: number, edit: ChangeEdit & { readonly by?: string }): Promise<void> {
    const repository = this.find(fullName);
    const change = this.changeOf(fullName, number);
    const by = this.#by(repository, edit.by);
    await editChange(this.#world, repository, change, { ...edit, ...this.#draftTitle(change, edit), by });
  }

  /** Where the title says that a change is a draft, flipping the flag edits the title. */
  #draftTitle(change: Change, edit: ChangeEdit): { readonly title?: string } {
    const prefix = this.#world.draftPrefix;
    if (edit.draft === undefined || edit.draft === change.draft || prefix === null) return {};
    const title = edit.title ?? change.title;
    return { title: edit.draft ? `${prefix}${title}` : title.replace(prefix, '') };
  }

  async merge(fullName: string, number: number, by?: string): Promise<string | undefined> {
    const repository = this.find(fullName);
    return mergeChange(this.#world, repository, this.changeOf(fullName, number), { method: 'merge', by: this.#by(repository, by) });
  }

  label(fullName: string, name: string, color = 'ededed', description = ''): Label {
    const repository = this.find(fullName);
    return findLabel(repository, name) ?? addLabel(this.#world, repository, { name, color, description });
  }

  /** Puts a label on a change or an issue. */
  putLabel(fullName: string, number: number, name: string, by?: string): void {
    const repository = this.find(fullName);
    const subject = this.subject(fullName, number);
    const edit = { labels: [...subject.labels, ensureLabel(this.#world, repository, name)], by: this.#by(repository, by) };
    if (isChange(subject)) labelChange(this.#world, repository, subject, edit);
    else labelIssue(this.#world, repository, subject, edit);
  }

  issue(fullName: string, issue: { readonly title: string; readonly body?: string; readonly by?: string }): Issue {
    const repository = this.find(fullName);
    return openIssue(this.#world, repository, { title: issue.title, body: issue.body ?? '', by: this.#by(repository, issue.by) });
  }

  /** A conversation comment. Returns its id. */
  comment(fullName: string, number: number, said: { readonly body: string; readonly by?: string }): number {
    const repository = this.find(fullName);
    const by = this.#by(repository, said.by);
    const subject = this.subject(fullName, number);
    // On GitLab and Bitbucket a conversation comment opens a thread of its own.
    return isChange(subject) && this.#world.conversationThreads
      ? (openThread(this.#world, repository, subject, { by, body: said.body, place: null, individual: true }).remarks[0]?.id ?? 0)
      : addRemark(this.#world, repository, subject, { by, body: said.body }).id;
  }

  /** A reply to the comment with that id in one of the change's threads. Returns the reply's id. */
  reply(fullName: string, number: number, said: { readonly to: number; readonly body: string; readonly by?: string }): number {
    const repository = this.find(fullName);
    const change = this.changeOf(fullName, number);
    const thread = change.threads.find(one => one.remarks.some(remark => remark.id === said.to));
    if (thread === undefined) throw new Error(`no thread with comment ${said.to}`);
    return replyInThread(this.#world, repository, change, { thread, by: this.#by(repository, said.by), body: said.body }).id;
  }

  /** Resolves, or opens again, the thread of a comment. */
  resolve(fullName: string, number: number, edit: { readonly comment: number; readonly resolved?: boolean; readonly by?: string }): void {
    const repository = this.find(fullName);
    const change = this.changeOf(fullName, number);
    const thread = change.threads.find(one => one.remarks.some(remark => remark.id === edit.comment));
    if (thread === undefined) throw new Error(`no thread with comment ${edit.comment}`);
    resolveThread(this.#world, repository, change, { thread, by: this.#by(repository, edit.by), resolved: edit.resolved ?? true });
  }

  /** Registers a hook as an operator would on the forge's own pages; `fields` are the vendor's switches. */
  hook(
    fullName: string,
    hook: {
      readonly url: string;
      readonly secret?: string;
      readonly signingToken?: string;
      readonly events: readonly string[];
      readonly fields?: Record<string, unknown>;
    },
  ): number {
    const repository = this.find(fullName);
    const id = this.#world.id('hook');
    const at = this.#world.now();
    repository.hooks.push({
      id,
      uuid: uuidOf(`hook ${id}`),
      url: hook.url,
      secret: hook.secret ?? null,
      signingToken: hook.signingToken ?? null,
      contentType: 'json',
      events: [...hook.events],
      active: true,
      createdAt: at,
      updatedAt: at,
      fields: hook.fields ?? {},
    });
    return id;
  }

  find(fullName: string): Repository {
    const found = this.#world.repositories.find(repository => repository.fullName.toLowerCase() === fullName.toLowerCase());
    if (found === undefined) throw new Error(`no repository ${fullName}`);
    return found;
  }

  changeOf(fullName: string, number: number): Change {
    const found = this.find(fullName).changes.find(change => change.number === number);
    if (found === undefined) throw new Error(`no change ${number} in ${fullName}`);
    return found;
  }

  subject(fullName: string, number: number): Change | Issue {
    return this.find(fullName).issues.find(issue => issue.number === number) ?? this.changeOf(fullName, number);
  }

  #by(repository: Repository, login: string | undefined): Account {
    return login === undefined ? repository.owner : this.#world.account(login);
  }
}
