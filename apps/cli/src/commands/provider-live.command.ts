/**
 * `weir provider verify <provider> --live`: asks a repository on the vendor's own server what the descriptor's reads bring
 * (PRV-26). An answer that the descriptor does not expect is drift. Nothing is written: no audit log is open.
 */
import { EXIT, type ExitCode, type Verb } from '@weir/contract';
import type { Provider, VerbOutcome } from '@weir/forge';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { writeJson, writeOut } from '../output.ts';
import { openProvider, readProvider } from '../provider/open-provider.ts';

export interface LiveRequest {
  readonly provider: string;
  /** `owner/name`; the last slash parts them. */
  readonly repository: string;
  readonly baseUrl: string | undefined;
  readonly json: boolean;
  readonly flags: Flags;
}

type State = 'as described' | 'unsupported' | 'drift' | 'not checked';

interface LiveRow {
  readonly verb: Verb;
  readonly state: State;
  readonly detail: string;
}

/** What the reads before have told; a read whose need is not known is not made. */
interface Known {
  readonly repository: { readonly owner: string; readonly name: string };
  me?: { readonly id: string; readonly login: string };
  branch?: string;
  change?: { readonly number: number; readonly base: string | null; readonly head: string };
  issue?: number;
}

interface Read {
  readonly verb: Verb;
  /** Undefined: there is nothing to ask about. */
  readonly args: (known: Known) => Readonly<Record<string, unknown>> | undefined;
  readonly learn?: (value: unknown, known: Known) => void;
}

const onChange = ({ repository, change }: Known) => (change === undefined ? undefined : { repository, change: change.number });
const inRepository = ({ repository }: Known) => ({ repository });

const READS: readonly Read[] = [
  { verb: 'account.whoami', args: () => ({}), learn: (value, known) => void (known.me = value as NonNullable<Known['me']>) },
  { verb: 'account.scopes', args: () => ({}) },
  { verb: 'repo.get', args: inRepository, learn: (value, known) => void (known.branch = (value as { defaultBranch: string }).defaultBranch) },
  { verb: 'account.permission', args: ({ repository, me }) => (me === undefined ? undefined : { repository, user: { id: me.id, login: me.login } }) },
  { verb: 'user.get', args: ({ me }) => (me === undefined ? undefined : { login: me.login }) },
  { verb: 'change.list', args: ({ repository }) => ({ repository, state: 'all' }), learn: learnChange },
  { verb: 'change.get', args: onChange, learn: (value, known) => void (known.change = ends(value as ChangeEnds)) },
  { verb: 'change.files', args: onChange },
  { verb: 'change.diff', args: onChange },
  { verb: 'change.approvals', args: onChange },
  { verb: 'change.compare', args: ({ repository, change }) => (change?.base == null ? undefined : { repository, base: change.base, head: change.head }) },
  { verb: 'checks.list', args: ({ repository, change }) => (change === undefined ? undefined : { repository, commit: change.head }) },
  { verb: 'comment.list', args: onChange },
  { verb: 'thread.list', args: onChange },
  { verb: 'issue.list', args: ({ repository }) => ({ repository, state: 'all' }), learn: learnIssue },
  { verb: 'issue.get', args: ({ repository, issue }) => (issue === undefined ? undefined : { repository, issue }) },
  { verb: 'issue.events', args: ({ repository, issue }) => (issue === undefined ? undefined : { repository, number: issue }) },
  { verb: 'milestone.list', args: inRepository },
  { verb: 'protection.get', args: ({ repository, branch }) => (branch === undefined ? undefined : { repository, branch }) },
  { verb: 'webhook.list', args: inRepository },
];

interface ChangeEnds {
  readonly number: number;
  readonly base: { readonly commit: string | null };
  readonly head: { readonly commit: string };
}

const ends = ({ number, base, head }: ChangeEnds): NonNullable<Known['change']> => ({ number, base: base.commit, head: head.commit });

function learnChange(value: unknown, known: Known): void {
  const [first] = (value as { changes: readonly ChangeEnds[] }).changes;
  if (first !== undefined) known.change = ends(first);
}

function learnIssue(value: unknown, known: Known): void {
  const [first] = (value as { issues: readonly { number: number }[] }).issues;
  if (first !== undefined) known.issue = first.number;
}

/** Failures that say that the vendor refuses what its description allows. */
const DRIFT: ReadonlySet<string> = new Set(['Unprocessable', 'Deprecated']);

function judged(verb: Verb, outcome: VerbOutcome<Verb>): LiveRow {
  if (outcome.ok) return { verb, state: 'as described', detail: '' };
  switch (outcome.kind) {
    case 'unsupported':
      return { verb, state: 'unsupported', detail: outcome.instead };
    case 'arguments':
      return { verb, state: 'not checked', detail: outcome.reason };
    case 'mapping':
      return { verb, state: 'drift', detail: `${outcome.place}: ${outcome.reason}` };
    case 'call':
      return { verb, state: DRIFT.has(outcome.failure.kind) ? 'drift' : 'not checked', detail: `${outcome.failure.kind}: ${outcome.failure.message}` };
  }
}

async function ask(provider: Provider, { verb, args, learn }: Read, known: Known, signal: AbortSignal): Promise<LiveRow> {
  const given = args(known);
  if (given === undefined) return { verb, state: 'not checked', detail: 'the repository has nothing to ask about' };
  const outcome = await provider.verb(verb, given, { signal, actor: 'cli', readOnly: true });
  if (outcome.ok) learn?.(outcome.value, known);
  return judged(verb, outcome);
}

function repositoryOf(text: string): Known['repository'] {
  const at = text.lastIndexOf('/');
  if (at <= 0 || at === text.length - 1) throw new AppError('USAGE', '--repository has to be owner/name');
  return { owner: text.slice(0, at), name: text.slice(at + 1) };
}

/** Exit code 1 for drift, 6 where a read could not be checked, 0 where all that is supported answers as described. */
export async function runProviderLive(request: LiveRequest, signal: AbortSignal): Promise<ExitCode> {
  const settings = loadSettings(await operatorSources(request.flags));
  const read = await readProvider(request.provider);
  if (read.files.descriptor.kind !== 'forge') throw new AppError('USAGE', `${request.provider} is no forge: it binds no verb to check`);
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins') });
  const provider = openProvider(read, { baseUrl: request.baseUrl, http });
  const known: Known = { repository: repositoryOf(request.repository) };
  const rows: LiveRow[] = [];
  const { unsupported } = read.files.descriptor;
  for (const one of READS) {
    const instead = unsupported[one.verb];
    const row = instead === undefined ? await ask(provider, one, known, signal) : ({ verb: one.verb, state: 'unsupported', detail: instead } as const);
    rows.push(row);
    if (!request.json) await writeOut(`${row.verb.padEnd(20)} ${row.state}${row.detail === '' ? '' : `: ${row.detail}`}\n`);
  }
  const count = (state: State): number => rows.filter(row => row.state === state).length;
  if (request.json) await writeJson({ provider: request.provider, reads: rows });
  else await writeOut(`${rows.length} reads: ${count('as described')} as described, ${count('drift')} drift, ${count('not checked')} not checked\n`);
  if (count('drift') > 0) return EXIT.findings;
  return count('not checked') > 0 ? EXIT.incomplete : EXIT.clean;
}
