/**
 * One bare git repository in a temporary folder: what is behind a simulated repository.
 * Commits are made with git's own plumbing; diffs, merge bases and blobs are read from it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ChangedFile, readChangedFiles } from './changed-file.ts';
import { type GitRun, runGit } from './run-git.ts';

export type FileContent = string | Buffer | null | { readonly content: string | Buffer; readonly mode: '100644' | '100755' | '120000' };

export interface CommitPlan {
  readonly parents: readonly string[];
  /** Path to new content; null deletes. */
  readonly files?: Readonly<Record<string, FileContent>>;
  /** Moves a path before `files` is applied. */
  readonly renames?: readonly (readonly [from: string, to: string])[];
  readonly message: string;
  readonly author?: { readonly name: string; readonly email: string };
  readonly at: Date;
}

export interface GitCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string; readonly date: string };
  readonly message: string;
}

export interface TreeEntry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha: string;
  readonly size: number | null;
  readonly path: string;
}

const FULL_CONTEXT = 1_000_000;
const RENAMES = ['-M', '-l0'];

export class GitStore {
  readonly directory: string;
  readonly #bases = new Map<string, Promise<string | undefined>>();
  readonly #files = new Map<string, Promise<readonly ChangedFile[]>>();

  constructor(directory: string) {
    this.directory = directory;
  }

  static async create(defaultBranch: string): Promise<GitStore> {
    const store = new GitStore(await mkdtemp(path.join(tmpdir(), 'weir-forge-')));
    await store.#git(['init', '--bare', '--quiet', `--initial-branch=${defaultBranch}`, store.directory]);
    return store;
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  async #git(words: readonly string[], run?: GitRun): Promise<Buffer> {
    return (await runGit(this.directory, words, run)).stdout;
  }

  async #line(words: readonly string[], run?: GitRun): Promise<string> {
    return (await this.#git(words, run)).toString().trim();
  }

  async commit(plan: CommitPlan): Promise<string> {
    const index = path.join(this.directory, `index-${Math.random().toString(36).slice(2)}`);
    const env = { GIT_INDEX_FILE: index };
    const [parent] = plan.parents;
    await this.#git(parent === undefined ? ['read-tree', '--empty'] : ['read-tree', parent], { env });
    const rows = [...(await this.#renameRows(plan)), ...(await this.#contentRows(plan.files ?? {}))];
    await this.#git(['update-index', '-z', '--index-info'], { env, input: rows.join('') });
    const tree = await this.#line(['write-tree'], { env });
    await rm(index, { force: true });
    return this.commitTree(tree, plan);
  }

  commitTree(tree: string, plan: Omit<CommitPlan, 'files' | 'renames'>): Promise<string> {
    const date = `${Math.floor(plan.at.getTime() / 1000)} +0000`;
    const author = plan.author ?? { name: 'Simulator', email: 'simulator@example.invalid' };
    const env = { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return this.#line(['commit-tree', tree, ...plan.parents.flatMap(parent => ['-p', parent])], { env, input: plan.message });
  }

  async #renameRows(plan: CommitPlan): Promise<readonly string[]> {
    const [parent] = plan.parents;
    const rows: string[] = [];
    for (const [from, to] of plan.renames ?? []) {
      const entry = parent === undefined ? undefined : (await this.tree(parent, from))[0];
      if (entry === undefined) throw new Error(`no file ${from} to rename`);
      rows.push(`0 ${'0'.repeat(40)}\t${from}\0`, `${entry.mode} ${entry.sha}\t${to}\0`);
    }
    return rows;
  }

  async #contentRows(files: Readonly<Record<string, FileContent>>): Promise<readonly string[]> {
    const given = Object.entries(files).map(([name, file]) => ({
      name,
      file: file === null || typeof file === 'string' || Buffer.isBuffer(file) ? { content: file, mode: '100644' } : file,
    }));
    const written = given.flatMap(({ file }) => (file.content === null ? [] : [file.content]));
    const shas = [...(await this.#writeBlobs(written))];
    return given.map(({ name, file }) => (file.content === null ? `0 ${'0'.repeat(40)}\t${name}\0` : `${file.mode} ${shas.shift() ?? ''}\t${name}\0`));
  }

  /** Many blobs in one process, in order. */
  async #writeBlobs(contents: readonly (string | Buffer)[]): Promise<readonly string[]> {
    if (contents.length < 3) return Promise.all(contents.map(content => this.writeBlob(content)));
    const parts = contents.flatMap((content, at) => {
      const bytes = Buffer.from(content);
      return [Buffer.from(`blob\nmark :${at + 1}\ndata ${bytes.length}\n`), bytes, Buffer.from(`\nget-mark :${at + 1}\n`)];
    });
    return (await this.#line(['fast-import', '--quiet', '--done'], { input: Buffer.concat([...parts, Buffer.from('done\n')]) })).split('\n');
  }

  writeBlob(content: string | Buffer): Promise<string> {
    return this.#line(['hash-object', '-w', '--stdin'], { input: content });
  }

  /** Builds a tree from entries laid over `base`; a null sha deletes. */
  async writeTree(base: string | null, entries: readonly { readonly path: string; readonly mode: string; readonly sha: string | null }[]): Promise<string> {
    const index = path.join(this.directory, `index-${Math.random().toString(36).slice(2)}`);
    const env = { GIT_INDEX_FILE: index };
    await this.#git(base === null ? ['read-tree', '--empty'] : ['read-tree', base], { env });
    const rows = entries.map(entry => `${entry.sha === null ? '0' : entry.mode} ${entry.sha ?? '0'.repeat(40)}\t${entry.path}\0`);
    await this.#git(['update-index', '-z', '--index-info'], { env, input: rows.join('') });
    const tree = await this.#line(['write-tree'], { env });
    await rm(index, { force: true });
    return tree;
  }

  async setBranch(name: string, sha: string): Promise<void> {
    await this.#git(['update-ref', `refs/heads/${name}`, sha]);
  }

  async deleteBranch(name: string): Promise<void> {
    await this.#git(['update-ref', '-d', `refs/heads/${name}`]);
  }

  async branches(): Promise<readonly { readonly name: string; readonly sha: string }[]> {
    const text = await this.#line(['for-each-ref', '--format=%(refname:strip=2) %(objectname)', 'refs/heads']);
    return text
      .split('\n')
      .filter(Boolean)
      .map(row => ({ name: row.slice(0, row.lastIndexOf(' ')), sha: row.slice(row.lastIndexOf(' ') + 1) }));
  }

  /** A branch's, tag's or commit's full id; undefined when there is none. Words that look like options are no names. */
  async resolve(name: string): Promise<string | undefined> {
    if (name === '' || name.startsWith('-') || /[\s~^:?*[\\]|\.\.|@\{/.test(name)) return undefined;
    const answer = await runGit(this.directory, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { accept: [1, 128] });
    return answer.code === 0 ? answer.stdout.toString().trim() : undefined;
  }

  /** Of two full ids, which is the same for ever. */
  mergeBase(one: string, other: string): Promise<string | undefined> {
    const key = `${one} ${other}`;
    const known = this.#bases.get(key);
    if (known !== undefined) return known;
    const read = runGit(this.directory, ['merge-base', one, other], { accept: [1] }).then(({ code, stdout }) =>
      code === 0 ? stdout.toString().trim() : undefined,
    );
    this.#bases.set(key, read);
    return read;
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    return (await runGit(this.directory, ['merge-base', '--is-ancestor', older, newer], { accept: [1] })).code === 0;
  }

  /** Unified diff text as git prints it, renames found. */
  async diffText(base: string, head: string): Promise<string> {
    return (await this.#git(['diff', ...RENAMES, base, head])).toString();
  }

  patchText(base: string, head: string): Promise<Buffer> {
    return this.#git(['format-patch', '--stdout', ...RENAMES, `${base}..${head}`]);
  }

  files(base: string, head: string): Promise<readonly ChangedFile[]> {
    return this.#read(base, head, 3);
  }

  /** As `files`, each hunk widened to the whole file: every unchanged line has its two numbers. */
  wholeFiles(base: string, head: string): Promise<readonly ChangedFile[]> {
    return this.#read(base, head, FULL_CONTEXT);
  }

  #read(base: string, head: string, context: number): Promise<readonly ChangedFile[]> {
    const key = `${base} ${head} ${context}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const read = Promise.all([
      this.#git(['diff', '--raw', '-z', '--no-abbrev', ...RENAMES, base, head]),
      this.#git(['diff', '--full-index', `-U${context}`, ...RENAMES, base, head]),
    ]).then(([raw, patch]) => readChangedFiles(raw.toString(), patch.toString()));
    this.#files.set(key, read);
    return read;
  }

  /** Entries at a path of a commit or tree; a folder's path must end in `/` to list what is in it. */
  async tree(commit: string, at: string, recursive = false): Promise<readonly TreeEntry[]> {
    const words = ['ls-tree', '-z', '-l', ...(recursive ? ['-r', '-t'] : []), commit, ...(at === '' ? [] : ['--', at])];
    const text = (await this.#git(words)).toString();
    return text
      .split('\0')
      .filter(Boolean)
      .map(row => {
        const tab = row.indexOf('\t');
        const [mode = '', type = 'blob', sha = '', size = '-'] = row.slice(0, tab).split(/ +/);
        return { mode, type: type as TreeEntry['type'], sha, size: size === '-' ? null : Number(size), path: row.slice(tab + 1) };
      });
  }

  async blob(sha: string): Promise<Buffer | undefined> {
    const answer = await runGit(this.directory, ['cat-file', 'blob', sha], { accept: [1, 128] });
    return answer.code === 0 ? answer.stdout : undefined;
  }

  async commitOf(sha: string): Promise<GitCommit> {
    const [commit] = await this.log(sha, 1);
    if (commit === undefined) throw new Error(`no commit ${sha}`);
    return commit;
  }

  /** Newest first. `range` is a commit or `base..head`. */
  async log(range: string, limit: number): Promise<readonly GitCommit[]> {
    const format = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%B'].join('%x00');
    const text = (await this.#git(['log', '-z', `--format=${format}%x01`, `-n${limit}`, range])).toString();
    return text.split('\x01').flatMap(record => {
      const fields = record.replace(/^\0/, '').split('\0');
      const [sha = '', tree = '', parents = '', name = '', email = '', date = '', ...message] = fields;
      if (sha.length < 40) return [];
      return [
        {
          sha,
          tree,
          parents: parents.split(' ').filter(Boolean),
          author: { name, email, date: new Date(date).toISOString().replace('.000', '') },
          message: message.join('\0').trimEnd(),
        },
      ];
    });
  }

  async count(range: string): Promise<number> {
    return Number(await this.#line(['rev-list', '--count', range]));
  }

  /** The merged tree, or undefined on a conflict. */
  async mergeTree(base: string, head: string): Promise<string | undefined> {
    const answer = await runGit(this.directory, ['merge-tree', '--write-tree', base, head], { accept: [1] });
    return answer.code === 0 ? answer.stdout.toString().split('\n')[0] : undefined;
  }

  archive(commit: string, format: 'tar.gz' | 'zip', prefix: string): Promise<Buffer> {
    return this.#git(['archive', `--format=${format}`, `--prefix=${prefix}/`, commit]);
  }
}
