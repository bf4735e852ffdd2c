/**
 * How large a change may be to be reviewed (REV-31), checked when its diff arrives: by the review before its first paid call, and by
 * whoever lists what needs attention. Unset limits, and limits that cannot be read, are none.
 */

/** Null: unlimited. */
export interface ChangeLimits {
  readonly changedFiles: number | null;
  readonly diffBytes: number | null;
}

/** As the operator wrote them; null: unset. */
export type StoredChangeLimits = Readonly<Record<keyof ChangeLimits, string | null>>;

export interface ChangeSize {
  readonly changedFiles: number;
  readonly diffBytes: number;
}

export type ChangeSizeDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly code: 'change_too_large';
      /** For everybody: what was measured, not the limit. */
      readonly measurement: string;
      /** For an operator: names the limit too. */
      readonly operatorSentence: string;
    };

const AXES = [
  ['changedFiles', 'changed files'],
  ['diffBytes', 'bytes of diff'],
] as const satisfies readonly (readonly [keyof ChangeLimits, string])[];

const WHOLE_NUMBER = /^\d{1,15}$/;

/** @returns a sentence for each limit that cannot be read. */
export function readChangeLimits(stored: StoredChangeLimits): { readonly limits: ChangeLimits; readonly problems: readonly string[] } {
  const limitOf = (text: string | null): number | null => (text !== null && WHOLE_NUMBER.test(text) ? Number(text) : null);
  return {
    limits: { changedFiles: limitOf(stored.changedFiles), diffBytes: limitOf(stored.diffBytes) },
    problems: AXES.filter(([axis]) => stored[axis] !== null && limitOf(stored[axis]) === null).map(
      ([axis, what]) => `caps.${axis} cannot be read: the ${what} of a change have no limit. It is a whole number.`,
    ),
  };
}

/** A change of exactly the limit is reviewed. */
export function decideChangeSize(limits: ChangeLimits, size: ChangeSize): ChangeSizeDecision {
  for (const [axis, what] of AXES) {
    const limit = limits[axis];
    if (limit === null || size[axis] <= limit) continue;
    const measurement = `${size[axis]} ${what}`;
    return { allowed: false, code: 'change_too_large', measurement, operatorSentence: `The change has ${measurement}. The limit is ${limit}.` };
  }
  return { allowed: true };
}
