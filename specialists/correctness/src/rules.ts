/**
 * The rules of the model's findings: one for each category, and one for those without a category.
 * They say what kind of remark it is; which remarks there are, the model judges.
 */
import type { Category } from '@weir/contract';
import type { Rule } from '@weir/specialist-kit';

const LIMITS =
  'A language model judges. It can miss a fault, and it can report one that is none; it sees the diff and what its prompt holds, not the whole repository. Two runs may differ.';

type Row = readonly [category: Category, severity: Rule['severity'], title: string, why: string, fix: string, bad: string, good: string];

const ROWS: readonly Row[] = [
  [
    'correctness',
    'blocker',
    'Code does something else than it should',
    'The result is wrong for some input, and callers rely on it.',
    'Handle the input that the finding names, and add a test for it.',
    'const last = items[items.length];',
    'const last = items.at(-1);',
  ],
  [
    'security',
    'blocker',
    'Input from outside reaches a place that trusts it',
    'Someone can read, change or run what is not theirs.',
    'Check or bind the input where it enters; check the permission before the work.',
    "db.query(`select * from users where name = '${name}'`);",
    "db.query('select * from users where name = $1', [name]);",
  ],
  [
    'performance',
    'major',
    'Work that grows with the input without a bound',
    'It is fast in a test and stalls with the data of a real user.',
    'Bound the work, batch the queries, or index what is looked up.',
    'for (const id of ids) await db.find(id);',
    'await db.findAll(ids);',
  ],
  [
    'reliability',
    'blocker',
    'A failure is lost or a resource stays open',
    'The next failure goes unnoticed, or the process runs out of handles, memory or time.',
    'Let the error reach someone who can act; release in a finally block; give waiting a deadline.',
    'try { await save(order); } catch {}',
    'await save(order);',
  ],
  [
    'compatibility',
    'blocker',
    'Callers, clients or stored data break',
    'What worked with the version before fails after the update.',
    'Keep the old form readable, or raise the version and describe the move.',
    'export function load(path: string, format: Format) {}',
    "export function load(path: string, format: Format = 'json') {}",
  ],
  [
    'data',
    'blocker',
    'Data is lost, overwritten or read in another form',
    'What is gone from the store does not come back.',
    'Write in one transaction, keep the old value until the new one is safe, and read what was written.',
    'await remove(old); await insert(fresh);',
    'await transaction(async t => { await t.insert(fresh); await t.remove(old); });',
  ],
  [
    'tests',
    'major',
    'A test proves less than it says',
    'The behaviour can break and the tests stay green.',
    'Assert the result that the title names, and see the test fail once.',
    "test('rejects bad input', () => { parse('x'); });",
    "test('rejects bad input', () => { expect(() => parse('x')).toThrow(); });",
  ],
  [
    'dependencies',
    'major',
    'A dependency is used in a way it does not support',
    'It fails with the installed version, or with the next one.',
    'Use the documented interface of the installed version.',
    "import { inner } from 'library/dist/internal.js';",
    "import { outer } from 'library';",
  ],
  [
    'ci',
    'blocker',
    'A build or release step does something else than it says',
    'A broken build passes, or a wrong artefact is published.',
    'Let the step fail when its command fails, and pin what it runs.',
    'npm test || true',
    'npm test',
  ],
  [
    'maintainability',
    'minor',
    'Code that misleads the next reader',
    'The next change is made on a wrong assumption.',
    'Say the truth in the name, the comment or the type; remove what is dead.',
    '// never null\nlet user: User | null = null;',
    'let user: User | null = null; // null until the session is read',
  ],
  [
    'documentation',
    'minor',
    'Documentation says something else than the code',
    'People follow it, and it does not work.',
    'Change the text together with the code.',
    '/** Seconds. */ const timeoutMs = 500;',
    '/** Milliseconds. */ const timeoutMs = 500;',
  ],
];

const categoryRules = ROWS.map(
  ([category, severity, title, why, fix, bad, good]): Rule => ({
    id: `correctness/${category}`,
    title,
    severity,
    category,
    why,
    fix,
    bad,
    good,
    limits: LIMITS,
    equivalent: [],
  }),
);

/** For a finding whose category is null. */
const generalRule: Rule = {
  id: 'correctness/general',
  title: 'A fault of no named category',
  severity: 'blocker',
  category: null,
  why: 'The message of the finding says what happens.',
  fix: 'Follow the message of the finding.',
  bad: "if (user.role = 'admin') allow();",
  good: "if (user.role === 'admin') allow();",
  limits: `${LIMITS} The model gave no category, or one that Weir does not have.`,
  equivalent: [],
};

export const rules: readonly Rule[] = [...categoryRules, generalRule];
