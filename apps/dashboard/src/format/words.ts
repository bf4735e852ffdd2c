/** Counts with their nouns, numbers with separators, and the first letter of a sentence. */

/** `1 blocker`, `2 blockers`; a noun whose plural is another word gives it. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** `is` or `are`, `needs` or `need`. */
export const agree = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const number = (value: number): string => String(value).replace(/\B(?=(?:\d{3}){1,6}$)/g, ',');

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The first seven digits of a commit, as forges show it. */
export const shortCommit = (commit: string): string => commit.slice(0, 7);
