/**
 * Statements that people write while they look for a fault: breakpoints, dumps and prints of `here`.
 * Precision first: ordinary prints are left alone, since many programs print on purpose.
 */
import type { CodePattern } from './code-pattern.ts';
import type { CodePlace } from './code-place.ts';
import type { Language } from './source-language.ts';

const row = (language: Language, what: string, pattern: RegExp, more: Partial<CodePattern> = {}): CodePattern => ({ language, what, pattern, ...more });
const minor = { severity: 'minor' } as const;

/** What a print says when it is only there to see that the line is reached. */
const LEFTOVER_TEXT =
  /^(?:(?:(?:i'?m|i am|got|we are|we're|reached) )?here\s?\d{0,3}[\s!.:]*|x{3,}\b.{0,40}|a(?:sdf)+.{0,20}|wtf\b.{0,40}|>{3,}.{0,80}|-{2,}>\s*here.{0,40})$/i;

/** The text of the first string argument, when a match ends right before it. */
const firstText = ({ line }: CodePlace, match: RegExpExecArray): string => {
  const from = match.index + match[0].length;
  const quote = line.text[from - 1] ?? '"';
  const end = line.text.indexOf(quote, from);
  return end < 0 ? '' : line.text.slice(from, end).trim();
};
const saysHere = (place: CodePlace, match: RegExpExecArray): boolean => LEFTOVER_TEXT.test(firstText(place, match));
const print = (language: Language, pattern: RegExp): CodePattern =>
  row(language, 'A print that only marks a place', pattern, { severity: 'note', accept: saysHere });

const unlessGuarded = ({ line, before }: CodePlace): boolean => !/IsAttached|#if\s+DEBUG/.test(`${before?.code ?? ''} ${line.code}`);

export const DEBUG: readonly CodePattern[] = [
  row('js', '`debugger`', /(?:^|[;{})]|\belse)\s*debugger\s*(?:;|$|\})/),
  row('js', '`page.pause()`', /\bawait\s+page\.pause\(\s*\)/, { where: 'tests', ...minor }),
  row('js', '`cy.pause()`', /(?:\bcy|\))\.(?:pause|debug)\(\s*\)\s*;?\s*$/, { where: 'tests', ...minor, accept: ({ line }) => /\bcy\./.test(line.code) }),
  row('js', '`screen.debug()`', /\bscreen\.(?:debug|logTestingPlaygroundURL)\(/, { where: 'tests', ...minor }),
  row('js', '`browser.debug()`', /\bawait\s+browser\.debug\(\s*\)/, { where: 'tests' }),
  print('js', /(?:^|[;{})])\s*console\.(?:log|debug|info|warn|error|trace)\(\s?["'`]/),
  row('python', '`breakpoint()`', /(?:^|[:;]|\belse)\s*breakpoint\(\s*\)\s*(?:;|$)/),
  row('python', '`set_trace()`', /(?:^|[:;]|\.)\s*(?:i?pdb|pudb|wdb|web_pdb|rpdb|remote_pdb|epdb|trepan)(?:\.[A-Z]\w{0,20}\([^()]{0,80}\))?\.set_trace\(/),
  row('python', '`embed()`', /\bfrom IPython import embed\s*;\s*embed\(/),
  print('python', /^\s*print\(\s?["']/),
  row('ruby', '`binding.pry`', /(?:^|[;{|]|\bdo|\bthen)\s*binding\.(?:pry|irb|break|b|remote_pry|pry_remote|console)\b\s*(?:$|[;}]|if\b|unless\b)/),
  row('ruby', '`byebug`', /^\s*(?:byebug|debugger)\s*(?:$|;|if\b|unless\b)/),
  row('ruby', '`save_and_open_page`', /^\s*save_and_open_(?:page|screenshot)\b/, minor),
  print('ruby', /^\s*(?:puts|p)[ (]\s?["']/),
  row('php', '`dd()`', /^\s*(?:dd|ddd)\(/, { accept: ({ line }) => !/\bfunction\b/.test(line.code) }),
  row('php', '`->dd()`', /->dd\(\s*\)\s*;?\s*$/),
  row('php', '`xdebug_break()`', /^\s*\\?xdebug_break\(/),
  row('php', '`var_dump()`', /^\s*\\?(?:var_dump|dump)\(/, { where: 'sources', ...minor }),
  row('rust', '`dbg!`', /(?<![\w!])dbg!\s?[([{]/, minor),
  row('go', '`runtime.Breakpoint()`', /^\s*runtime\.Breakpoint\(\s*\)/),
  row('go', '`spew.Dump()`', /^\s*spew\.(?:Dump|Fdump)\(/, { where: 'sources', ...minor }),
  print('go', /^\s*fmt\.Print(?:ln|f)?\(\s?["`]/),
  row('csharp', '`Debugger.Break()`', /(?:^|[;{])\s*(?:System\.Diagnostics\.)?Debugger\.(?:Break|Launch)\(\s*\)/, { accept: unlessGuarded }),
  row('elixir', '`IEx.pry`', /(?:^|[;|>])\s*(?:require IEx;\s*)?IEx\.pry(?:\(\s*\))?/),
  row('elixir', '`dbg()`', /\|>\s*dbg\(\s*\)\s*$/, minor),
];
