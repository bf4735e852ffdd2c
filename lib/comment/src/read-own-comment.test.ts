/** What Weir prints reads back as what it said, whether the forge hides the mark or shows it. */
import { REVIEW_VERDICTS, SEVERITIES } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Dialect, type InlineFacts, readFindingText, readReplyVerdict, readSummaryComplete, renderInline, renderReply, renderSummary } from './index.ts';

const hiding: Dialect = { fold: true, hidden_marker: true, suggestion: 'block', max_body: 65_536, task_list: true, multi_line: true, change_sign: '#' };
const showing: Dialect = { ...hiding, fold: false, hidden_marker: false, suggestion: 'none', task_list: false };
const dialects = [hiding, showing];

const of = { reviewId: 'ab'.repeat(16), round: 2 };
const inline: InlineFacts = {
  ...of,
  ...{ id: '2a', fingerprint: '5e'.repeat(32), severity: 'major', title: 'T', message: '', evidence: [], suggestion: null, moved: null, whole: null },
};

test.each(SEVERITIES)(`${verifies('REV-20a')} a comment of severity %s reads back with its title and its message`, severity => {
  const title = 'Retry of `send` has no *ceiling* (see #12, @kim) <b>|';
  const message = 'It ends when the server does.\n- see `a\\_b`\n```ts\nconst a_b = "\\\\*";\n```';
  for (const dialect of dialects) {
    const read = readFindingText(renderInline({ ...inline, severity, title, message }, dialect).body);
    expect(read).toMatchObject({ severity, title });
    expect(read?.message).toContain('It ends when the server does.');
    expect(read?.message).toContain('- see `a\\_b`');
    expect(read?.message).toContain('const a_b = "\\\\*";');
  }
});

test(`${verifies('REV-20a')} a title without ticks reads back as it was, whatever signs it has`, () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'ab1 *_[]()<>&|~$@#!%^:/.\\-+='.split('')) });
  fc.assert(
    fc.property(word, word, (first, second) => {
      const title = `x${first} ${second}x`.replace(/\s+/g, ' ');
      for (const dialect of dialects) expect(readFindingText(renderInline({ ...inline, title }, dialect).body)?.title).toBe(title);
    }),
  );
});

test(`${verifies('REV-20a')} a reply reads back with its verdict`, () => {
  for (const dialect of dialects) {
    for (const verdict of REVIEW_VERDICTS) {
      if (verdict === 'unchanged') continue;
      const { body } = renderReply({ ...of, finding: '1a', verdict, commit: 'abcdef0123', reason: '**Resolved** at `abc`', whole: null }, dialect);
      expect(readReplyVerdict(body)).toBe(verdict);
    }
  }
});

test(`${verifies('REV-20a')} a summary says whether the change was read whole`, () => {
  const facts = { ...of, head: 'abcdef0', open: [], closed: [], delta: null, reading: 'R', unread: [], notes: [], cost: null, page: null, tasks: [] };
  for (const dialect of dialects) {
    const complete = (headline: string) => readSummaryComplete(renderSummary({ ...facts, headline, attended: false }, dialect).body);
    expect([complete('Not ready: 1 major.'), complete('Not ready: 1 major. Incomplete: 1 file not read.')]).toEqual([true, false]);
  }
});

test(`${verifies('REV-20a')} what is no comment of this kind, or was edited beyond recognition, reads as nothing`, () => {
  const { body } = renderInline(inline, hiding);
  const [mark] = body.split('\n');
  for (const text of ['', 'a remark', '**issue: T** · ▲ · `2a`', `${mark}\n\nanything`, `${mark}\n\n**issue: ** · ▲ · \`2a\``])
    expect(readFindingText(text)).toBeUndefined();
  for (const text of ['', body, '**Resolved** at `abc`']) expect(readReplyVerdict(text)).toBeUndefined();
  expect(readSummaryComplete(body)).toBe(false);
});
