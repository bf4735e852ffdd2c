/** Where a claim stands when it is asked for. */
export type PostingClaimState =
  /** Nobody has begun: post. */
  | { readonly state: 'claimed' }
  /** An earlier lease began and left no result: look at the forge first, then adopt or post (REV-18). */
  | { readonly state: 'taken_over' }
  /** Another holder has it now: stop. */
  | { readonly state: 'held' }
  | { readonly state: 'done'; readonly result: unknown };

/**
 * One row a forge call that must not be made twice (REV-18). The holder proves itself with the fence of its leased work: a higher fence
 * takes over, a lower one is refused. Throws the failures of SqlPort.
 */
export interface PostingClaims {
  claim(key: string, holder: { readonly reviewId: string; readonly fence: string }): Promise<PostingClaimState>;
  /** Keeps what was posted (ids, JSON). False, and nothing written, when a higher fence has it. */
  settle(key: string, fence: string, result: unknown): Promise<boolean>;
}
