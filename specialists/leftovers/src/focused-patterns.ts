/**
 * How test runners are told to run one test alone.
 * Sources: the runners' own documentation, and what eslint-plugin-jest, -mocha, -playwright and rubocop-rspec flag.
 */
import type { CodePattern } from './code-pattern.ts';
import { type CodePlace, isTitled } from './code-place.ts';

const JS_TEST = String.raw`(?:Deno\.|QUnit\.|tap\.|anyTest\.)?(?:it|test|describe|context|suite|specify|experiment|bench|QUnit|tap)`;
const CHAIN = String.raw`(?:\s{0,4}\.\s{0,4}[A-Za-z]{1,20}){0,4}?`;

/** A line that ends with a test function, whose chain goes on below. */
const CHAIN_OPENS = new RegExp(String.raw`(?<![\w$.])${JS_TEST}${CHAIN}\s{0,4}$`);

const cut = (from: number, length: number, text: string): string => text.slice(0, from) + text.slice(from + length);

/** Removes `.only` from the match. */
const withoutOnly = (text: string, match: RegExpExecArray): string => {
  const at = match.index + match[0].lastIndexOf('.only');
  return cut(at, '.only'.length, text);
};
/** Removes the one letter before the name that group 1 leads up to. */
const withoutPrefix = (text: string, match: RegExpExecArray): string => cut(match.index + (match[1] ?? '').length, 1, text);

const raw =
  (pattern: RegExp) =>
  ({ line }: CodePlace): boolean =>
    pattern.test(line.text);

export const FOCUSED: readonly CodePattern[] = [
  {
    language: 'js',
    where: 'tests',
    what: '`.only`',
    pattern: new RegExp(String.raw`(?<![\w$.])${JS_TEST}${CHAIN}\s{0,4}\.only(?=\s{0,4}(?:[(<${'`'}]|\.\s{0,4}[a-z]|$))`),
    mend: withoutOnly,
  },
  {
    language: 'js',
    where: 'tests',
    what: '`.only`',
    pattern: /^\s*\.only(?=\s?[(<`])/,
    accept: ({ before }) => CHAIN_OPENS.test(before?.code ?? ''),
    mend: withoutOnly,
  },
  {
    language: 'js',
    where: 'tests',
    what: "`['only']`",
    pattern: /(?<![\w$.])(?:it|test|describe|context|suite)\s?\[(["'])[^"']{4}\1\]\s?\(/,
    accept: raw(/\[["']only["']\]/),
  },
  { language: 'js', where: 'tests', what: '`t.only`', pattern: /^\s*(?:t|tap)\.only\(/, accept: isTitled, mend: withoutOnly },
  {
    language: 'js',
    where: 'tests',
    what: 'A focused test',
    pattern: /^(\s*)(?:fit|fdescribe|fcontext)(?:\.(?:each|concurrent|failing))*\s?\(/,
    accept: isTitled,
    mend: withoutPrefix,
  },
  { language: 'js', where: 'tests', what: 'A focused test', pattern: /^\s*(?:iit|ddescribe)\s?\(/, accept: isTitled },
  { language: 'js', where: 'tests', what: '`only: true`', pattern: /^\s*(?:it|test|describe|suite)\(.*[{,]\s?only:\s?true\s?[,}]/ },
  {
    language: 'ruby',
    where: 'tests',
    what: 'A focused example',
    pattern: /^(\s*)(?:fit|fdescribe|fcontext|fspecify|fexample|ffeature|fscenario)(?:\s+|\()(?=["'{:A-Z]|do\b)/,
    mend: withoutPrefix,
  },
  {
    language: 'ruby',
    where: 'tests',
    what: 'The focus tag',
    pattern: /^\s*(?:RSpec\.)?(?:it|describe|context|specify|example|feature|scenario)\b.*,\s*(?::focus\b|focus:\s?true|:focus\s?=>\s?true)/,
  },
  {
    language: 'ruby',
    where: 'tests',
    what: '`focus`',
    pattern: /^\s*focus\s*$/,
    accept: ({ after }) => /^\s*(?:def test_|test\b|it\b)/.test(after?.code ?? ''),
  },
  {
    language: 'go',
    where: 'tests',
    what: 'A focused Ginkgo node',
    pattern: /^(\s*(?:var\s+_\s*=\s*)?(?:ginkgo\.|g\.)?)F(?:It|Describe|Context|When|Specify|Entry|DescribeTable|DescribeTableSubtree)\(/,
    mend: withoutPrefix,
  },
  {
    language: 'go',
    where: 'tests',
    what: 'The `Focus` decorator',
    pattern: /^\s*(?:var\s+_\s*=\s*)?(?:ginkgo\.)?(?:It|Describe|Context|When|Specify|Entry|DescribeTable)\(.*,\s*(?:ginkgo\.)?Focus\s*,/,
  },
  { language: 'php', where: 'tests', what: '`->only()`', pattern: /(?:^\s*|\))->only\(\s*\)\s*;?\s*$/ },
];
