/** Money as people read it. Millicents: a hundred-thousandth of a dollar. What is unknown is `unpriced`, never zero (PRO-2). */

const DOLLAR = 100_000;

const dollars = (millicents: number, places: number): string => {
  const [whole = '0', part = ''] = (Math.abs(millicents) / DOLLAR).toFixed(places).split('.');
  return `${millicents < 0 ? '−' : ''}$${whole.replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')}.${part}`;
};

/** Cents, and four places where cents would say nothing: `$0.44`, `$0.0031`. */
export function money(millicents: number | null): string {
  if (millicents === null) return 'unpriced';
  const small = millicents !== 0 && Math.abs(millicents) < DOLLAR / 100;
  return dollars(millicents, small ? 4 : 2);
}

/** A rate: millicents per million tokens as dollars per million. */
export const rate = (millicents: number | null): string => (millicents === null ? 'unknown' : dollars(millicents, millicents % 1000 === 0 ? 2 : 4));
