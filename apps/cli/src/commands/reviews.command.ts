/** `weir reviews list | show | rerun | archive | restore`: what became of each change, and what an operator asks of it (REV-5, REV-28). */
import { EXIT, type ExitCode, type ReviewCommand, ROUND_STATUSES } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ReviewFilter } from '@weir/ports';
import type { PageRound, ReviewListRow } from '@weir/review';
import { type Options, textOf } from '../action.ts';
import type { Flags } from '../composition/load-settings.ts';
import { givenFlags } from '../flags.ts';
import { type OpenOperatorStores, withOperatorStores } from '../gateway/open-operator-stores.ts';
import { oneLine } from '@weir/report';
import { writeJson, writeOut } from '../output.ts';
import { rerunCommand } from '../server/rerun-command.ts';

const MAX_ROWS = 500;
/** Stands where a person's stable id would. */
const OPERATOR = 'operator';

function numberOf(options: Options, name: string, most: number): number | undefined {
  const text = textOf(options, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new AppError('USAGE', `--${name} is a whole number from 1 to ${most}`);
}

function filterOf(options: Options): ReviewFilter {
  const status = options['status'] as readonly string[] | undefined;
  const unknown = status?.find(word => !Object.hasOwn(ROUND_STATUSES, word));
  if (unknown !== undefined) throw new AppError('USAGE', `--status is one of ${Object.keys(ROUND_STATUSES).join(', ')}`);
  const [repository, change] = [textOf(options, 'repository'), numberOf(options, 'change', Number.MAX_SAFE_INTEGER)];
  return {
    archived: options['archived'] === true,
    ...(status === undefined ? {} : { status }),
    ...(repository === undefined ? {} : { repository }),
    ...(change === undefined ? {} : { change }),
  };
}

const nameOf = ({ coordinates, reviewId }: ReviewListRow): string =>
  coordinates === null ? reviewId : `${coordinates.repository.owner}/${coordinates.repository.name}#${coordinates.change}`;

function lineOf(row: ReviewListRow): string {
  const open = Object.entries(row.open).flatMap(([severity, count]) => (count === 0 ? [] : [`${count} ${severity}`]));
  const state = row.status === null ? 'nothing started' : `round ${row.round} ${ROUND_STATUSES[row.status].label}${row.code === null ? '' : ` (${row.code})`}`;
  const title = row.change === null ? '' : `  ${oneLine(row.change.title)}`;
  return `${row.reviewId.slice(0, 12)}  ${nameOf(row)}  ${state}; ${open.join(', ') || 'no open findings'}${row.archived ? '; archived' : ''}${title}`;
}

export async function runReviewsList(options: Options): Promise<ExitCode> {
  const filter = filterOf(options);
  const page = { limit: numberOf(options, 'limit', MAX_ROWS) ?? 50, after: textOf(options, 'after') ?? null };
  return withOperatorStores(givenFlags(options), async ({ stores }) => {
    const { rows, next } = await stores.views.list(filter, page);
    if (options['json'] === true) await writeJson({ reviews: rows.map(row => ({ ...row, ledger: undefined })), next });
    else {
      if (rows.length === 0) await writeOut('No reviews.\n');
      for (const row of rows) await writeOut(`${lineOf(row)}\n`);
      if (next !== null) await writeOut(`more: --after ${next}\n`);
    }
    return EXIT.clean;
  });
}

/** By its id, `owner/name#12`, or the start of its id among the newest. Throws USAGE. */
async function reviewNamed({ stores }: OpenOperatorStores, name: string): Promise<ReviewListRow> {
  const [, repository, change] = /^(.{1,500})#(\d{1,9})$/.exec(name) ?? [];
  const filter = repository === undefined ? {} : { repository, change: Number(change) };
  const whole = repository === undefined ? await stores.views.get(name) : undefined;
  if (whole !== undefined) return whole.row;
  const { rows } = await stores.views.list(filter, { limit: MAX_ROWS, after: null });
  const [row, ...more] = repository === undefined ? rows.filter(({ reviewId }) => name.length >= 6 && reviewId.startsWith(name)) : rows;
  if (row === undefined) throw new AppError('USAGE', `There is no review ${name}.`, { next: 'List them: weir reviews.' });
  if (more.length > 0) throw new AppError('USAGE', `Several reviews are called ${name}: name one by its id.`, { next: 'List them: weir reviews.' });
  return row;
}

function roundLines({ round, status, head, reason, headline, missing, reading }: PageRound): readonly string[] {
  const read = reading === null ? [] : [`read: ${reading.full} files whole, ${reading.partial} in part, ${reading.skipped} not`];
  const gaps = missing.map(({ source, reason: why }) => `missing: ${source} (${why})`);
  const said = [...(headline === null ? [] : [headline]), ...(reason === null ? [] : [reason])];
  return [`round ${round} at ${head.slice(0, 10)}: ${ROUND_STATUSES[status].label}`, ...[...said, ...read, ...gaps].map(line => `  ${line}`)];
}

export async function runReviewsShow(name: string, json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async open => {
    const row = await reviewNamed(open, name);
    const page = (await open.stores.views.get(row.reviewId))?.page;
    const timeline = await open.stores.reviews.timeline(row.reviewId);
    if (json) {
      await writeJson({ review: row, page, timeline });
      return EXIT.clean;
    }
    const url = row.change?.url ?? null;
    const rounds = (page?.rounds ?? []).flatMap(roundLines);
    const lines = [
      lineOf(row),
      `id ${row.reviewId}`,
      ...(url === null ? [] : [url]),
      '',
      ...rounds,
      '',
      ...timeline.map(({ at, sentence }) => `${at}  ${sentence}`),
    ];
    for (const line of lines) await writeOut(`${oneLine(line)}\n`);
    return EXIT.clean;
  });
}

/** Runs the command; a refusal is an answer of its own, with exit code 4. */
async function execute({ stores }: OpenOperatorStores, command: ReviewCommand, done: string): Promise<ExitCode> {
  const outcome = await stores.reviews.execute(command);
  if (outcome.outcome !== 'refused') {
    await writeOut(`${done}\n`);
    return EXIT.clean;
  }
  process.stderr.write(`refused (${outcome.code}): ${outcome.because}\n`);
  return EXIT.refused;
}

export async function runReviewsRerun(name: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async open => {
    const row = await reviewNamed(open, name);
    const command = rerunCommand(row, await open.stores.registry.repositories(), OPERATOR);
    return execute(open, command, `asked for another round of ${nameOf(row)} at ${command.head.slice(0, 10)}; a newer head is read instead`);
  });
}

export async function runReviewsArchive(name: string, verb: 'archive' | 'restore', flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async open => {
    const row = await reviewNamed(open, name);
    const type = verb === 'archive' ? 'ArchiveReview' : 'RestoreReview';
    return execute(open, { type, reviewId: row.reviewId, at: new Date().toISOString(), by: OPERATOR }, `${verb}d ${nameOf(row)}`);
  });
}
