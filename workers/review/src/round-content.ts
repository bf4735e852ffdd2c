/**
 * What the encrypted artifact of a round holds (REV-39): its report with all texts, and what is done in the threads of earlier
 * findings, with the reasons.
 */
import { ReviewReport, ReviewVerdict } from '@weir/contract';
import type { ArtifactStore } from '@weir/ports';
import type { ThreadStep } from '@weir/review';
import { z } from 'zod';

export interface RoundContent {
  /** With the findings that are new, and a headline over everything open. */
  readonly report: ReviewReport;
  readonly steps: readonly ThreadStep[];
  /** Absent where no model was asked, and in what an older version wrote. */
  readonly made?: MadeWith | undefined;
}

/** By what texts of ours and of the repository a round was made. Digests are sha256 of the text, hex. */
export interface MadeWith {
  readonly prompts: readonly { readonly specialist: string; readonly digest: string }[];
  /** As the target branch had them (REV-36). */
  readonly rules: readonly { readonly path: string; readonly digest: string }[];
}

const RoundContent: z.ZodType<RoundContent> = z.object({
  report: ReviewReport,
  steps: z.array(z.object({ finding: z.string(), verdict: ReviewVerdict, reason: z.string(), reply: z.boolean(), resolve: z.boolean() })),
  made: z
    .object({
      prompts: z.array(z.object({ specialist: z.string(), digest: z.string() })),
      rules: z.array(z.object({ path: z.string(), digest: z.string() })),
    })
    .optional(),
});

export const writeRoundContent = (content: RoundContent): string => JSON.stringify(content);

/** Undefined where it is gone. Throws the failures of the store; a text of another shape is a bug, and so is its ZodError. */
export async function readRoundContent(artifacts: Pick<ArtifactStore, 'get'>, id: string): Promise<RoundContent | undefined> {
  const artifact = await artifacts.get(id);
  return artifact === undefined ? undefined : RoundContent.parse(JSON.parse(artifact.text));
}
