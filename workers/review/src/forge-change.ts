/**
 * A change on a forge as the panel reads one: its diff, and files at its head, its base and its target branch. Nothing is kept beyond
 * the round (REV-12).
 */
import type { Change } from '@weir/contract';
import { encodeLossless } from '@weir/diff';
import { AppError } from '@weir/kernel';
import { type ForgeDiff, readForgeDiff } from './forge-diff.ts';
import { generatedPaths } from './generated-paths.ts';
import type { PanelChange } from './read-change.ts';
import type { RoundReview, StageParts } from './stage.ts';

/** Files of one round that are read, and characters of all of them: each is a call of the forge, and kept until the round ends. */
const MAX_FILES = 500;
const MAX_CHARACTERS = 64_000_000;

const ATTRIBUTES_FILE = '.gitattributes';

export interface ForgeChangeInput {
  readonly review: RoundReview;
  /** As the forge has it now; its head is that of the round. */
  readonly change: Change;
  readonly sleep: StageParts['sleep'];
  readonly signal: AbortSignal;
}

type ReadFile = (path: string) => Promise<string | undefined>;

export function forgeChange(input: ForgeChangeInput): Required<Omit<PanelChange, 'diffAsText'>> {
  const { review, change, sleep, signal } = input;
  const reader = fileReader(input);
  const base = once(() => baseOf(input));
  const readTarget = reader(async () => change.base.branch);
  let read: ForgeDiff | undefined;
  const notes: string[] = [];
  return {
    kind: 'range',
    base: change.mergeBase ?? change.base.commit,
    head: review.round.head,
    label: `change ${change.number} of ${review.forge.repository.path.owner}/${review.forge.repository.path.name}`,
    title: change.title,
    branch: change.head.branch,
    author: change.author.login,
    labels: change.labels,
    diff: async function* (abort) {
      read = await readForgeDiff(review, sleep, abort);
      yield encodeLossless(read.diff);
    },
    unread: () => read?.unread ?? new Map<string, string>(),
    warnings: () => [...(read?.warnings ?? []), ...notes],
    readHead: reader(async () => review.round.head, change.head.repository),
    readBase: reader(base),
    readTarget,
    generated: async paths => {
      const { matches, unreadable } = generatedPaths((await readTarget(ATTRIBUTES_FILE)) ?? '');
      if (unreadable > 0) notes.push(`${ATTRIBUTES_FILE}: ${unreadable} patterns of generated files cannot be read; their files are reviewed.`);
      signal.throwIfAborted();
      return new Set(paths.filter(matches));
    },
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= work());
}

/** The commit that the diff starts from. Some answers name only the tip of the target branch, which has moved on since. */
async function baseOf({ review, change, signal }: ForgeChangeInput): Promise<string> {
  const { port, repository } = review.forge;
  const tip = change.base.commit;
  if (change.mergeBase !== null || tip === null || !port.supports('change.compare')) return change.mergeBase ?? tip ?? change.base.branch;
  const { mergeBase } = await port.ask('change.compare', { repository: repository.path, base: tip, head: review.round.head }, signal);
  return mergeBase ?? tip;
}

/**
 * Makes readers of files at a commit or branch, all under one bound. The head of a fork is looked for in the fork where the repository
 * does not have it. Readers throw AppError FORGE_BOUND_EXCEEDED beyond the bound, and what the forge throws.
 */
function fileReader({ review, signal }: ForgeChangeInput): (ref: () => Promise<string>, fork?: Change['head']['repository']) => ReadFile {
  const { port, repository } = review.forge;
  let files = 0;
  let characters = 0;

  const readFrom = async (place: { readonly owner: string; readonly name: string }, path: string, ref: string): Promise<string | undefined> => {
    if (++files > MAX_FILES || characters > MAX_CHARACTERS) {
      throw new AppError('FORGE_BOUND_EXCEEDED', `more than ${MAX_FILES} files, or ${MAX_CHARACTERS} characters of files, would be read for one round`);
    }
    try {
      const { text } = await port.ask('file.get', { repository: { owner: place.owner, name: place.name }, path, ref }, signal);
      characters += text.length;
      return text;
    } catch (error) {
      if (error instanceof AppError && error.code === 'FORGE_NOT_FOUND') return undefined;
      throw error;
    }
  };

  return (refOf, fork = null) => {
    const known = new Map<string, Promise<string | undefined>>();
    const elsewhere = fork !== null && (fork.owner !== repository.path.owner || fork.name !== repository.path.name) ? fork : null;
    const read = async (path: string): Promise<string | undefined> => {
      const ref = await refOf();
      const found = await readFrom(repository.path, path, ref);
      return found === undefined && elsewhere !== null ? readFrom(elsewhere, path, ref) : found;
    };
    return path => {
      const pending = known.get(path) ?? read(path);
      known.set(path, pending);
      return pending;
    };
  };
}
