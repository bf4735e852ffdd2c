/** GitHub: files and folders at a commit, branches, commits, git objects, archives. */
import type { GitCommit, TreeEntry } from '../git/git-store.ts';
import { type Answer, type Call, json, list, redirect, type RouteTable, text } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import { deleteBranch, pushBranch } from '../state/change-actions.ts';
import type { Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { invalid, need, nodeId, refuse } from './github-words.ts';
import { pageOf, repositoryUrl } from './print-account.ts';
import { printCommit, printFile } from './print-pull.ts';
import { diffAnswer, media } from './pull-routes.ts';

type Json = Record<string, unknown>;
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const COMMIT_FILES_LIMIT = 3000;
/** Above this size contents are only given raw. */
const CONTENT_LIMIT = 1024 * 1024;

export function contentRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  return {
    'GET /repos/{owner}/{repo}/contents/{path*}': guard('read', (call, repository) => contents(site, call, repository)),
    'PUT /repos/{owner}/{repo}/contents/{path*}': guard('write', (call, repository) => putContents(world, site, call, repository)),
    'GET /repos/{owner}/{repo}/branches': guard('read', async (_, repository) =>
      list((await repository.git.branches()).map(one => printBranch(site, repository, one))),
    ),
    'GET /repos/{owner}/{repo}/branches/{branch*}': guard('read', async (call, repository) => {
      const name = call.params['branch'] ?? '';
      const sha = await repository.git.resolve(`refs/heads/${name}`);
      if (sha === undefined) return refuse(404, 'Branch not found');
      const protection = repository.protections.has(name);
      return json({
        ...printBranch(site, repository, { name, sha }),
        commit: printCommit(site, repository, await repository.git.commitOf(sha)),
        protected: protection,
        _links: { self: `${repositoryUrl(site, repository)}/branches/${name}`, html: `${pageOf(site, repository)}/tree/${name}` },
        protection: { enabled: protection, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
        protection_url: `${repositoryUrl(site, repository)}/branches/${name}/protection`,
      });
    }),
    'GET /repos/{owner}/{repo}/commits': guard('read', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.query.get('sha') ?? repository.defaultBranch));
      return list((await repository.git.log(sha, 1000)).map(commit => printCommit(site, repository, commit)));
    }),
    'GET /repos/{owner}/{repo}/commits/{ref*}': guard('read', (call, repository) => oneCommit(site, call, repository)),
    'GET /repos/{owner}/{repo}/tarball/{ref*}': guard('read', (call, repository) => archive(site, call, repository, 'tar.gz')),
    'GET /repos/{owner}/{repo}/zipball/{ref*}': guard('read', (call, repository) => archive(site, call, repository, 'zip')),
  };
}

const printBranch = (site: Site, repository: Repository, branch: { readonly name: string; readonly sha: string }): Json => ({
  name: branch.name,
  commit: { sha: branch.sha, url: `${repositoryUrl(site, repository)}/commits/${branch.sha}` },
  protected: repository.protections.has(branch.name),
});

async function contents(site: Site, call: Call, repository: Repository): Promise<Answer> {
  const path = (call.params['path'] ?? '').replace(/\/$/, '');
  const ref = call.query.get('ref') ?? repository.defaultBranch;
  const commit = await repository.git.resolve(ref);
  if (commit === undefined) return refuse(404, `No commit found for the ref ${ref}`);
  const [entry] = await repository.git.tree(commit, path);
  if (entry === undefined) return refuse(404, 'Not Found');
  if (entry.type === 'tree') return json((await repository.git.tree(commit, `${path}/`)).map(one => printEntry(site, repository, one, ref)));
  const bytes = need(await repository.git.blob(entry.sha));
  if (media(call) === 'raw') return text(bytes, 'application/vnd.github.raw+json; charset=utf-8');
  const large = bytes.length > CONTENT_LIMIT;
  return json({ ...printEntry(site, repository, entry, ref), content: large ? '' : base64(bytes), encoding: large ? 'none' : 'base64' });
}

/** Base64 in lines of 60, as GitHub prints it. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/.{60}/g, '$&\n').replace(/\n?$/, '\n');

function printEntry(site: Site, repository: Repository, entry: TreeEntry, ref: string): Json {
  const url = `${repositoryUrl(site, repository)}/contents/${entry.path}?ref=${ref}`;
  const kind = entry.mode === '120000' ? 'symlink' : entry.type === 'tree' ? 'dir' : entry.type === 'commit' ? 'submodule' : 'file';
  const git = `${repositoryUrl(site, repository)}/git/${kind === 'dir' ? 'trees' : 'blobs'}/${entry.sha}`;
  const page = `${pageOf(site, repository)}/${kind === 'dir' ? 'tree' : 'blob'}/${ref}/${entry.path}`;
  const download = kind === 'file' ? `${site.url}/raw/${repository.fullName}/${ref}/${entry.path}` : null;
  return {
    name: entry.path.split('/').pop(),
    path: entry.path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url,
    html_url: page,
    git_url: git,
    download_url: download,
    type: kind,
    _links: { self: url, git, html: page },
  };
}

async function putContents(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const path = call.params['path'] ?? '';
  const branch = call.fields.text('branch') ?? repository.defaultBranch;
  const parent = need(await repository.git.resolve(`refs/heads/${branch}`));
  const [known] = await repository.git.tree(parent, path);
  if (known !== undefined && call.fields.text('sha') === undefined) return refuse(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  if (known !== undefined && known.sha !== call.fields.text('sha')) return refuse(409, `${path} does not match ${known.sha}`);
  const sha = await repository.git.commit({
    parents: [parent],
    files: { [path]: Buffer.from(call.fields.text('content') ?? '', 'base64') },
    message: call.fields.text('message') ?? '',
    author: actor(call),
    at: world.now(),
  });
  await pushBranch(world, repository, branch, { sha, by: actor(call) });
  const [entry] = await repository.git.tree(sha, path);
  return json(
    { content: printEntry(site, repository, need(entry), branch), commit: printGitCommit(site, repository, await repository.git.commitOf(sha)) },
    known === undefined ? 201 : 200,
  );
}

async function oneCommit(site: Site, call: Call, repository: Repository): Promise<Answer> {
  const ref = call.params['ref'] ?? '';
  const sha = await repository.git.resolve(ref);
  if (sha === undefined) return refuse(422, `No commit found for SHA: ${ref}`);
  const commit = await repository.git.commitOf(sha);
  const base = commit.parents[0] ?? EMPTY_TREE;
  const kind = media(call);
  if (kind === 'diff' || kind === 'patch') return diffAnswer(repository, base, sha, kind);
  if (call.headers['accept']?.includes('sha') === true) return text(sha, 'application/vnd.github.sha; charset=utf-8');
  const files = (await repository.git.files(base, sha)).slice(0, COMMIT_FILES_LIMIT);
  const [additions, deletions] = [files.reduce((sum, file) => sum + file.additions, 0), files.reduce((sum, file) => sum + file.deletions, 0)];
  return list(
    files.map(file => printFile(site, repository, file, sha)),
    page => ({ ...printCommit(site, repository, commit), stats: { total: additions + deletions, additions, deletions }, files: page }),
  );
}

async function archive(site: Site, call: Call, repository: Repository, format: 'tar.gz' | 'zip'): Promise<Answer> {
  const sha = need(await repository.git.resolve(call.params['ref'] ?? ''));
  return redirect(`${site.downloadUrl}/${repository.fullName}/${format}/${sha}`);
}

export const printGitCommit = (site: Site, repository: Repository, commit: GitCommit): Json => ({
  sha: commit.sha,
  node_id: nodeId('C', commit.sha),
  url: `${repositoryUrl(site, repository)}/git/commits/${commit.sha}`,
  html_url: `${pageOf(site, repository)}/commit/${commit.sha}`,
  author: commit.author,
  committer: commit.author,
  tree: { sha: commit.tree, url: `${repositoryUrl(site, repository)}/git/trees/${commit.tree}` },
  message: commit.message,
  parents: commit.parents.map(sha => ({
    sha,
    url: `${repositoryUrl(site, repository)}/git/commits/${sha}`,
    html_url: `${pageOf(site, repository)}/commit/${sha}`,
  })),
  verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
});

/** Blobs, trees, commits and refs: what a commit without a clone is made of. */
export function gitDataRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const GIT = '/repos/{owner}/{repo}/git';
  const printRef = (repository: Repository, name: string, sha: string): Json => ({
    ref: name,
    node_id: nodeId('REF', name),
    url: `${repositoryUrl(site, repository)}/git/${name}`,
    object: { sha, type: 'commit', url: `${repositoryUrl(site, repository)}/git/commits/${sha}` },
  });
  return {
    [`GET ${GIT}/blobs/{file_sha}`]: guard('read', async (call, repository) => {
      const sha = call.params['file_sha'] ?? '';
      const bytes = /^[0-9a-f]{40}$/.test(sha) ? need(await repository.git.blob(sha)) : need<Buffer>(undefined);
      if (media(call) === 'raw') return text(bytes, 'application/vnd.github.raw+json; charset=utf-8');
      return json({
        sha,
        node_id: nodeId('B', sha),
        size: bytes.length,
        url: `${repositoryUrl(site, repository)}/git/blobs/${sha}`,
        content: base64(bytes),
        encoding: 'base64',
      });
    }),
    [`POST ${GIT}/blobs`]: guard('write', async (call, repository) => {
      const sha = await repository.git.writeBlob(Buffer.from(call.fields.text('content') ?? '', call.fields.text('encoding') === 'base64' ? 'base64' : 'utf8'));
      return json({ sha, url: `${repositoryUrl(site, repository)}/git/blobs/${sha}` }, 201);
    }),
    [`GET ${GIT}/trees/{tree_sha*}`]: guard('read', async (call, repository) => {
      const commit = need(await repository.git.resolve(call.params['tree_sha'] ?? ''));
      const tree = await repository.git.tree(commit, '', call.query.has('recursive'));
      return json({
        sha: commit,
        url: `${repositoryUrl(site, repository)}/git/trees/${commit}`,
        tree: tree.map(one => ({ path: one.path, mode: one.mode, type: one.type, sha: one.sha, ...(one.size !== null && { size: one.size }) })),
        truncated: false,
      });
    }),
    [`POST ${GIT}/trees`]: guard('write', async (call, repository) => {
      const entries: { path: string; mode: string; sha: string | null }[] = [];
      for (const entry of call.fields.objects('tree')) {
        const content = entry.text('content');
        const sha = content !== undefined ? await repository.git.writeBlob(content) : (entry.text('sha') ?? null);
        entries.push({ path: entry.text('path') ?? '', mode: entry.text('mode') ?? '100644', sha });
      }
      const sha = await repository.git.writeTree(call.fields.text('base_tree') ?? null, entries);
      return json({ sha, url: `${repositoryUrl(site, repository)}/git/trees/${sha}`, tree: entries, truncated: false }, 201);
    }),
    [`GET ${GIT}/commits/{commit_sha*}`]: guard('read', async (call, repository) => {
      const sha = need(await repository.git.resolve(call.params['commit_sha'] ?? ''));
      return json(printGitCommit(site, repository, await repository.git.commitOf(sha)));
    }),
    [`POST ${GIT}/commits`]: guard('write', async (call, repository) => {
      const sha = await repository.git.commitTree(call.fields.text('tree') ?? '', {
        parents: call.fields.texts('parents') ?? [],
        message: call.fields.text('message') ?? '',
        author: actor(call),
        at: world.now(),
      });
      return json(printGitCommit(site, repository, await repository.git.commitOf(sha)), 201);
    }),
    [`GET ${GIT}/ref/{ref*}`]: guard('read', async (call, repository) => {
      const name = `refs/${call.params['ref']}`;
      return json(printRef(repository, name, need(await repository.git.resolve(name))));
    }),
    [`POST ${GIT}/refs`]: guard('write', async (call, repository) => {
      const name = call.fields.text('ref') ?? '';
      const sha = await repository.git.resolve(call.fields.text('sha') ?? '');
      if (!name.startsWith('refs/heads/')) return refuse(422, 'Reference name must start with refs/ and have at least two slashes');
      if (sha === undefined) return refuse(422, 'Object does not exist');
      if ((await repository.git.resolve(name)) !== undefined) return refuse(422, 'Reference already exists');
      await pushBranch(world, repository, name.slice('refs/heads/'.length), { sha, by: actor(call) });
      return json(printRef(repository, name, sha), 201);
    }),
    [`PATCH ${GIT}/refs/{ref*}`]: guard('write', async (call, repository) => {
      const name = `refs/${call.params['ref']}`;
      const was = await repository.git.resolve(name);
      const sha = await repository.git.resolve(call.fields.text('sha') ?? '');
      if (was === undefined) return refuse(422, 'Reference does not exist');
      if (sha === undefined) return invalid('Reference', [{ field: 'sha', code: 'invalid' }]);
      if (call.fields.flag('force') !== true && !(await repository.git.isAncestor(was, sha))) return refuse(422, 'Update is not a fast forward');
      await pushBranch(world, repository, name.slice('refs/heads/'.length), { sha, by: actor(call) });
      return json(printRef(repository, name, sha));
    }),
    [`DELETE ${GIT}/refs/{ref*}`]: guard('write', async (call, repository) => {
      const gone = await deleteBranch(world, repository, (call.params['ref'] ?? '').replace(/^heads\//, ''), actor(call));
      return gone ? { status: 204 } : refuse(422, 'Reference does not exist');
    }),
  };
}
