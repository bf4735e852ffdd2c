/** Text by a model, a repository or a stranger: shown, and nothing else. */
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Dialect,
  type InlineFacts,
  readMarker,
  readTicks,
  renderAnswer,
  renderCheck,
  renderDescription,
  renderInline,
  renderReply,
  renderSummary,
  type SummaryFacts,
} from './index.ts';

const folding: Dialect = { fold: true, hidden_marker: true, suggestion: 'block', max_body: 65_536, task_list: true, multi_line: true, change_sign: '#' };
const plain: Dialect = { ...folding, fold: false, hidden_marker: false, suggestion: 'none', task_list: false };

const inline: InlineFacts = {
  reviewId: 'ab'.repeat(16),
  round: 1,
  id: '1a',
  fingerprint: '5e'.repeat(32),
  severity: 'minor',
  title: 'T',
  message: '',
  evidence: [],
  suggestion: null,
  moved: null,
  whole: null,
};
const summary: SummaryFacts = {
  reviewId: 'ab'.repeat(16),
  round: 1,
  head: 'abcdef0',
  headline: 'H',
  open: [],
  closed: [],
  delta: null,
  reading: 'R',
  unread: [],
  notes: [],
  cost: null,
  page: null,
  attended: true,
  tasks: [],
};

const message = (text: string, dialect = folding): string => renderInline({ ...inline, message: text }, dialect).body;
/** What stands outside code and outside Weir's own mark. */
const prose = (body: string): string =>
  body
    .replace(/^<!-- weir:[^\n]+ -->/, '')
    .replace(/(^|\n)(`{3,})[^\n]*\n[^]*?\n\2(?=\n|$)/g, '')
    // A backslash takes a tick its meaning, and a backslash before it takes that back.
    .replace(/(?<!(?<!\\)(?:\\\\)*\\)(?<!`)(`+)(?!`)[^`\n](?:[^\n]*?[^`\n])??\1(?!`)/g, '');

test.each([
  ['a mention', 'ask @kim and @team/core', /@[\w{]/],
  ['a number of an issue', 'see #12, !34, GH-5, owner/repo#6', /[#!]\d|GH-\d/],
  ['objects of one forge', '~bug %"v1" $12 &3 ^alert#1 [vulnerability:1]', /[~%$^][\w"]|&amp;\d|\[\w/],
  ['a link', '[click](https://evil.example) <https://evil.example> https://evil.example www.evil.example', /(?<!\\)\]\(|:\/\/|www\.|<h/],
  ['a picture, as trackers use them', '![](https://evil.example/pixel.gif) <img src="https://evil.example/p.gif">', /!\[|<img/],
  ['HTML', '</details><script>alert(1)</script><a href="x">', /<(?!sub>|\/sub>)/],
  ['a comment that looks like a mark', '<!-- weir:1 summary abababababababab 9 - -->', /<!--/],
  ['emphasis', '**bold** _it_ ~~gone~~', /(?<!\\)(?:\*\*b|_it|~~)/],
])(`${verifies('REV-19')} %s in a message is text`, (_, text, alive) => {
  expect(prose(message(text)).replace('**suggestion (non-blocking): T**', '')).not.toMatch(alive);
});

test('what one forge takes for a command starts no line, in prose and in code', () => {
  const body = message('/merge\n  /close\n- /approve\n```\n/label ~x\n```\n/assign me');
  expect(body).not.toMatch(/^\s*\/\p{L}/mu);
  expect(body).toContain('\\/merge');
});

test('headings, lists, rules and quotes of a message are text', () => {
  const body = message('# big\n---\n===\n12. twelve\n> quoted\n+ plus');
  expect(body).toContain('\\# big');
  expect(body).toContain('\\---');
  expect(body).toContain('\\===');
  expect(body).toContain('12\\. twelve');
  expect(body).toContain('&gt; quoted');
});

test('invisible characters and those that turn text around are written out', () => {
  expect(message('a\u202eb\u0000')).toContain('a\\\\u{202e}b\\\\x0');
});

test(`${verifies('REV-18a')} a suggestion's fence is longer than any run of backticks inside`, () => {
  const facts = { replacement: '````\nx\n````', original: ['a'], side: 'new' as const, line: 3, endLine: 3 };
  expect(renderInline({ ...inline, suggestion: facts }, folding).body).toContain('`````suggestion\n````\nx\n````\n`````');
});

test.each([
  ['the old side', { side: 'old' as const }],
  ['lines that were not read', { original: null }],
  ['other lines than those of the comment', { line: 2 }],
  ['characters that nobody sees', { replacement: 'a\u202eb' }],
  ['what a forge would take for a command', { replacement: '```\n/merge' }],
])(`${verifies('REV-19')} a suggestion for %s is shown, not committable`, (_, changed) => {
  const facts = { replacement: 'x', original: ['a'], side: 'new' as const, line: 3, endLine: 3, ...changed };
  const { body } = renderInline({ ...inline, suggestion: facts }, folding);
  expect(body).not.toContain('suggestion\n');
  expect(body).toContain('```diff\n');
});

test(`${verifies('REV-19')} a suggestion for several lines needs a comment on several lines, or an offset within its bound`, () => {
  const facts = (lines: number) => ({ replacement: 'x', original: Array.from({ length: lines }, () => 'a'), side: 'new' as const, line: 1, endLine: lines });
  const shown = (lines: number, dialect: Dialect) => renderInline({ ...inline, suggestion: facts(lines) }, dialect).body;
  expect(shown(2, folding)).toContain('```suggestion\n');
  expect(shown(2, { ...folding, multi_line: false })).toContain('```diff\n');
  expect(shown(101, { ...folding, suggestion: 'offset-block', multi_line: false })).toContain('```suggestion:-100+0\n');
  expect(shown(102, { ...folding, suggestion: 'offset-block', multi_line: false })).toContain('```diff\n');
});

test(`${verifies('REV-14', 'REV-18a')} a body with no room says what it leaves out, and ends no fence or character in the middle`, () => {
  const { body, leftOut } = renderInline({ ...inline, message: `😀${'x'.repeat(5_000)}\n\`\`\`\n${'y'.repeat(900)}\n\`\`\`` }, { ...folding, max_body: 2_000 });
  expect(leftOut).toBeGreaterThan(0);
  expect(body).toContain(`Left out here: ${leftOut} parts`);
  expect(body.length).toBeLessThanOrEqual(2_000);
  expect(body).not.toMatch(/\p{Cs}/u);
  expect((body.match(/^```/gm) ?? []).length % 2).toBe(0);
  const long = message('z'.repeat(70_000));
  expect(long).toContain('The message goes on for 64000 characters');
});

test(`${verifies('REV-14')} rows that have no room are counted`, () => {
  const open = Array.from({ length: 400 }, (_, at) => ({
    id: `1${'a'.repeat(1 + (at % 3))}`,
    severity: 'major' as const,
    title: 'x'.repeat(100),
    path: 'a.ts',
    line: 1,
    url: null,
    unplaced: null,
  }));
  const { body, leftOut } = renderSummary({ ...summary, open }, { ...folding, max_body: 10_000 });
  expect(body.length).toBeLessThanOrEqual(10_000);
  expect((body.match(/▲/g) ?? []).length + leftOut).toBe(400);
});

test(`${verifies('REV-18')} a mark counts only where Weir puts it`, () => {
  const mark = 'weir:1 finding abababababababab 7 7a';
  expect(readMarker(`hello\n\`${mark}\``)).toEqual({ kind: 'finding', review: 'abababababababab', round: 7, finding: '7a', key: null });
  expect(readMarker(`<!-- ${mark} -->\r\nhello`)?.round).toBe(7);
  expect(readMarker(`hello <!-- ${mark} -->`)).toBeUndefined();
  expect(readMarker(`\`${mark}\`\nhello`)).toBeUndefined();
  expect(readMarker(message(`\`${mark}\``, plain))?.round).toBe(1);
  expect(readMarker(message(`<!-- ${mark} -->`))?.round).toBe(1);
});

test('a ticked box of a summary is read back by its key', () => {
  const { body } = renderSummary(
    {
      ...summary,
      tasks: [
        { key: 'rerun', text: 'run again' },
        { key: 'fix', text: 'fix this' },
      ],
    },
    folding,
  );
  expect(readTicks(body)).toEqual([]);
  expect(readTicks(body.replace('[ ] run', '[x] run'))).toEqual(['rerun']);
});

const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '@kim',
        '#1',
        '\n',
        '```',
        '``',
        '`',
        '[a](https://x.y)',
        '<img src=x>',
        '|',
        '\\',
        '<!--',
        '-->',
        '</details>',
        '/merge',
        '~~~',
        '    ',
        '\r',
        '😀',
        '$x$',
        ':tada:',
        'www.a.b',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ maxLength: 40 }),
    ),
    { maxLength: 60 },
  )
  .map(parts => parts.join(''));

const dialects = fc.record({
  fold: fc.boolean(),
  hidden_marker: fc.boolean(),
  suggestion: fc.constantFrom('block' as const, 'offset-block' as const, 'none' as const),
  max_body: fc.integer({ min: 500, max: 20_000 }),
  task_list: fc.boolean(),
  multi_line: fc.boolean(),
  change_sign: fc.constantFrom('#' as const, '!' as const),
});

test(`${verifies('REV-18', 'REV-18a', 'REV-19')} any text in any dialect: within the size, the mark found, well formed, nobody called`, () => {
  fc.assert(
    fc.property(nasty, nasty, dialects, (text, other, dialect) => {
      const suggestion = { replacement: other, original: [text], side: 'new' as const, line: 1, endLine: 1 };
      const unplaced = { message: other, reason: text };
      const bodies = [
        renderInline(
          { ...inline, title: text, message: other, suggestion, moved: text, evidence: [{ path: text, line: 1, note: other, url: `https://w.x/${text}` }] },
          dialect,
        ).body,
        renderSummary(
          {
            ...summary,
            headline: text,
            open: [{ id: '1a', severity: 'major', title: text, path: other, line: 1, url: other, unplaced }],
            notes: [text],
            reading: other,
            cost: text,
          },
          dialect,
        ).body,
        renderAnswer({ reviewId: inline.reviewId, round: 1, finding: '1a', key: 'c0'.repeat(16), prose: text, notes: [other] }, dialect).body,
        renderDescription({ reviewId: inline.reviewId, round: 1, head: 'abcdef0', prose: text, notes: [] }, dialect).body,
        renderReply({ reviewId: inline.reviewId, round: 1, finding: '1a', verdict: 'resolved', commit: 'abcdef0', reason: text, whole: text }, dialect).body,
      ];
      for (const body of bodies) {
        expect(body.length).toBeLessThanOrEqual(dialect.max_body);
        expect(readMarker(body)).toMatchObject({ review: 'ab'.repeat(8), round: 1 });
        const outside = prose(body);
        expect(outside).not.toMatch(/@[\w{]/);
        expect(outside).not.toMatch(/!\[|<(?!\/?sub>|\/?details>|\/?summary>)/);
      }
      const { description, summary: checked } = renderCheck(
        {
          change: 1,
          round: 1,
          head: 'abcdef0',
          headline: text,
          open: { blocker: 0, major: 0, minor: 0, note: 0 },
          reading: other,
          blockedBy: text,
          notes: [other],
          page: null,
        },
        dialect,
      );
      expect(description.length).toBeLessThanOrEqual(140);
      expect(checked.length).toBeLessThanOrEqual(dialect.max_body);
    }),
    { numRuns: 400 },
  );
});
