/**
 * Groups tokens into statements. The body of a routine belongs to the statement that creates it.
 * Knows `;`, the `DELIMITER` of the mysql client, `GO` of SQL Server, and goose's StatementBegin and StatementEnd.
 */
import { type SqlComment, type SqlToken, tokenizeSql } from './sql-token.ts';

export interface SqlStatement {
  readonly tokens: readonly SqlToken[];
  readonly line: number;
  readonly endLine: number;
  /** False when the text ends before the statement does. */
  readonly terminated: boolean;
}

export interface SqlScript {
  readonly statements: readonly SqlStatement[];
  readonly comments: readonly SqlComment[];
}

const ROUTINES = new Set(['FUNCTION', 'PROCEDURE', 'TRIGGER', 'EVENT', 'PACKAGE']);
/** How far into a statement the kind of a routine stands: `CREATE OR REPLACE DEFINER = a@b PROCEDURE`. */
const HEAD_TOKENS = 14;

const isRoutine = (tokens: readonly SqlToken[]): boolean =>
  (tokens[0]?.word === 'CREATE' || tokens[0]?.word === 'ALTER') && tokens.slice(1, HEAD_TOKENS).some(token => ROUTINES.has(token.word));

/** How a word changes the number of open blocks of a routine's body. `END IF` and the like end what BEGIN did not begin. */
function blockChange(word: string, next: string): number {
  if (word === 'BEGIN' || word === 'CASE') return 1;
  return word === 'END' && !/^(?:IF|LOOP|WHILE|REPEAT|CASE)$/.test(next) ? -1 : 0;
}

class Splitter {
  private readonly source: readonly SqlToken[];
  private readonly statements: SqlStatement[] = [];
  private open: SqlToken[] = [];
  private routine = false;
  /** BEGIN and CASE of a routine that have no END yet. */
  private blocks = 0;
  private delimiter = ';';

  constructor(source: readonly SqlToken[]) {
    this.source = source;
  }

  run(): readonly SqlStatement[] {
    for (let index = 0; index < this.source.length; index += 1) {
      const token = this.source[index];
      if (token === undefined) break;
      if (this.open.length === 0 && token.word === 'DELIMITER') index = this.setDelimiter(index);
      else if (this.isDelimiter(index)) {
        this.close(true);
        index += this.delimiter.length - 1;
      } else if (token.word === 'GO' && this.isAloneOnLine(index)) this.close(true);
      else this.add(token, this.source[index + 1]);
    }
    this.close(false);
    return this.statements;
  }

  private isAloneOnLine(index: number): boolean {
    const token = this.source[index];
    return this.source[index - 1]?.endLine !== token?.line && this.source[index + 1]?.line !== token?.line;
  }

  /** Reads the rest of the line as the new delimiter; answers the index of its last token. */
  private setDelimiter(index: number): number {
    const line = this.source[index]?.line;
    let last = index;
    while (this.source[last + 1]?.line === line && last - index < 4) last += 1;
    this.delimiter =
      this.source
        .slice(index + 1, last + 1)
        .map(token => token.text)
        .join('') || ';';
    return last;
  }

  private isDelimiter(index: number): boolean {
    if (this.source[index]?.text[0] !== this.delimiter[0] || this.source[index]?.kind !== 'symbol') return false;
    const next = this.source
      .slice(index, index + this.delimiter.length)
      .map(token => token.text)
      .join('');
    return next.startsWith(this.delimiter) && this.blocks <= 0;
  }

  private add(token: SqlToken, next: SqlToken | undefined): void {
    this.open.push(token);
    if (this.open.length <= HEAD_TOKENS) this.routine = isRoutine(this.open);
    if (this.routine && this.delimiter === ';') this.blocks += blockChange(token.word, next?.word ?? '');
  }

  private close(terminated: boolean): void {
    const first = this.open[0];
    const last = this.open.at(-1);
    if (first && last) this.statements.push({ tokens: this.open, line: first.line, endLine: last.endLine, terminated });
    this.open = [];
    this.routine = false;
    this.blocks = 0;
  }
}

/** Lines between goose's StatementBegin and StatementEnd hold one statement each, whatever semicolons say. */
function mergeFenced(statements: readonly SqlStatement[], comments: readonly SqlComment[]): readonly SqlStatement[] {
  const marks = comments.filter(comment => /^\+goose Statement(?:Begin|End)\b/i.test(comment.text));
  if (marks.length === 0) return statements;
  const merged: SqlStatement[] = [];
  let mark = 0;
  let mergedAt = 0;
  for (const statement of statements) {
    while ((marks[mark]?.line ?? Infinity) < statement.line) mark += 1;
    const inside = /begin/i.test(marks[mark - 1]?.text.slice(0, 24) ?? '');
    const before = merged.at(-1);
    if (inside && mergedAt === mark && before) merged[merged.length - 1] = { ...before, endLine: statement.endLine, terminated: statement.terminated };
    else merged.push(statement);
    mergedAt = inside ? mark : 0;
  }
  return merged;
}

/** Statements and comments of a text, with 1-based lines. */
export function parseSql(text: string, backslashEscapes: boolean): SqlScript {
  const { tokens, comments } = tokenizeSql(text, backslashEscapes);
  return { statements: mergeFenced(new Splitter(tokens).run(), comments), comments };
}
