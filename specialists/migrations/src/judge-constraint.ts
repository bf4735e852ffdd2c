/** Judges `ADD CONSTRAINT …` and its short forms: what PostgreSQL checks against all rows at once. */
import { LOCK_RULES } from './rules-locks.ts';
import type { SqlToken } from './sql-token.ts';
import { hasWords, shownName, TokenReader } from './token-reader.ts';
import { type AlterAction, mayBePostgres, postgresSeverity, type Verdict } from './verdict.ts';

/** Constraint, and the words that make it harmless. */
const KINDS: readonly { readonly words: string; readonly harmless: string; readonly effect: string }[] = [
  { words: 'FOREIGN KEY', harmless: 'NOT VALID', effect: 'every row is checked while writes to both tables wait' },
  { words: 'CHECK', harmless: 'NOT VALID', effect: 'every row is checked while nobody may read or write it' },
  { words: 'UNIQUE', harmless: 'USING INDEX', effect: 'an index is built while nobody may read or write it' },
  { words: 'PRIMARY KEY', harmless: 'USING INDEX', effect: 'an index is built while nobody may read or write it' },
  { words: 'EXCLUDE', harmless: 'USING INDEX', effect: 'an index is built while nobody may read or write it' },
];

export const constraintRemark = ({ table, tokens, view }: AlterAction, effect: string, place: readonly SqlToken[] = tokens): Verdict => ({
  rule: LOCK_RULES.constraintWithoutNotValid,
  tokens: place,
  message: `On PostgreSQL, for this constraint of ${shownName(table)}, ${effect}.`,
  needsContext: true,
  ...postgresSeverity(view),
});

/** Null when the action adds something other than a constraint. */
export function judgeConstraint(action: AlterAction): readonly Verdict[] | null {
  const reader = new TokenReader(action.tokens, 1);
  const named = reader.accept('CONSTRAINT');
  if (named) {
    reader.accept('IF', 'NOT', 'EXISTS');
    reader.name();
  }
  const kind = KINDS.find(({ words }) => reader.acceptOne(words));
  if (kind === undefined) return named || reader.acceptOne('INDEX', 'KEY', 'FULLTEXT', 'SPATIAL', 'PARTITION', 'VALUE') ? [] : null;
  if (!mayBePostgres(action.view) || hasWords(action.tokens, kind.harmless) || hasWords(action.tokens, 'NOT ENFORCED')) return [];
  return [constraintRemark(action, kind.effect)];
}
