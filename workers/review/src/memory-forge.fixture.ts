/** A forge in memory for tests of what is posted. Arguments and results are held against the contract of each verb. */
import { type Actor, CAPABILITIES, type Thread, type Verb, type VerbArguments, type VerbResult } from '@weir/contract';
import type { AppError } from '@weir/kernel';
import type { ForgePort } from '@weir/ports';

export const WEIR: Actor = { id: '99', login: 'weir', kind: 'bot' };
const KIM: Actor = { id: '7', login: 'kim', kind: 'person' };
const AT = '2026-01-31T08:00:00.000Z';
export const HEAD = 'a1'.repeat(20);

type Given = Readonly<Record<string, never>>;
type Note = VerbResult<'comment.list'>['comments'][number];

export interface MemoryForge {
  readonly port: ForgePort;
  readonly asked: Verb[];
  readonly threads: Thread[];
  readonly notes: Note[];
  readonly checks: { readonly verb: Verb; readonly given: Readonly<Record<string, unknown>> }[];
  /** Each call of the verb fails so. */
  readonly failures: Map<Verb, AppError>;
  /** Lines that the forge itself refuses; `whole`: with the review around them. */
  readonly refused: { lines: readonly number[]; whole: boolean };
  head: string;
}

const DIFF = `diff --git a/src/app.ts b/src/app.ts
--- a/src/app.ts
+++ b/src/app.ts
@@ -1,30 +1,30 @@
${Array.from({ length: 30 }, (_, index) => ([4, 11, 19].includes(index) ? `-line ${index + 1}\n+line ${index + 1} changed\n` : ` line ${index + 1}\n`)).join('')}`;

export function memoryForge(unsupported: readonly Verb[] = [], multiLine = true): MemoryForge {
  let ids = 0;
  const forge = {
    asked: [],
    threads: [],
    notes: [],
    checks: [],
    failures: new Map(),
    refused: { lines: [], whole: false },
    head: HEAD,
  } as unknown as MemoryForge;
  const note = (body: string): Note => ({ id: `c${++ids}`, url: null, body, author: WEIR, createdAt: AT, updatedAt: null });
  const post = ({ path, side, line, body }: { path: string; side: 'new' | 'old'; line: number; body: string }) => {
    const first = note(body);
    const ref = { id: `t${ids}`, root: first.id, review: null, path, side, line };
    forge.threads.push({ ref, resolved: false, outdated: false, comments: [first] });
    return { id: first.id, thread: null, url: null, path, body };
  };
  const threadOf = ({ thread }: { thread: { id: string } }): Thread => forge.threads.find(({ ref }) => ref.id === thread.id) ?? raise();
  const check = (verb: Verb) => (given: Given) => {
    forge.checks.push({ verb, given });
    return verb === 'check.upsert' ? { id: 'check-1', url: null } : { context: given['context'], state: given['state'] };
  };
  const answers: Partial<Record<Verb, (given: never) => unknown>> = {
    'change.get': ({ change }: { change: number }) => ({
      ...{ id: '1', number: change, title: 'A change', body: '', url: 'https://forge.example/1', state: 'open', draft: false, author: KIM, labels: [] },
      head: { branch: 'feature', commit: forge.head, repository: null },
      base: { branch: 'main', commit: null, repository: null },
      ...{ mergeBase: null, mergeable: null, createdAt: AT, updatedAt: AT },
    }),
    'change.diff': () => ({ diff: DIFF }),
    'file.get': () => ({ text: Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('') }),
    'review.submit': ({ comments }: { comments: Parameters<typeof post>[0][] }) => {
      const isRefused = ({ line }: { line: number }) => forge.refused.lines.includes(line);
      if (forge.refused.whole && comments.some(isRefused)) throw forge.failures.get('review.submit') ?? raise();
      const failures = comments.flatMap((comment, index) => (isRefused(comment) ? [{ index, reason: 'not part of the diff' }] : []));
      return { id: 'r1', url: null, comments: comments.filter(comment => !isRefused(comment)).map(post), failures };
    },
    'review.comment.create': (comment: Parameters<typeof post>[0]) => {
      if (forge.refused.lines.includes(comment.line)) throw forge.failures.get('review.submit') ?? raise();
      return post(comment);
    },
    'thread.list': () => ({ threads: forge.threads }),
    'thread.reply': (given: { thread: { id: string }; body: string }) => {
      const reply = note(given.body);
      threadOf(given).comments.push(reply);
      return { id: reply.id, thread: null, url: null, path: null, body: given.body };
    },
    'thread.resolve': (given: { thread: { id: string } }) => {
      threadOf(given).resolved = true;
      return { resolved: true };
    },
    'comment.list': () => ({ comments: forge.notes }),
    'comment.create': ({ body }: { body: string }) => {
      forge.notes.push(note(body));
      return forge.notes.at(-1);
    },
    'comment.update': ({ comment, body }: { comment: string; body: string }) =>
      Object.assign(forge.notes.find(({ id }) => id === comment) ?? raise(), { body }),
    'checks.list': () => ({ checks: forge.checks.map(() => ({ id: 'check-1', name: 'weir/review', state: 'success', description: null, url: null })) }),
    'check.upsert': check('check.upsert'),
    'status.post': check('status.post'),
  };
  const ask = async <V extends Verb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> => {
    const given = CAPABILITIES[verb].arguments.parse(args);
    forge.asked.push(verb);
    const failure = forge.failures.get(verb);
    if (failure !== undefined && !forge.refused.whole) throw failure;
    return CAPABILITIES[verb].result.parse(structuredClone(answers[verb]?.(given as never))) as VerbResult<V>;
  };
  const dialect = { fold: true, hidden_marker: true, suggestion: 'block', max_body: 65_536, task_list: true, multi_line: multiLine, change_sign: '#' } as const;
  const port: ForgePort = {
    ...{ forge: 'memory', dialect, namesThreads: true, ask },
    supports: verb => answers[verb] !== undefined && !unsupported.includes(verb),
    forModel: async (_, value) => ({ text: '', value, dropped: 0 }),
  };
  return Object.assign(forge, { port });
}

function raise(): never {
  throw new Error('the test asks for what is not there');
}
