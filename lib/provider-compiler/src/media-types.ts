/**
 * Content types: which come first where an operation takes or gives several.
 */

/** Type and subtype in lower case, without parameters such as a charset. */
export const plainType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

export const isJsonType = (type: string): boolean => /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(plainType(type));

const RANKS: readonly RegExp[] = [
  /^application\/json$/,
  /^(?:application|text)\/(?:[\w.-]+\+)?json$/,
  /^multipart\/form-data$/,
  /^application\/x-www-form-urlencoded$/,
  /^text\/plain$/,
  /^text\//,
  /^application\/octet-stream$/,
  /^\*\/\*$/,
];

/** Small for the types that are preferred; the count of ranks for one that is not known. */
export const mediaRank = (type: string): number => {
  const rank = RANKS.findIndex(pattern => pattern.test(plainType(type)));
  return rank < 0 ? RANKS.length : rank;
};
