/** The texts of earlier findings, which no row of the ledger holds: of Weir's from their rounds, of people's from what they wrote. */
import type { ArtifactStore } from '@weir/ports';
import type { FindingRow, ReviewPage } from '@weir/review';
import { readRoundContent } from './round-content.ts';
import type { StageReview } from './stage.ts';

export interface FindingText {
  readonly title: string;
  readonly message: string;
}

type Artifacts = Pick<ArtifactStore, 'get'>;
type Texts = ReadonlyMap<string, FindingText>;

/** Rounds whose texts are read for one summary or one reconcile call; older ones are named by their rule. */
const MAX_ROUNDS_READ = 50;
/** Findings of people whose texts are read for it, the newest. */
const MAX_PEOPLE_READ = 100;
/** Characters of a title: the first line of what a person wrote. */
const MAX_TITLE_CHARS = 120;

async function textsOfRounds(artifacts: Artifacts, { rounds }: Pick<ReviewPage, 'rounds'>, rows: readonly FindingRow[]): Promise<Texts> {
  const wanted = new Set(rows.map(({ round }) => round));
  const ids = rounds.flatMap(({ round, content }) => (content !== null && wanted.has(round) ? [content] : [])).slice(-MAX_ROUNDS_READ);
  const contents = await Promise.all(ids.map(id => readRoundContent(artifacts, id)));
  return new Map(contents.flatMap(content => content?.report.findings ?? []).map(({ id, title, message }) => [id, { title, message }]));
}

/** As the person wrote it, without those that are gone. */
async function writtenByPeople(artifacts: Artifacts, rows: readonly FindingRow[]) {
  const written = rows.flatMap(({ id, added }) => (added === null ? [] : [{ id, ...added }])).slice(-MAX_PEOPLE_READ);
  const kept = await Promise.all(written.map(async one => ({ ...one, text: (await artifacts.get(one.content))?.text })));
  return kept.flatMap(({ text, ...one }) => (text === undefined ? [] : [{ ...one, text }]));
}

/** The first line is the title; one that is too long is cut, and stands whole in the message. */
function inWords(text: string): FindingText {
  const whole = text.trim();
  const [line = ''] = whole.split('\n', 1);
  const letters = [...line];
  if (letters.length <= MAX_TITLE_CHARS) return { title: line, message: whole.slice(line.length).trim() };
  return { title: `${letters.slice(0, MAX_TITLE_CHARS).join('')}…`, message: whole };
}

/** By finding, for people. One whose text is gone is not in it. */
export async function earlierTexts(artifacts: Artifacts, page: Pick<ReviewPage, 'rounds'>, rows: readonly FindingRow[]): Promise<Texts> {
  const [texts, people] = await Promise.all([textsOfRounds(artifacts, page, rows), writtenByPeople(artifacts, rows)]);
  return new Map([...texts, ...people.map(({ id, text }) => [id, inWords(text)] as const)]);
}

/** By finding, for a model: a person's words as they are through the one door, without those that the provider's policy keeps from it (PRV-20). */
export async function textsForModel(
  artifacts: Artifacts,
  { page, forge }: Pick<StageReview, 'page' | 'forge'>,
  rows: readonly FindingRow[],
  signal: AbortSignal,
): Promise<Texts> {
  const [texts, people] = await Promise.all([textsOfRounds(artifacts, page, rows), writtenByPeople(artifacts, rows)]);
  if (people.length === 0) return texts;
  const comments = people.map(({ id, by, at, text }) => ({ id, url: null, body: text, author: by, createdAt: at, updatedAt: null }));
  const { value } = await forge.port.forModel('comment.list', { comments }, { repository: forge.repository.path }, signal);
  return new Map([...texts, ...(value?.comments ?? []).map(({ id, body }) => [id, inWords(body)] as const)]);
}
