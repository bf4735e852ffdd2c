/** A failure as the dead letters keep it: for an unexpected one the stack, which says where; bounded, and without what a column refuses. */

const MAX_LENGTH = 4_000;

export function failureText(failure: unknown): string {
  const named = failure instanceof Error && 'code' in failure;
  const text = failure instanceof Error ? (named ? `${String(failure.code)}: ${failure.message}` : (failure.stack ?? failure.message)) : String(failure);
  return text.slice(0, MAX_LENGTH).replaceAll('\0', '\ufffd');
}
