/** Names that a message lists; the rest is counted. */
const MAX_LISTED = 5;

/** `a, b and 3 more`. */
export const nameList = (names: readonly string[]): string => {
  const distinct = [...new Set(names)];
  const rest = distinct.length - MAX_LISTED;
  return rest > 0 ? `${distinct.slice(0, MAX_LISTED).join(', ')} and ${rest} more` : distinct.join(', ');
};
