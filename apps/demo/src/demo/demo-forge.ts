/** The simulated forge of the demonstration: who is there, what the changes become, and what a person sees. */
import { type Change, type Forge, type ForgeKind, startForge } from '@weir/forge-simulator';
import type { DemoChange, ForgeWays, SeenChange } from './demo-changes.ts';

export const REPOSITORY = 'acme/shop';
export const REVIEWER = 'weir-bot';
const AUTHOR = 'alice';
/** Milliseconds in which a round has to end. */
const ROUND_MS = 30_000;
const PAUSE_MS = 50;

const WAYS: Readonly<Record<ForgeKind, ForgeWays>> = {
  github: { resolves: true },
  gitlab: { resolves: true },
  gitea: { resolves: true },
  forgejo: { resolves: false },
  'bitbucket-cloud': { resolves: true },
};

export interface OpenedChange {
  readonly wanted: DemoChange;
  readonly number: number;
}

export async function openDemoForge(kind: ForgeKind): Promise<Forge> {
  const forge = await startForge({ kind });
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  for (const login of [AUTHOR, REVIEWER]) seed.account({ login });
  await seed.repository({ owner: 'acme', name: 'shop' });
  seed.permit(REPOSITORY, AUTHOR, 'write');
  seed.permit(REPOSITORY, REVIEWER, 'admin');
  await seed.push({ repository: REPOSITORY, branch: 'main', by: AUTHOR, files: { 'README.md': '# Shop\n' } });
  return forge;
}

/** Opens the change and waits for its first round; then somebody asks, and the author pushes, and the second round is waited for. */
export async function openChange(forge: Forge, wanted: DemoChange, signal: AbortSignal): Promise<OpenedChange> {
  const { branch, title, body, files } = wanted;
  const head = await forge.seed.push({ repository: REPOSITORY, branch, by: AUTHOR, files });
  const { number } = await forge.seed.change({ repository: REPOSITORY, head: branch, title, body, by: AUTHOR });
  await until(() => isReviewed(forge, head), `the review of "${title}"`, signal);
  return { wanted, number };
}

export async function followUp(forge: Forge, { wanted, number }: OpenedChange, signal: AbortSignal): Promise<void> {
  await ask(forge, { wanted, number }, signal);
  const head = await forge.seed.push({ repository: REPOSITORY, branch: wanted.branch, by: AUTHOR, files: wanted.followUp });
  await until(() => isReviewed(forge, head), `the second round of "${wanted.title}"`, signal);
}

async function ask(forge: Forge, { wanted: { reply, title }, number }: OpenedChange, signal: AbortSignal): Promise<void> {
  const [thread] = seenOf(forge, number).inline;
  const [root] = thread?.remarks ?? [];
  if (reply === undefined || root === undefined) return;
  const before = wordsOf(forge, number);
  forge.seed.reply(REPOSITORY, number, { to: root.id, body: reply, by: AUTHOR });
  await until(() => wordsOf(forge, number) > before, `the answer in "${title}"`, signal);
}

/** How often Weir has spoken at the lines. */
const wordsOf = (forge: Forge, number: number): number =>
  seenOf(forge, number)
    .inline.flatMap(({ remarks }) => remarks)
    .filter(({ author }) => author.login === REVIEWER).length;

/** Weir's check of a commit comes last. */
function isReviewed({ seed }: Forge, head: string): boolean {
  const { statuses, checks } = seed.find(REPOSITORY);
  return statuses.some(({ sha, state }) => sha === head && state !== 'pending') || checks.some(({ sha }) => sha === head);
}

async function until(holds: () => boolean, what: string, signal: AbortSignal): Promise<void> {
  const end = Date.now() + ROUND_MS;
  while (!holds()) {
    signal.throwIfAborted();
    if (Date.now() > end) throw new Error(`${what} did not come within ${ROUND_MS / 1_000} s.`);
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
  }
}

const SUMMARY = /\bRead: \d/;

export function seenOf({ seed, kind }: Forge, number: number): SeenChange {
  const change = seed.changeOf(REPOSITORY, number);
  const conversation = [...change.remarks, ...change.threads.filter(({ place }) => place === null).flatMap(({ remarks }) => remarks)];
  return {
    change,
    ways: WAYS[kind],
    inline: change.threads.filter(({ place }) => place !== null),
    summaries: conversation.filter(({ author, body }) => author.login === REVIEWER && SUMMARY.test(body)).map(({ body }) => body),
  };
}

/** Without what the forge hides. */
const shown = (body: string): readonly string[] =>
  body
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<\/?(?:details|summary|sub)>/g, '')
    .split('\n')
    .filter(line => line.trim() !== '');

/** The page of a change as a person sees it, a line each. */
export function pageOf(forge: Forge, number: number): readonly string[] {
  const { change, inline, summaries } = seenOf(forge, number);
  return [
    `#${number} ${change.title}: ${checkOf(forge, change)}`,
    ...summaries.flatMap(body => shown(body).map(line => `    ${line}`)),
    ...inline.flatMap(({ place, resolved, remarks }) => [
      `  ${place?.path}, line ${place?.newLine ?? place?.oldLine}${resolved ? ', resolved' : ''}`,
      ...remarks.flatMap(({ author, body }) => shown(body).map((line, at) => `    ${at === 0 ? `${author.login}: ` : '  '}${line}`)),
    ]),
  ];
}

function checkOf({ seed }: Forge, { headSha }: Change): string {
  const status = seed.find(REPOSITORY).statuses.findLast(({ sha }) => sha === headSha);
  return status === undefined ? 'checked' : `${status.context} ${status.state}, ${status.description ?? ''}`;
}
