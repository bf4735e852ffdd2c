/** Schemas of a round's status and stage (REV-11); their words are in `round-statuses.ts`. */
import { z } from 'zod';
import { ROUND_STATUSES, type RoundStatus as RoundStatusWord, STAGES, type Stage as StageWord } from './round-statuses.ts';

export { ROUND_STATUSES, roundStatusRow, STAGES } from './round-statuses.ts';

export type RoundStatus = RoundStatusWord;
export const RoundStatus: z.ZodType<RoundStatus> = z.enum(Object.keys(ROUND_STATUSES) as RoundStatus[]);

export type Stage = StageWord;
export const Stage: z.ZodType<Stage> = z.enum(STAGES);
