/**
 * Globs of paths and patterns of text, matched in time proportional to the product of their lengths: a repository writes them, so
 * no pattern may stall a review. `*` and `?` stay within a folder's name, `**` crosses folders, `{a,b}` are alternatives.
 */

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one'; readonly not?: string }
  | { readonly kind: 'some' }
  | { readonly kind: 'all' }
  | { readonly kind: 'folders' };

/** Alternatives that the braces of one glob may open. */
const MAX_ALTERNATIVES = 64;

/** Opens the first braces, then those of each result; beyond the limit braces are plain text. */
export function openBraces(glob: string): readonly string[] {
  let open = [glob];
  for (;;) {
    const next = open.flatMap(each => {
      const match = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(each);
      return match ? (match[2] ?? '').split(',').map(choice => `${match[1]}${choice}${match[3]}`) : [each];
    });
    if (next.length > MAX_ALTERNATIVES || next.length === open.length) return next.length > MAX_ALTERNATIVES ? open : next;
    open = next;
  }
}

function tokensOf(glob: string, paths: boolean): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < glob.length; at++) {
    const rest = glob.slice(at, at + 3);
    if (paths && rest === '**/') {
      tokens.push({ kind: 'folders' });
      at += 2;
    } else if (rest.startsWith('**')) {
      tokens.push({ kind: 'all' });
      at += 1;
    } else if (glob[at] === '*') tokens.push({ kind: paths ? 'some' : 'all' });
    else if (glob[at] === '?') tokens.push(paths ? { kind: 'one', not: '/' } : { kind: 'one' });
    else tokens.push({ kind: 'text', text: glob[at] ?? '' });
  }
  return tokens;
}

/** Which tokens the text so far has led to. `inside`: within a folder's name that a `folders` token stands for. */
interface Reached {
  readonly at: boolean[];
  readonly inside: boolean[];
}

const MAY_BE_EMPTY: ReadonlySet<Token['kind']> = new Set(['some', 'all', 'folders']);

function skipEmpty(tokens: readonly Token[], reached: Reached): Reached {
  tokens.forEach((token, at) => {
    if (reached.at[at] && MAY_BE_EMPTY.has(token.kind)) reached.at[at + 1] = true;
  });
  return reached;
}

/** One more letter through any folders: a name is left only by its slash, and then the next one may begin. */
function stepFolders(at: number, letter: string, from: Reached, to: Reached): void {
  if (letter !== '/') {
    if (from.at[at] || from.inside[at]) to.inside[at] = true;
  } else if (from.inside[at]) to.at[at] = true;
}

const takes = (token: Token, letter: string): boolean => (token.kind === 'text' ? token.text === letter : token.kind === 'one' && letter !== token.not);

const repeats = (token: Token, letter: string): boolean => token.kind === 'all' || (token.kind === 'some' && letter !== '/');

/** One more letter through one token. */
function step(token: Token, at: number, letter: string, from: Reached, to: Reached): void {
  if (token.kind === 'folders') {
    stepFolders(at, letter, from, to);
  } else if (from.at[at]) {
    if (takes(token, letter)) to.at[at + 1] = true;
    if (repeats(token, letter)) to.at[at] = true;
  }
}

/** Follows all ways through the tokens at once. */
function fits(tokens: readonly Token[], text: string): boolean {
  let reached = skipEmpty(tokens, { at: [true], inside: [] });
  for (const letter of text) {
    const next: Reached = { at: [], inside: [] };
    tokens.forEach((token, at) => step(token, at, letter, reached, next));
    reached = skipEmpty(tokens, next);
  }
  return reached.at[tokens.length] === true;
}

/**
 * Compiles globs of paths as .gitignore means them: one without a slash fits a name in any folder, and one that fits a folder fits all
 * that is in it.
 */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const lists = globs.flatMap(glob => {
    const rooted = glob.replace(/\/$/, '').includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
    const bare = rooted.replace(/(?:\/\*\*|\/)$/, '');
    return [bare, `${bare}/**`].flatMap(openBraces).map(each => tokensOf(each, true));
  });
  return path => lists.some(tokens => fits(tokens, path));
}

/** Compiles patterns of any text: `*` for any text, `?` for one character. */
export function compilePatterns(patterns: readonly string[]): (text: string) => boolean {
  const lists = patterns.map(pattern => tokensOf(pattern.replace(/\*+/g, '*'), false));
  return text => lists.some(tokens => fits(tokens, text));
}
