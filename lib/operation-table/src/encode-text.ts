/**
 * Percent-encoding for each place of a URL. The texts have passed the check for lone surrogates.
 */

/** Everything but unreserved characters, so that a value never means anything to a path. */
export const encodeSegment = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, percent);

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Characters of a name that mean nothing to a query; brackets are among them. */
const PLAIN_NAME = /^[\w.~$[\]-]*$/;

/**
 * The name of a query parameter as the description has it: brackets stay (`not[labels]`, which servers and other clients
 * write so), all else that could end the name is encoded.
 */
export const encodeName = (name: string): string => (PLAIN_NAME.test(name) ? name : encodeURIComponent(name.replace(/\p{Surrogate}/gu, '')));
