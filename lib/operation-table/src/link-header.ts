/**
 * Parser of the Link header (RFC 8288, section 3), in one pass. A header that can't be read is an error, never "no links":
 * a walk that ends at it would pass for complete.
 */

export interface WebLink {
  /** As written; may be relative. */
  readonly target: string;
  /** Relation types in lower case. */
  readonly rels: readonly string[];
}

export type LinkHeader = { readonly ok: true; readonly links: readonly WebLink[] } | { readonly ok: false; readonly reason: string };

const MAX_HEADER_CHARACTERS = 16_384;
const MAX_LINKS = 64;
const MAX_LINK_PARAMETERS = 32;

const TARGET = /[ \t,]*<([^<>\s]*)>[ \t]*/y;
const PARAMETER = /;[ \t]*(?:([\w!#$&+.^`|~*-]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",;<>]*))[ \t]*)?)?/y;

/** The links in their order. Those about another resource (`anchor`) are left out. */
export const parseLinkHeader = (header: string): LinkHeader => {
  if (header.length > MAX_HEADER_CHARACTERS) return { ok: false, reason: 'the Link header is too long' };
  const links: WebLink[] = [];
  let at = 0;
  while (/[^ \t,]/.test(header.slice(at))) {
    const target = matchAt(TARGET, header, at);
    if (target === undefined) return { ok: false, reason: `the Link header has no <target> at character ${at + 1}` };
    const read = readParameters(header, at + target[0].length);
    if (read === undefined) return { ok: false, reason: `the Link header is malformed after ${target[1]?.slice(0, 80)}` };
    if (links.length === MAX_LINKS) return { ok: false, reason: `the Link header has more than ${MAX_LINKS} links` };
    if (read.anchor === undefined)
      links.push({
        target: target[1] ?? '',
        rels: (read.rel ?? '')
          .toLowerCase()
          .split(/[ \t]+/)
          .filter(rel => rel !== ''),
      });
    at = read.end;
  }
  return { ok: true, links };
};

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

interface LinkParameters {
  rel?: string;
  anchor?: string;
  end: number;
}

/** Up to the comma or the end; the first `rel` counts. Undefined where something else follows. */
function readParameters(header: string, start: number): LinkParameters | undefined {
  const found: LinkParameters = { end: start };
  for (let count = 0; count < MAX_LINK_PARAMETERS; count += 1) {
    const parameter = matchAt(PARAMETER, header, found.end);
    if (parameter === undefined) break;
    found.end += parameter[0].length;
    keepParameter(found, parameter);
  }
  return found.end === header.length || header[found.end] === ',' ? found : undefined;
}

function keepParameter(found: LinkParameters, [, name = '', quoted, token = '']: RegExpExecArray): void {
  const value = quoted?.replace(/\\(.)/g, '$1') ?? token;
  const lower = name.toLowerCase();
  if (lower === 'rel') found.rel ??= value;
  if (lower === 'anchor') found.anchor ??= value;
}
