/**
 * Finds `name = value` where the name says secret, in the notations of settings files, code, markup and command lines.
 * Every step is a sticky expression with bounded repetition.
 */
export interface Assignment {
  readonly name: string;
  readonly value: string;
  /** Offset of the value in the line. */
  readonly start: number;
}

const HINT =
  /passw(?:or)?d|passphrase|identified by|passwrd|pwd|secret|token|credential|(?:api|access|auth|private|account|encryption|encrypt|signing|master|storage|service|shared|license|app|application|primary|secondary|deploy|webhook|admin|session|jwt|hmac|crypto|cookie|root|bot)[-_. ]?key|(?:azure_?devops|ado|vsts|azdo)_?pat|aws_?sk/gi;
const NAME_CHARACTER = /[\w$.-]/;
const MAX_NAME = 80;

/** What may stand between the name and its value: a closing quote, a type, an operator, an opening quote. */
const BETWEEN =
  /\\?["'`]?\]?[ \t]{0,8}(?::?[ \t]{0,2}[&*]?(?:[A-Za-z][\w.]{0,30}(?:<[\w, ]{1,30}>|\[\])?)(?=[ \t]{0,4}=[ \t]{0,4}["'`])[ \t]{0,4})?(?<operator>:=|=>|\?\?=|\|\|=|\?=|={1,3}|\?\?|\|\||:|,|>|[ \t])[ \t]{0,24}(?:["']?value["']?[ \t]{0,4}[:=][ \t]{0,4})?/iy;
const QUOTED = /(?:[rbufLN@$]{0,2})(?<quote>\\?["'`])(?<value>[^"'`\\\s]{6,600})\k<quote>/y;
/** The literal behind a fallback: `process.env.X || 'value'`, `getenv("X", "value")`. */
const FALLBACK =
  /(?:process\.env[\w.[\]'"]{1,60}|os\.(?:environ\.get|getenv)\(["']\w{1,60}["']|getenv\(["']\w{1,60}["']|env\(["']\w{1,60}["'])[ \t]{0,4}(?:\|\||\?\?|,)[ \t]{0,4}/y;
const UNQUOTED = /[^\s"'`<>,;(){}[\]\\]{6,600}/y;
const BARE_END = /^(?:$|["'`\s,;<&}\]\\])/;

/** Grows the hint to the whole name. */
function nameAround(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  let first = start;
  let last = end;
  while (first > 0 && start - first < MAX_NAME && NAME_CHARACTER.test(text.charAt(first - 1))) first--;
  while (last < text.length && last - end < MAX_NAME && NAME_CHARACTER.test(text.charAt(last))) last++;
  return { start: first, end: last };
}

const sticky = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** True where a value needs no quotes in any file: query parameters, parts of a connection string, `X-…:` headers inside a string. */
const isInsideString = (text: string, nameStart: number, operator: string): boolean =>
  (operator === '=' && /[?&;]/.test(text.charAt(nameStart - 1))) || (operator === ':' && /^x-/i.test(text.slice(nameStart, nameStart + 2)));

function valueAt(text: string, at: number, bare: boolean): { readonly value: string; readonly start: number } | undefined {
  const from = at + (sticky(FALLBACK, text, at)?.[0].length ?? 0);
  const quoted = sticky(QUOTED, text, from);
  if (quoted !== null) {
    const value = quoted.groups?.value ?? '';
    return { value, start: from + quoted[0].indexOf(value) };
  }
  const plain = bare ? sticky(UNQUOTED, text, at) : null;
  if (plain === null || !BARE_END.test(text.slice(at + plain[0].length, at + plain[0].length + 1))) return undefined;
  const value = plain[0].split('&')[0] ?? '';
  return { value, start: at };
}

const NAME_LINE = /^[\s-]{0,80}["']?name["']?\s{0,4}[:=]\s{0,4}["']?(?<name>[\w.-]{1,80})["']?,?\s{0,80}$/;
const VALUE_LINE = /^[\s-]{0,80}["']?value["']?\s{0,4}[:=]/;
const TERRAFORM_NAME = /^\s{0,80}variable\s{1,8}"(?<name>[\w-]{1,80})"\s{0,8}\{\s{0,8}$/;
const TERRAFORM_VALUE = /^\s{0,80}default\s{0,8}=/;
/** A line that ends with its operator; the formatter has put the long value on the next one. */
const OPEN_LINE = /(?:^|[^\w$.-])(?<name>[\w$.-]{3,80})["'`]?\]?(?:\s{0,4}:\s{0,4}[\w.]{1,30})?\s{0,4}(?:=|:|=>)\s{0,4}\(?$/;
const QUOTED_LINE = /^\s{0,200}(?=["'`])/;
const MAX_OPEN_LINE = 300;

/** Pairs of lines of which the first names what the second sets. */
const PAIRS: readonly (readonly [first: RegExp, second: RegExp])[] = [
  [NAME_LINE, VALUE_LINE],
  [TERRAFORM_NAME, TERRAFORM_VALUE],
  [OPEN_LINE, QUOTED_LINE],
];

export interface NamedLine {
  readonly text: string;
  /** What has to be added to an offset in `text` to have it in the line itself. */
  readonly shift: number;
}

const TERRAFORM_ATTRIBUTE = /^\s{0,80}(?:type|description|sensitive|nullable|ephemeral)\s{0,8}=/;

/** The line that may name what the next one holds: this one, or the head of a Terraform variable above it. */
export const lineAbove = (above: string, text: string): string =>
  above.length <= MAX_OPEN_LINE && TERRAFORM_NAME.test(above) && TERRAFORM_ATTRIBUTE.test(text) ? above : text;

/** One line from two, where the name stands on the line above; other lines stay as they are. */
export function joinNamedValue(previous: string, text: string): NamedLine {
  if (previous.length > MAX_OPEN_LINE) return { text, shift: 0 };
  for (const [first, second] of PAIRS) {
    const value = second.exec(text)?.[0];
    const name = value === undefined ? undefined : first.exec(previous)?.groups?.name;
    if (value !== undefined && name !== undefined) return { text: `${name}:${text.slice(value.length)}`, shift: value.length - name.length - 1 };
  }
  return { text, shift: 0 };
}

/**
 * Assignments to secret-like names in one line.
 * @param bareValues true in files whose values need no quotes
 */
export function findAssignments(text: string, bareValues: boolean): Assignment[] {
  const assignments: Assignment[] = [];
  HINT.lastIndex = 0;
  for (let hit = HINT.exec(text); hit !== null; hit = HINT.exec(text)) {
    const name = nameAround(text, hit.index, hit.index + hit[0].length);
    const between = sticky(BETWEEN, text, name.end);
    HINT.lastIndex = name.end;
    const operator = between?.groups?.operator ?? '';
    const isText = operator === '>' && text.charAt(name.start - 1) !== '<';
    if (between === null || isText) continue;
    const found = valueAt(text, name.end + between[0].length, bareValues || operator === '>' || isInsideString(text, name.start, operator));
    if (found !== undefined) assignments.push({ name: text.slice(name.start, name.end), ...found });
  }
  return assignments;
}
