/**
 * What the encrypted artifact of a round holds (REV-39): its report with all texts, and what is done in the threads of earlier
 * findings, with the reasons.
 */
import { ReviewReport, ReviewVerdict } from '@weir/contract';
import type { ArtifactStore } from '@weir/ports';
import type { FindingRow, ReviewPage, ThreadStep } from '@weir/review';
import { z } from 'zod';

export interface RoundContent {
  /** With the findings that are new, and a headline over everything open. */
  readonly report: ReviewReport;
  readonly steps: readonly ThreadStep[];
}

const RoundContent: z.ZodType<RoundContent> = z.object({
  report: ReviewReport,
  steps: z.array(z.object({ finding: z.string(), verdict: ReviewVerdict, reason: z.string(), reply: z.boolean(), resolve: z.boolean() })),
});

export const writeRoundContent = (content: RoundContent): string => JSON.stringify(content);

/** Undefined where it is gone. Throws the failures of the store; a text of another shape is a bug, and so is its ZodError. */
export async function readRoundContent(artifacts: Pick<ArtifactStore, 'get'>, id: string): Promise<RoundContent | undefined> {
  const artifact = await artifacts.get(id);
  return artifact === undefined ? undefined : RoundContent.parse(JSON.parse(artifact.text));
}

/** What a row of the ledger does not hold. */
export interface FindingText {
  readonly title: string;
  readonly message: string;
}

/** Rounds whose texts are read for one summary or one reconcile call; older ones are named by their rule. */
const MAX_ROUNDS_READ = 50;

/** Texts by finding, from the rounds that found them. A finding of a person has none here, and stands under its rule. */
export async function earlierTexts(
  artifacts: Pick<ArtifactStore, 'get'>,
  { rounds }: Pick<ReviewPage, 'rounds'>,
  rows: readonly FindingRow[],
): Promise<ReadonlyMap<string, FindingText>> {
  const wanted = new Set(rows.map(({ round }) => round));
  const ids = rounds.flatMap(({ round, content }) => (content !== null && wanted.has(round) ? [content] : [])).slice(-MAX_ROUNDS_READ);
  const contents = await Promise.all(ids.map(id => readRoundContent(artifacts, id)));
  const texts = contents.flatMap(content => content?.report.findings ?? []).map(({ id, title, message }) => [id, { title, message }] as const);
  return new Map(texts);
}
