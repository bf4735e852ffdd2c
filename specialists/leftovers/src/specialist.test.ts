import { type DiffFile, type DiffLine, type FileKind, pathOf } from '@weir/diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Finding } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { specialist } from './index.ts';

const LT = '<'.repeat(7);
const EQ = '='.repeat(7);
const GT = '>'.repeat(7);
const BAR = '|'.repeat(7);
const BLOCK = `${LT} HEAD\na = 1;\n${EQ}\na = 2;\n${GT} topic`;

/** A change of one file; each line begins with `+`, `-` or a space, as in a diff. */
function changed(path: string, lines: readonly string[], kind: FileKind = 'modified', start = 10): DiffFile {
  let old = start;
  let next = start;
  const parsed: DiffLine[] = lines.map(line => {
    const text = line.slice(1);
    if (line.startsWith('+')) return { kind: 'added', old: null, new: next++, text };
    if (line.startsWith('-')) return { kind: 'removed', old: old++, new: null, text };
    return { kind: 'context', old: old++, new: next++, text };
  });
  const hunk = { oldStart: start, oldLines: old - start, newStart: start, newLines: next - start, lines: parsed };
  return {
    oldPath: kind === 'added' ? null : path,
    newPath: path,
    kind,
    oldMode: null,
    newMode: null,
    binary: false,
    submodule: false,
    oldNoEol: false,
    newNoEol: false,
    hunks: lines.length > 0 ? [hunk] : [],
    problem: null,
  };
}
const added = (path: string, text: string): DiffFile =>
  changed(
    path,
    text.split('\n').map(line => `+${line}`),
    'added',
    1,
  );

const run = async (file: DiffFile, head?: string) => {
  const readHead = head === undefined ? {} : { readHead: (path: string) => Promise.resolve(path === pathOf(file) ? head : undefined) };
  const result = await specialist.review?.check?.({ files: [file], signal: { aborted: false }, ...readHead });
  for (const finding of result?.findings ?? []) Finding.parse(finding);
  return result?.findings ?? [];
};
const brief = async (file: DiffFile, head?: string) =>
  (await run(file, head)).map(found => `${found.rule.slice(10)} ${found.severity} ${found.line}-${found.endLine}`);

// path, text of an added file, expected `rule severity line-endLine` in order
type Case = readonly [path: string, text: string, ...expected: string[]];

const conflict: readonly Case[] = [
  ['src/a.ts', BLOCK, 'conflict-marker blocker 1-5'],
  ['src/a.ts', BLOCK.replaceAll('\n', '\r\n'), 'conflict-marker blocker 1-5'],
  ['src/a.py', `x = 1\n${LT} HEAD\na\n${BAR} 1a2b3c\nb\n${EQ}\nc\n${GT} feature/x (a subject, with commas)`, 'conflict-marker blocker 2-8'],
  ['config.yaml', BLOCK, 'conflict-marker blocker 1-5'],
  ['package.json', `{\n${LT} Updated upstream\n"a": 1\n${EQ}\n"a": 2\n${GT} Stashed changes\n}`, 'conflict-marker blocker 2-6'],
  ['README.md', BLOCK, 'conflict-marker blocker 1-5'],
  ['a.c', `${BLOCK}\n\n${BLOCK}`, 'conflict-marker blocker 1-5', 'conflict-marker blocker 7-11'],
  ['a.c', `x\n${EQ}\ny\n${GT} topic`, 'conflict-marker blocker 4-4'],
  ['a.c', `${LT} HEAD\nx`, 'conflict-marker blocker 1-1'],
  ['src/a.test.ts', BLOCK, 'conflict-marker blocker 1-5'],
  ['src/a.test.ts', `const text = \`\n${BLOCK}\`;`, 'conflict-marker minor 2-6'],
  ['src/theme.ts', `const css = \`\n${BLOCK}\n\`;`, 'conflict-marker major 2-6'],
  ['test/fixtures/data.json', BLOCK, 'conflict-marker minor 1-5'],
  ['docs/intro.md', `\`\`\`\n${BLOCK}\n\`\`\``, 'conflict-marker minor 2-6'],
  ['docs/merge-conflicts.md', `\`\`\`\n${BLOCK}\n\`\`\``],
  ['test/fixtures/conflict/in.txt', BLOCK],
  ['src/merge-file.test.ts', `const text = \`\n${BLOCK}\`;`],
  ['README.md', `Title\n${EQ}\ntext`],
  ['README.rst', `Install\n${EQ}\n\ntext\n${EQ}\n`],
  ['a.c', `/* ${EQ} */\n${EQ}\n`],
  ['mail.txt', `${GT} somebody wrote\n${GT} and more`],
  ['notes.md', `${LT} HEAD only a mention`],
  ['a.sh', `echo "${LT} HEAD"\n# ${GT} topic`],
  ['a.c', `${LT} banner ${GT}`],
  ['a.c', `${'<'.repeat(8)} HEAD\n${'='.repeat(8)}\n${'>'.repeat(8)} x`],
  ['a.diff', `+${LT} HEAD\n+a\n+${EQ}\n+b\n+${GT} x`],
];

const focused: readonly Case[] = [
  ...[
    "it.only('a', () => {});",
    'describe.only("a", () => {});',
    'test.only(`a`, async t => {});',
    "context.only('a', () => {});",
    "suite.only('a', () => {});",
  ].map((line): Case => ['src/a.test.ts', line, 'focused-test major 1-1']),
  ['src/a.spec.js', "it.only.each([1, 2])('a %d', () => {});", 'focused-test major 1-1'],
  ['src/a.spec.js', 'test.only.each`\n1\n`("x", () => {});', 'focused-test major 1-1'],
  ['src/a.spec.js', "it.concurrent.only('a', async () => {});", 'focused-test major 1-1'],
  ['e2e/login.ts', "test.describe.only('login', () => {});", 'focused-test major 1-1'],
  ['cypress/e2e/a.cy.js', "  it.only('a', () => {});", 'focused-test major 1-1'],
  ['test/ava.js', "test.serial.only('a', t => {});", 'focused-test major 1-1'],
  ['test/tap.js', "t.only('a', t => {});", 'focused-test major 1-1'],
  ['test/q.js', "QUnit.module.only('a', () => {});", 'focused-test major 1-1'],
  ['a_test.ts', "Deno.test.only('a', () => {});", 'focused-test major 1-1'],
  ['src/a.test.ts', "it['only']('a', () => {});", 'focused-test major 1-1'],
  ['src/a.spec.ts', "  fit('a', () => {});", 'focused-test major 1-1'],
  ['src/a.spec.ts', "fdescribe(\n  'a', () => {});", 'focused-test major 1-1'],
  ['src/a.spec.ts', "it('a', { only: true }, () => {});", 'focused-test major 1-1'],
  ['spec/a_spec.rb', "  fit 'adds' do\n  end", 'focused-test major 1-1'],
  ['spec/a_spec.rb', "describe 'x', focus: true do\nend", 'focused-test major 1-1'],
  ['spec/a_spec.rb', "it 'x', :focus do\nend", 'focused-test major 1-1'],
  ['test/a_test.rb', '  focus\n  def test_a; end', 'focused-test major 1-1'],
  ['pkg/a_test.go', '\tFIt("adds", func() {})', 'focused-test major 1-1'],
  ['pkg/a_test.go', 'var _ = FDescribe("x", func() {})', 'focused-test major 1-1'],
  ['pkg/a_test.go', '\tIt("adds", Focus, func() {})', 'focused-test major 1-1'],
  ['tests/Unit/ATest.php', "it('adds', function () {})->only();", 'focused-test major 1-1'],
  ['src/a.ts', "it.only('a', () => {});"],
  ['src/a.test.ts', "// it.only('a')"],
  ['src/a.test.ts', 'const text = "it.only(\'a\')";'],
  ['src/a.test.ts', "const text = `\nit.only('a', f)\n`;"],
  ['src/a.test.ts', '/*\nit.only("a", f)\n*/'],
  ['src/a.test.ts', 'const re = /it.only(/;'],
  ['src/a.test.ts', 'const options = { only: [] };\nrun({ only: true });'],
  ['src/a.test.ts', 'fit(curve, points);'],
  ['src/a.test.ts', 'const unit = model.fit("x");\nsuite.onlyOnce("a");\nit.only = 1;\nit.onlyIf(x)("a", f);'],
  ['test/test_model.py', 'model.fit(x, y)\nfit("x")'],
  ['spec/spec_helper.rb', 'config.filter_run_when_matching :focus\nconfig.filter_run focus: true'],
  ['src/a.test.tsx', "const a = <p>Don't it.only('x')</p>;"],
];

const skipped: readonly Case[] = [
  ['src/a.test.ts', "it.skip('a', () => {});", 'skipped-test minor 1-1'],
  ['src/a.test.ts', "describe.skip.each([1])('a', () => {});", 'skipped-test minor 1-1'],
  ['src/a.test.ts', "  xit('a', () => {});", 'skipped-test minor 1-1'],
  ['src/a.test.ts', "xdescribe('a', () => {});", 'skipped-test minor 1-1'],
  ['e2e/a.ts', "test.skip('a', async () => {});", 'skipped-test minor 1-1'],
  ['e2e/a.ts', "test.fixme('a', async () => {});", 'skipped-test minor 1-1'],
  ['src/a.test.ts', "test('a', { skip: true }, () => {});", 'skipped-test minor 1-1'],
  ['tests/test_a.py', '@pytest.mark.skip\ndef test_a(): pass', 'skipped-test minor 1-1'],
  ['tests/test_a.py', '    @pytest.mark.skip()\n    def test_a(self): pass', 'skipped-test minor 1-1'],
  ['tests/test_a.py', 'pytestmark = pytest.mark.skip', 'skipped-test minor 1-1'],
  ['src/test/java/ATest.java', '    @Disabled\n    void a() {}', 'skipped-test minor 1-1'],
  ['src/test/kotlin/ATest.kt', '@Ignore fun a() {}', 'skipped-test minor 1-1'],
  ['A.Tests/BTest.cs', '[Test, Ignore]', 'skipped-test minor 1-1'],
  ['a_test.go', 'func TestA(t *testing.T) {\n\tt.Skip()\n}', 'skipped-test minor 2-2'],
  ['a_test.go', '\tPIt("adds", func() {})', 'skipped-test minor 1-1'],
  ['src/lib.rs', '    #[test]\n    #[ignore]\n    fn a() {}', 'skipped-test minor 2-2'],
  ['spec/a_spec.rb', "  xit 'adds' do", 'skipped-test minor 1-1'],
  ['spec/a_spec.rb', '    skip', 'skipped-test minor 1-1'],
  ['tests/ATest.php', '        $this->markTestSkipped();', 'skipped-test minor 1-1'],
  ['src/a.test.ts', "it.skip('a', () => {}); // flaky on Windows"],
  ['src/a.test.ts', "// Off until refunds are back.\nit.skip('a', () => {});"],
  ['src/a.test.ts', "// eslint-disable-next-line jest/no-disabled-tests\nit.skip('a', () => {});", 'skipped-test minor 2-2'],
  ['src/a.test.ts', "it.skip('a', () => {}); // eslint-disable-line jest/no-disabled-tests", 'skipped-test minor 1-1'],
  ['e2e/a.ts', "test.skip(browserName === 'webkit', 'no clipboard');\ntest.skip(({ browserName }) => browserName === 'x');"],
  ['src/a.test.ts', "it.skipIf(isCI)('a', f);\nit.runIf(x)('a', f);\nreader.skip(4);\nit.todo('later');"],
  ['tests/test_a.py', "@pytest.mark.skip(reason='no server')\n@unittest.skip('later')\n@pytest.mark.skipif(sys.platform == 'x', reason='y')"],
  ['src/test/java/ATest.java', '@Disabled("waits for #3")\nvoid a() {}'],
  ['src/main/java/A.java', '@Ignore\nvoid a() {}'],
  ['a_test.go', 'func TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tt.Skip("no docker")\n}'],
  ['src/lib.rs', '#[ignore = "needs a GPU"]\nfn a() {}'],
];

const debug: readonly Case[] = [
  ['src/a.ts', '  debugger;', 'debug-statement major 1-1'],
  ['src/a.js', 'if (x) { debugger }', 'debug-statement major 1-1'],
  ['src/a.js', 'if (x) debugger;', 'debug-statement major 1-1'],
  ['app/a.py', '    breakpoint()', 'debug-statement major 1-1'],
  ['app/a.py', '    import pdb; pdb.set_trace()', 'debug-statement major 1-1'],
  ['app/a.py', 'ipdb.set_trace(context=5)', 'debug-statement major 1-1'],
  ['app/a.py', 'from IPython import embed; embed()', 'debug-statement major 1-1'],
  ['app/a.rb', '    binding.pry', 'debug-statement major 1-1'],
  ['app/a.rb', 'items.each { |i| binding.irb }', 'debug-statement major 1-1'],
  ['app/a.rb', '  byebug if x', 'debug-statement major 1-1'],
  ['app/A.php', '        dd($user);', 'debug-statement major 1-1'],
  ['app/A.php', '        var_dump($user);', 'debug-statement minor 1-1'],
  ['src/a.rs', '    let x = dbg!(y + 1);', 'debug-statement minor 1-1'],
  ['a.go', '\truntime.Breakpoint()', 'debug-statement major 1-1'],
  ['A.cs', '        Debugger.Break();', 'debug-statement major 1-1'],
  ['lib/a.ex', '    require IEx; IEx.pry', 'debug-statement major 1-1'],
  ['src/a.ts', "  console.log('here');", 'debug-statement note 1-1'],
  ['src/a.ts', "console.log('>>> user', user);", 'debug-statement note 1-1'],
  ['src/a.ts', "console.debug('XXX');", 'debug-statement note 1-1'],
  ['app/a.py', "print('got here 2')", 'debug-statement note 1-1'],
  ['e2e/a.ts', '  await page.pause();', 'debug-statement minor 1-1'],
  ['src/a.test.tsx', '  screen.debug();', 'debug-statement minor 1-1'],
  ['src/a.ts', "console.log('listening on', port);\nconsole.error(error);"],
  ['src/a.ts', "const a = { debugger: true };\nx.debugger;\nconst debugger_ = 1; // debugger;\nconst s = 'debugger;';"],
  ['src/a.tsx', '<p>\n  Open the debugger; then\n</p>'],
  ['app/a.py', '"""\nbreakpoint()\n"""\n# breakpoint()\nself.breakpoint()\nsys.breakpointhook()'],
  ['app/a.rb', '# binding.pry\nputs "binding.pry"\nfoo.binding.pryable\n<<~TEXT\n  byebug\nTEXT'],
  ['Gemfile.rb', "gem 'byebug'\ngem 'pry'"],
  ['app/A.php', 'function dd($x) {}\n// dd($x);\n$this->add($x);'],
  ['src/a.rs', '// dbg!(x)\nlet s = "dbg!(x)";\nmy_dbg!(x);'],
  ['A.cs', 'if (Debugger.IsAttached) Debugger.Break();'],
  ['src/a.ts', 'const text = `${ {a: 1}.a }\ndebugger;\n`;'],
  ['src/a.ts', 'const text = `${(() => {\ndebugger;\n})()}`;', 'debug-statement major 2-2'],
];

for (const [group, cases] of Object.entries({ conflict, focused, skipped, debug }))
  test.each(cases.map(([path, text, ...expected]) => ({ path, text, expected })))(
    `${verifies('SPEC-6')} ${group}: $path $text`,
    async ({ path, text, expected }) => {
      expect(await brief(added(path, text))).toEqual(expected);
    },
  );

test.each([
  ['src/a.ts.orig', 'merge-artifact minor 0-0'],
  ['a.rej', 'merge-artifact minor 0-0'],
  ['src/a_BACKUP_1234.ts', 'merge-artifact minor 0-0'],
  ['src/a.REMOTE.4021.ts', 'merge-artifact minor 0-0'],
  ['docs/.DS_Store', 'merge-artifact minor 0-0'],
  ['.server.ts.swp', 'merge-artifact minor 0-0'],
  ['src/a.ts~', 'merge-artifact minor 0-0'],
  ['test/fixtures/a.orig', undefined],
  ['src/origin.ts', undefined],
  ['src/LOCAL_STORAGE.ts', undefined],
  ['db/DATA_BASE.sql', undefined],
])(`${verifies('SPEC-6')} an added file %s`, async (path, expected) => {
  expect(await brief({ ...added(path, 'x'), binary: path.endsWith('DS_Store') })).toEqual(expected === undefined ? [] : [expected]);
  expect(await brief(changed(path, [' a', '+b']))).toEqual([]);
});

test(`${verifies('SPEC-6')} only added lines count`, async () => {
  expect(
    await brief(changed('src/a.test.ts', ["-it.only('a', f);", " it.only('b', f);", " it.skip('c', f);", ' debugger;', '+x.only();', '+console.log(1);'])),
  ).toEqual([]);
  expect(await brief(changed('src/a.ts', [` ${LT} HEAD`, ' a', ` ${EQ}`, '+b', ` ${GT} x`]))).toEqual([]);
});

test(`${verifies('SPEC-6')} a line that is moved or indented is not new, a second copy of it is`, async () => {
  const lines = ["-it.skip('a', f);", "+  it.skip('a', f);"];
  expect(await brief(changed('src/a.test.ts', lines))).toEqual([]);
  expect(await brief(changed('src/a.test.ts', [...lines, "+  it.skip('a', f);"]))).toEqual(['skipped-test minor 11-11']);
});

test(`${verifies('SPEC-6')} one conflict is one finding, and reaches over the lines that are not added`, async () => {
  const lines = [' x', `+${LT} HEAD`, ' a', `+${EQ}`, '+b', `+${GT} topic`, ' y'];
  expect(await brief(changed('src/a.ts', lines))).toEqual(['conflict-marker blocker 11-15']);
});

test(`${verifies('SPEC-6')} a conflict that leaves the hunk is put on the marker that is shown`, async () => {
  const head = `${LT} HEAD\n${'a\n'.repeat(20)}${EQ}\nb\n${GT} topic`;
  const file = changed('src/a.ts', [` ${EQ}`, ' b', `+${GT} topic`], 'modified', 22);
  expect(await brief(file, head)).toEqual(['conflict-marker blocker 24-24']);
  expect(await brief(file)).toEqual(['conflict-marker blocker 24-24']);
});

test(`${verifies('SPEC-6')} the whole file, where it is at hand, tells strings and comments apart`, async () => {
  const head = `const help = \`\n${'text\n'.repeat(10)}debugger;\n\`;\n`;
  const file = changed('src/a.ts', [' text', '+debugger;', ' `;'], 'modified', 11);
  expect(await brief(file, head)).toEqual([]);
  expect(await brief(file)).toEqual(['debug-statement major 12-12']);
  expect(await brief(file, 'another text')).toEqual(['debug-statement major 12-12']);
});

test(`${verifies('SPEC-6')} a hunk that begins inside a doc comment is read as a comment`, async () => {
  expect(await brief(changed('src/a.ts', ['  * Use it like this:', '+ debugger;', '  */', ' run();']))).toEqual([]);
  expect(await brief(changed('src/a.ts', [' run();', '+ debugger;', ' /** x */']))).toEqual(['debug-statement major 11-11']);
});

test(`${verifies('SPEC-6')} suggestions are given where the mend is certain`, async () => {
  const suggestion = async (path: string, line: string) => (await run(added(path, line)))[0]?.suggestion;
  expect(await suggestion('a.test.ts', "  it.only('a', f); // it.only")).toBe("  it('a', f); // it.only");
  expect(await suggestion('a.test.ts', "it.only.each([1])('a', f);")).toBe("it.each([1])('a', f);");
  expect(await suggestion('a.spec.ts', "  fdescribe('a', f);")).toBe("  describe('a', f);");
  expect(await suggestion('a_test.go', '\tFIt("a", f)')).toBe('\tIt("a", f)');
  expect(await suggestion('spec/a_spec.rb', "  fit 'a' do")).toBe("  it 'a' do");
  expect(await suggestion('a.ts', 'debugger;')).toBeNull();
});

test(`${verifies('SPEC-6')} a stopped check names the files that it did not read`, async () => {
  const result = await specialist.review?.check?.({ files: [added('src/a.ts', 'debugger;')], signal: { aborted: true } });
  expect(result).toEqual({ findings: [], partial: [{ path: 'src/a.ts', reason: 'the check for leftovers was stopped before this file' }] });
});

test(`${verifies('SPEC-6')} every rule is a full row, and its own examples behave as they say`, async () => {
  const paths: Record<string, string> = { 'debug-statement': 'a.py', 'merge-artifact': '', 'conflict-marker': 'a.js' };
  for (const rule of specialist.review?.rules ?? []) {
    const name = rule.id.slice('leftovers/'.length);
    const path = paths[name] ?? 'a.test.js';
    const bad = path === '' ? added(rule.bad, 'x') : added(path, rule.bad);
    const good = path === '' ? added(rule.good, 'x') : added(path, rule.good);
    expect((await run(bad)).map(found => found.rule)).toContain(rule.id);
    expect(await run(good)).toEqual([]);
    for (const field of [rule.title, rule.why, rule.fix, rule.limits]) expect(field.length).toBeGreaterThan(10);
  }
});

const fragment = fc.constantFrom(
  '"',
  "'",
  '`',
  '${',
  '}',
  '/*',
  '*/',
  '//',
  '#',
  '\\',
  '\n',
  '<<EOF',
  '"""',
  LT,
  EQ,
  GT,
  'it.only(',
  'debugger;',
  'skip',
  '/',
  '[',
  ']',
  ' ',
  'x',
  '\udc80',
);
const hostile = fc.array(fragment, { maxLength: 200 }).map(parts => parts.join(''));
const paths = fc.constantFrom('a.test.ts', 'a.py', 'a_spec.rb', 'a_test.go', 'a.rs', 'a.php', 'A.java', 'A.cs', 'a_test.exs', 'a.md', 'a');

test(`${verifies('SPEC-6')} no text makes it throw, and every finding is on an added line`, async () => {
  await fc.assert(
    fc.asyncProperty(paths, hostile, hostile, async (path, text, before) => {
      const head = `${before}\n${text}`;
      const start = before.split('\n').length + 1;
      const file = changed(
        path,
        text.split('\n').map(line => `+${line}`),
        'modified',
        start,
      );
      for (const found of [...(await run(file)), ...(await run(file, head))]) {
        expect(found.line).toBeGreaterThanOrEqual(start);
        expect(found.endLine).toBeGreaterThanOrEqual(found.line);
        expect(found.endLine).toBeLessThan(start + text.split('\n').length);
      }
    }),
    { numRuns: 300 },
  );
});

// Quadratic work on so much text would run into the timeout of the test; `hostile-input.heavy.test.ts` takes a million characters.
test.each(['"', "'", '`', '/', '=/[', '/*', '<<A '])(`${verifies('SPEC-6')} a text of %j is read in linear time`, async unit => {
  for (const path of ['a.test.ts', 'a_spec.rb']) expect(await run(added(path, `${unit.repeat(100_000)}\nit.only debugger`))).toBeInstanceOf(Array);
});

test.each<Case>([
  ['src/a.test.js', "test\n  .only('x', () => {});", 'focused-test major 2-2'],
  ['src/a.test.js', "knex\n  .only('x');"],
  ['src/a.ts', '// eslint-disable-next-line no-debugger\ndebugger;'],
  ['src/a.ts', 'debugger; // eslint-disable-line no-debugger'],
  ['src/lib.rs', '#[allow(clippy::dbg_macro)]\nlet x = dbg!(y);'],
  ['src/a.ts', '// eslint-disable-next-line no-console\ndebugger;', 'debug-statement major 2-2'],
  ['src/a.ts', '// the debugger\ndebugger;', 'debug-statement major 2-2'],
  ['integration/_fixtures/focused/a_test.go', '\tFIt("x", func() {})'],
  ['outline/_testdata/a_test.go', '\tFIt("x", func() {})\n\tPIt("y", func() {})'],
  ['test/only3.js', "test.only('x', () => {});"],
  ['test/skip.js', "test.skip('x', () => {});"],
  ['internal/focus_test.go', '\tFIt("x", func() {})'],
  ['test/commonly.js', "test.only('x', () => {});", 'focused-test major 1-1'],
])('%s: a leftover that is the subject or is allowed by name is no leftover, others stay (%#)', async (path, text, ...expected) => {
  expect(await brief(added(path, text))).toEqual(expected);
});

test('a file full of leftovers has 200 findings and says how many there are', async () => {
  const file = added('src/a.ts', 'debugger;\n'.repeat(300));
  const result = await specialist.review?.check?.({ files: [file], signal: { aborted: false } });
  expect(result?.findings).toHaveLength(200);
  expect(result?.partial).toEqual([{ path: 'src/a.ts', reason: '300 leftovers; the first 200 are listed' }]);
});
