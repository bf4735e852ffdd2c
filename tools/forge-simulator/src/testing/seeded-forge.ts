/**
 * A forge with one repository and one change, and a bare client over fetch: what this package's tests start from.
 * `src/app.ts` has 60 lines; the change edits line 12, drops line 30, adds one after 45 and moves `old.ts` to `new.ts`.
 */
import { type Forge, type ForgeOptions, startForge } from '../start-forge.ts';

export const REPOSITORY = 'octo/demo';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests look at answers of many shapes; each assertion is the check.
  readonly body: Record<string, Json>;
}

export type Json = string & number & boolean & readonly Json[] & { readonly [name: string]: Json };

export interface Ask {
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SeededForge {
  readonly forge: Forge;
  readonly number: number;
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Reply>;
}

export const numbered = (count: number, edit: (line: string, number: number) => readonly string[] = line => [line]): string =>
  `${Array.from({ length: count }, (_, at) => edit(`line ${at + 1}`, at + 1))
    .flat()
    .join('\n')}\n`;

const editLine = (line: string, number: number): readonly string[] =>
  number === 12 ? ['line 12 changed'] : number === 30 ? [] : number === 45 ? [line, 'line added'] : [line];

export async function seedForge(options: ForgeOptions): Promise<SeededForge> {
  const forge = await startForge(options);
  const { seed } = forge;
  for (const login of ['octo', 'alice', 'reviewer', 'reader']) seed.account({ login });
  await seed.repository({ owner: 'octo', name: 'demo' });
  seed.permit(REPOSITORY, 'alice', 'write');
  seed.permit(REPOSITORY, 'reviewer', 'write');
  await seed.push({ repository: REPOSITORY, branch: 'main', files: { 'src/app.ts': numbered(60), 'old.ts': numbered(20) } });
  await seed.push({
    repository: REPOSITORY,
    branch: 'feature',
    files: {
      'src/app.ts': numbered(60, editLine),
      'new.ts': numbered(20, (line, at) => [at === 10 ? 'moved and changed' : line]),
      'old.ts': null,
      'added.ts': 'one\ntwo\n',
    },
    by: 'alice',
  });
  const change = await seed.change({ repository: REPOSITORY, head: 'feature', title: 'Change some lines', by: 'alice' });
  return { forge, number: change.number, ask: (method, path, ask) => send(forge, method, path, ask) };
}

async function send(forge: Forge, method: string, path: string, ask: Ask = {}): Promise<Reply> {
  const { as = 'reviewer', body, headers } = ask;
  const answer = await fetch(path.startsWith('http') ? path : `${forge.apiUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...credential(forge, as), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const parsed: unknown = /^application\/json/.test(answer.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : {};
  return { status: answer.status, headers: answer.headers, text, body: parsed as Reply['body'] };
}

function credential(forge: Forge, login: string): Readonly<Record<string, string>> {
  const version = forge.kind === 'github' ? { 'x-github-api-version': '2022-11-28' } : {};
  if (login === '') return version;
  const token = forge.token(login);
  if (forge.kind === 'gitlab') return { 'private-token': token };
  if (forge.kind === 'gitea' || forge.kind === 'forgejo') return { authorization: `token ${token}` };
  if (forge.kind === 'bitbucket-cloud') return { authorization: `Basic ${Buffer.from(`${login}:${token}`).toString('base64')}` };
  return { authorization: `Bearer ${token}`, ...version };
}
