/** Judges the statements of one part of a migration, in order, with what the whole part and the change say. */
import type { Dialect } from './dialect.ts';
import { beginsStatement, judgeStatement } from './judge-statement.ts';
import type { MigrationPart } from './migration.ts';
import { factsOf } from './script-facts.ts';
import type { SqlStatement } from './sql-statement.ts';
import { hasWords } from './token-reader.ts';
import type { Verdict } from './verdict.ts';

export interface ScriptVerdicts {
  readonly verdicts: readonly Verdict[];
  /** Statements that the edge of a hunk cuts; they are not judged. */
  readonly cut: readonly SqlStatement[];
}

/** Whether the hunk's edge cuts the statement: it does not begin like one, or the text ends before it does. */
const isCut = (statement: SqlStatement, index: number, { whole, firstLine }: MigrationPart): boolean =>
  !whole && (!statement.terminated || (index === 0 && firstLine > 1 && !beginsStatement(statement.tokens)));

const begins = ({ tokens }: SqlStatement): boolean => tokens[0]?.word === 'BEGIN' || hasWords(tokens.slice(0, 2), 'START TRANSACTION');
const ends = ({ tokens }: SqlStatement): boolean => /^(?:COMMIT|ROLLBACK|END)$/.test(tokens[0]?.word ?? '');

/** `elsewhere` are tables that earlier migrations of the change create. */
export function judgeScript(part: MigrationPart, dialect: Dialect, elsewhere: ReadonlySet<string>): ScriptVerdicts {
  const cut = new Set(part.statements.filter((statement, index) => isCut(statement, index, part)));
  const facts = factsOf(part.statements, elsewhere);
  let explicit = false;
  const verdicts = part.statements.flatMap((statement, index) => {
    if (begins(statement)) explicit = true;
    else if (ends(statement)) explicit = false;
    if (cut.has(statement)) return [];
    return judgeStatement(statement, { dialect, facts, index, transaction: explicit ? 'the script has begun one' : part.wrapped });
  });
  return { verdicts, cut: [...cut] };
}
