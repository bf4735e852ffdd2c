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
  /passw(?:or)?d|passphrase|passwrd|pwd|secret|token|credential|(?:api|access|auth|private|account|encryption|encrypt|signing|master|storage|service|shared|license|app|application|primary|secondary|deploy|webhook|admin|session|jwt|hmac|crypto|cookie|root|bot)[-_. ]?key|(?:azure_?devops|ado|vsts|azdo)_?pat|aws_?sk/gi;
const NAME_CHARACTER = /[\w$.-]/;
const MAX_NAME = 80;

/** What may stand between the name and its value: a closing quote, a type, an operator, an opening quote. */
const BETWEEN =
  /\\?["'`]?\]?[ \t]{0,8}(?::?[ \t]{0,2}[&*]?(?:[A-Za-z][\w.]{0,30}(?:<[\w, ]{1,30}>|\[\])?)(?=[ \t]{0,4}=[ \t]{0,4}["'`])[ \t]{0,4})?(?<operator>:=|=>|\?\?=|\|\|=|\?=|={1,3}|:|,|>|[ \t])[ \t]{0,8}(?:["']?value["']?[ \t]{0,4}[:=][ \t]{0,4})?/iy;
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

/** True where a value needs no quotes in any file: query parameters and `X-…:` headers inside a string. */
const isInsideString = (text: string, nameStart: number, operator: string): boolean =>
  (operator === '=' && /[?&]/.test(text.charAt(nameStart - 1))) || (operator === ':' && /^x-/i.test(text.slice(nameStart, nameStart + 2)));

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

/** One line from the two of `- name: API_KEY` and `  value: …`; other lines stay as they are. */
export function joinNamedValue(previous: string, text: string): string {
  const value = VALUE_LINE.exec(text)?.[0];
  const name = value === undefined ? undefined : NAME_LINE.exec(previous)?.groups?.name;
  return value === undefined || name === undefined ? text : `${name}:${text.slice(value.length)}`;
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
