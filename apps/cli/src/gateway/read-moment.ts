/** Points in time as people give them: `30d`, `12h`, `45m` from now or back from now, or a date. */
import { AppError } from '@weir/kernel';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN = /^(\d{1,5})([mhd])$/;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Milliseconds of a span; undefined when the text is none. */
export function readSpan(text: string): number | undefined {
  const match = SPAN.exec(text);
  const unit = UNIT_MS[match?.[2] ?? ''];
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit;
}

/** @param direction 1: a span lies ahead of now. -1: it lies behind. Throws USAGE. */
export function readMoment(text: string, flag: string, { now, direction }: { readonly now: number; readonly direction: 1 | -1 }): number {
  const span = readSpan(text);
  if (span !== undefined) return now + direction * span;
  const moment = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) throw new AppError('USAGE', `${flag} is a span (30d, 12h, 45m) or a date (2027-01-31), not ${JSON.stringify(text.slice(0, 40))}`);
  return moment;
}
