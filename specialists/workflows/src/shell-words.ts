/**
 * Splits shell text into commands and words, and tells which variables each word expands.
 * Single quotes and backslashes keep a variable from being expanded; double quotes do not.
 */

export interface Word {
  readonly text: string;
  /** Offset in the script. */
  readonly offset: number;
  /** Names of the variables that the shell expands in the word. */
  readonly expands: readonly string[];
}

/** More words than any script line that a person writes; the rest is not read. */
const MAX_WORDS = 5_000;
const SEPARATORS = new Set([';', '&', '|', '\n', '(', ')', '{', '}', '`']);
const NAME = /\$(?:\{[#!]?)?([A-Za-z_]\w*)/y;

interface Reader {
  readonly script: string;
  at: number;
  text: string;
  start: number;
  expands: string[];
  quote: '"' | "'" | undefined;
}

const readVariable = (reader: Reader): boolean => {
  NAME.lastIndex = reader.at;
  const match = NAME.exec(reader.script);
  if (match === null) return false;
  reader.expands.push(match[1] ?? '');
  const braced = match[0].startsWith('${') ? reader.script.indexOf('}', reader.at) : -1;
  const end = braced >= 0 ? braced + 1 : NAME.lastIndex;
  reader.text += reader.script.slice(reader.at, end);
  reader.at = end;
  return true;
};

/** A command in double quotes: what it prints stands there, not its variables. */
const skipCommand = (reader: Reader): boolean => {
  if (reader.script[reader.at + 1] !== '(') return false;
  let open = 0;
  do {
    const character = reader.script[reader.at++];
    if (character === '(') open++;
    if (character === ')') open--;
  } while (reader.at < reader.script.length && (open > 0 || reader.script[reader.at - 1] === '$'));
  return true;
};

const readDollar = (reader: Reader): boolean => (reader.quote === '"' && skipCommand(reader)) || readVariable(reader);

const readCharacter = (reader: Reader): void => {
  const character = reader.script[reader.at] ?? '';
  if (reader.quote === undefined && (character === '"' || character === "'")) reader.quote = character;
  else if (character === reader.quote) reader.quote = undefined;
  else if (character === '\\' && reader.quote !== "'") {
    reader.text += reader.script[reader.at + 1] ?? '';
    reader.at++;
  } else if (character === '$' && reader.quote !== "'" && readDollar(reader)) return;
  else reader.text += character;
  reader.at++;
};

const readWord = (reader: Reader): Word => {
  reader.start = reader.at;
  reader.text = '';
  reader.expands = [];
  while (reader.at < reader.script.length) {
    const character = reader.script[reader.at] ?? '';
    if (reader.quote === undefined && (/\s/.test(character) || SEPARATORS.has(character))) break;
    readCharacter(reader);
  }
  return { text: reader.text, offset: reader.start, expands: [...new Set(reader.expands)] };
};

const skipComment = (reader: Reader): void => {
  const end = reader.script.indexOf('\n', reader.at);
  reader.at = end < 0 ? reader.script.length : end;
};

/** The commands of a script in order, each as its words. A line that is continued with a backslash is one line. */
export const shellCommands = (script: string): readonly (readonly Word[])[] => {
  const reader: Reader = { script: script.replaceAll('\\\n', '  '), at: 0, text: '', start: 0, expands: [], quote: undefined };
  const commands: Word[][] = [[]];
  for (let words = 0; reader.at < reader.script.length && words < MAX_WORDS; ) {
    const character = reader.script[reader.at] ?? '';
    if (SEPARATORS.has(character)) {
      commands.push([]);
      reader.at++;
    } else if (/\s/.test(character)) reader.at++;
    else if (character === '#') skipComment(reader);
    else {
      commands.at(-1)?.push(readWord(reader));
      words++;
    }
  }
  return commands.filter(command => command.length > 0);
};
