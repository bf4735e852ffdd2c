/**
 * Finds commands of a pipeline that evaluate text as code again (`eval`, `sh -c`, ssh, interpreters) and are given
 * a variable whose text the author of a merge request or commit chooses. Followed through `variables` and plain assignments.
 */
import type { Severity } from '@weir/contract';
import type { Place, Risk } from './risk.ts';
import { rules } from './rules.ts';
import { type Word, shellCommands } from './shell-words.ts';
import { expandedNames } from './script-text.ts';
import type { ScalarTree } from './yaml-tree.ts';

interface Author {
  readonly who: string;
  readonly severity: Severity;
}
const by = (who: string, severity: Severity): Author => ({ who, severity });
const OF_REQUEST = by('The author of the merge request', 'major');
const OF_COMMIT = by('The author of a commit', 'major');
/** A name needs the right to push; the text of a commit or request arrives with the merge. */
const OF_NAME = by('Whoever pushes the branch or tag', 'minor');

/**
 * Predefined variables with free text, and who writes them. Slugs and ids hold no free text.
 * Source of the facts: GitLab's reference of predefined variables.
 */
const UNTRUSTED: ReadonlyMap<string, Author> = new Map([
  ['CI_MERGE_REQUEST_TITLE', OF_REQUEST],
  ['CI_MERGE_REQUEST_DESCRIPTION', OF_REQUEST],
  ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', OF_REQUEST],
  ['CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME', OF_REQUEST],
  ['CI_COMMIT_TITLE', OF_COMMIT],
  ['CI_COMMIT_MESSAGE', OF_COMMIT],
  ['CI_COMMIT_DESCRIPTION', OF_COMMIT],
  ['CI_COMMIT_AUTHOR', OF_COMMIT],
  ['CI_COMMIT_TAG_MESSAGE', OF_NAME],
  ['CI_COMMIT_REF_NAME', OF_NAME],
  ['CI_COMMIT_BRANCH', OF_NAME],
  ['CI_COMMIT_TAG', OF_NAME],
]);

const MAX_HOPS = 6;

interface Origin {
  readonly variable: string;
  readonly author: Author;
  readonly hops: readonly Place[];
}
/** What a name means in a job: the text that it is set to, and where. */
interface Setting {
  readonly names: readonly string[];
  readonly line: number;
}
type Settings = ReadonlyMap<string, Setting>;

const originOf = (name: string, settings: Settings, hops: readonly Place[] = []): Origin | undefined => {
  const setting = settings.get(name);
  if (setting === undefined || hops.length >= MAX_HOPS) {
    const author = UNTRUSTED.get(name);
    return author === undefined ? undefined : { variable: name, author, hops };
  }
  const hop = { line: setting.line, note: `${name} is set from it` };
  for (const next of setting.names) {
    const found = next === name ? undefined : originOf(next, settings, [...hops, hop]);
    if (found !== undefined) return found;
  }
  return undefined;
};

const SHELLS = /^(?:\S*\/)?(?:ba|z|da|k)?sh$/;
const INTERPRETERS: ReadonlyMap<string, RegExp> = new Map([
  ['python', /^-c$/],
  ['python3', /^-c$/],
  ['node', /^(?:-e|--eval|-p)$/],
  ['perl', /^-\w*e$/],
  ['ruby', /^-e$/],
  ['php', /^-r$/],
  ['su', /^-c$/],
]);

/** ssh joins all words after the host and hands them to the remote shell. */
const WITH_VALUE = /^-[bcDEeFIiJLlmOopQRSWw]$/;
const remoteWords = (words: readonly Word[]): readonly Word[] => {
  let at = 1;
  while (at < words.length && words[at]?.text.startsWith('-')) at += WITH_VALUE.test(words[at]?.text ?? '') ? 2 : 1;
  return words.slice(at + 1);
};

const wordAfter = (words: readonly Word[], flag: RegExp): readonly Word[] => {
  const at = words.findIndex((word, index) => index > 0 && flag.test(word.text));
  return at < 0 ? [] : words.slice(at + 1, at + 2);
};

/** The words of a command that are evaluated as code, with what evaluates them. Wrappers such as `docker exec app` may stand in front. */
const evaluatedBy = (words: readonly Word[]): { readonly by: string; readonly words: readonly Word[] } | undefined => {
  for (const [at, { text }] of words.entries()) {
    const rest = words.slice(at);
    if (at === 0 && text === 'eval') return { by: 'eval', words: rest.slice(1) };
    if (at === 0 && text === 'ssh') return { by: 'ssh', words: remoteWords(rest) };
    const flag = SHELLS.test(text) ? /^-[a-z]*c$/ : INTERPRETERS.get(text);
    const code = flag === undefined ? [] : wordAfter(rest, flag);
    if (code.length > 0) return { by: text, words: code };
  }
  return undefined;
};

/** `NAME=value` and `export NAME=value` give a name a new meaning for the lines that follow. */
const assignmentOf = (words: readonly Word[]): readonly [string, readonly string[]] | undefined => {
  const word = words[0]?.text === 'export' ? words[1] : words.length === 1 ? words[0] : undefined;
  const name = /^([A-Za-z_]\w*)=/.exec(word?.text ?? '')?.[1];
  return name === undefined || word === undefined ? undefined : [name, word.expands];
};

interface Evaluated {
  readonly script: ScalarTree;
  readonly word: Word;
  readonly evaluator: string;
  readonly name: string;
}

const riskOf = ({ script, word, evaluator, name }: Evaluated, { variable, author, hops }: Origin): Risk => {
  const way = [variable, ...[...hops].reverse().map(({ line, note }) => `${note.split(' ')[0]} (line ${line})`), `${evaluator} … $${name}`];
  return {
    rule: rules.scriptInjection,
    severity: author.severity,
    sink: { line: script.lineAt(word.offset), note: `evaluated again by ${evaluator}` },
    parts: hops,
    message: `${author.who} sets ${variable}, and ${evaluator} evaluates its text as code: ${way.join(' → ')}. Keep the program in single quotes and pass the text as an argument or environment variable.`,
  };
};

const risksOfCommand = (script: ScalarTree, words: readonly Word[], settings: Settings): readonly Risk[] => {
  const evaluated = evaluatedBy(words);
  if (evaluated === undefined) return [];
  return evaluated.words.flatMap(word =>
    word.expands.flatMap(name => {
      const origin = originOf(name, settings);
      return origin === undefined ? [] : [riskOf({ script, word, evaluator: evaluated.by, name }, origin)];
    }),
  );
};

/** Risks of the scripts of one job, in their order. `variables` are those of the pipeline and the job. */
export const reevaluations = (scripts: readonly ScalarTree[], variables: ReadonlyMap<string, ScalarTree | undefined>): readonly Risk[] => {
  const settings = new Map<string, Setting>();
  for (const [name, value] of variables) settings.set(name, { names: expandedNames(value?.text ?? ''), line: value?.line ?? 1 });
  const risks: Risk[] = [];
  for (const script of scripts) {
    for (const words of shellCommands(script.text)) {
      risks.push(...risksOfCommand(script, words, settings));
      const assigned = assignmentOf(words);
      if (assigned !== undefined) settings.set(assigned[0], { names: assigned[1], line: script.lineAt(words[0]?.offset ?? 0) });
    }
  }
  return risks;
};
