/**
 * How many tokens an answer may have, for the reservation alone (MOD-17): what bounds it upstream, so that the calls under way go over a
 * budget by no more than the last one's cost. The gateway adds no bound of its own to a request: that would change the answer.
 */
import type { ResolvedRoute } from '@weir/model-routes';
import type { ConvertedRequest } from '@weir/wire';

/** Fields of all protocols that bound an answer; a route's profile declares its maximum in `extra` by one of them. */
const BOUNDS = ['max_output_tokens', 'max_completion_tokens', 'max_tokens'] as const;
/** Where neither the request nor the route bounds the answer: then the error of this estimate is what calls under way may go over. */
const ASSUMED_TOKENS = 4_000;
/** Answers to one chat request (`n`); vendors take fewer. */
const MAX_CHOICES = 128;

/** `extra` never replaces what the request says, so the request is asked first. */
export function outputBound({ body }: Pick<ConvertedRequest, 'body'>, { profile }: Pick<ResolvedRoute, 'profile'>): number {
  const bounds = [body, profile.extra].flatMap(fields => BOUNDS.map(field => fields[field]));
  const tokens = bounds.find(isCount) ?? ASSUMED_TOKENS;
  const choices = body['n'];
  return tokens * (isCount(choices) ? Math.min(choices, MAX_CHOICES) : 1);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
