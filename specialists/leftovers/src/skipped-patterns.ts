/**
 * How test runners are told to leave a test out, always and without a word of why.
 * A condition or a stated reason makes it a decision, which is not a leftover.
 */
import type { CodePattern } from './code-pattern.ts';
import { type CodePlace, isTitled } from './code-place.ts';

const beforeIs =
  (pattern: RegExp) =>
  ({ before }: CodePlace): boolean =>
    pattern.test(before?.code ?? '');

const TEST_FUNCTION_OPENS = /(?:func\s*(?:\([^)]*\)\s*)?Test\w*\(\w+ \*testing\.[TBF]\)|func\(\w+ \*testing\.[TBF]\)) \{\s*$/;
const CHAIN = String.raw`(?:\.[A-Za-z]{1,20}){0,3}?`;

const row = (language: CodePattern['language'], what: string, pattern: RegExp, more: Partial<CodePattern> = {}): CodePattern => ({
  language,
  what,
  pattern,
  where: 'tests',
  ...more,
});

export const SKIPPED: readonly CodePattern[] = [
  row('js', '`.skip`', new RegExp(String.raw`(?<![\w$.])(?:it|describe|context|suite|specify)${CHAIN}\.skip(?=\s?[(<${'`'}]|\.each)`)),
  row('js', '`.skip`', new RegExp(String.raw`(?<![\w$.])test${CHAIN}\.(?:skip|fixme)(?:\.each)?\s?\(`), { accept: isTitled }),
  row('js', 'A disabled test', /^\s*(?:xit|xdescribe|xtest|xcontext|xspecify)(?:\.each)?\s?\(/, { accept: isTitled }),
  row('js', '`skip: true`', /^\s*(?:it|test|describe|suite)\(.*[{,]\s?skip:\s?true\s?[,}]/),
  row('python', '`@pytest.mark.skip`', /^\s*@pytest\.mark\.skip\s*(?:\(\s*\)\s*)?$/),
  row('python', '`pytestmark`', /^pytestmark\s*=\s*\[?\s*pytest\.mark\.skip\s*(?:\(\s*\)\s*)?\]?$/),
  row('python', '`@unittest.skip`', /^\s*@(?:unittest\.)?skip\s*(?:\(\s*(?:""|'')?\s*\)\s*)?$/),
  row('java', 'A disabled test', /^\s*@(?:Disabled|Ignore)\s*(?:\(\s*(?:"")?\s*\)\s*)?(?:$|@|public\b|void\b|fun\b)/),
  row('csharp', 'An ignored test', /^\s*\[(?:Test(?:Method)?,\s*)?Ignore(?:\(\s*(?:"")?\s*\))?\]/),
  row('go', '`t.Skip`', /^\s*\w+\.(?:Skip|SkipNow)\(\s*(?:"")?\s*\)\s*$/, { accept: beforeIs(TEST_FUNCTION_OPENS) }),
  row('go', 'A pending Ginkgo node', /^\s*(?:var\s+_\s*=\s*)?(?:ginkgo\.)?[XP](?:It|Describe|Context|When|Specify|Entry|DescribeTable)\(/),
  row('rust', '`#[ignore]`', /^\s*#\[ignore\]/),
  row('ruby', 'A disabled example', /^\s*(?:xit|xdescribe|xcontext|xspecify|xexample|xfeature|xscenario)(?:\s+|\()(?=["'{:A-Z]|do\b)/),
  row('ruby', '`skip`', /^\s*(?:skip|pending)\s*$/),
  row('ruby', 'The skip tag', /^\s*(?:RSpec\.)?(?:it|describe|context|specify)\b.*,\s*(?::skip\b|skip:\s?true)/),
  row('php', '`markTestSkipped`', /\$this->markTest(?:Skipped|Incomplete)\(\s*\)/),
  row('php', '`->skip()`', /(?:^\s*|\))->skip\(\s*\)\s*;?\s*$/),
  row('elixir', '`@tag :skip`', /^\s*@(?:module|describe)?tag\s+:skip\s*$/),
];
