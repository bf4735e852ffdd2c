/**
 * The rules of the design pages, as data. A test cites the rules that it holds to: test(`${verifies('REV-17')} …`).
 * `built` rules need a citation; `untested` lists those that still have none, with the reason, and may only shrink.
 */

/** Rules whose page is built so far. The others wait for their feature and are listed in `later`. */
export const built = {
  'PRO-2': 'Unknown is never zero, a refusal is never a failure, a partial reading is never called clean.',
  'PRO-3': 'A repository can narrow, never widen or redirect.',
  'PRO-6': 'What a person sees carries its reason.',
  'REV-12': 'Diffs are never stored.',
  'REV-14': 'Nothing is cut silently.',
  'REV-15': 'Prompt slots with separate budgets; everything untrusted is fenced as data; imitated fences are neutralized.',
  'REV-16': 'Findings come back as JSON checked by a schema; the parser survives what models really answer.',
  'REV-16a': 'Findings are salvaged one by one; a cut answer is truncated and never clean.',
  'REV-16b': 'A large change is reviewed in several calls; every file is exactly one of full, partial, skipped.',
  'REV-17': 'Anchors are checked against the diff; a finding off the diff is moved or listed, never dropped.',
  'REV-20': 'Budgets and retries: a model call is repeated at most once and only before its first byte.',
  'REV-20a': 'weir review without a server; output formats; exit codes.',
  'REV-20b': 'SARIF, checkstyle and rdjson are findings too.',
  'REV-20c': 'Rules files are read where people keep them, as fenced data.',
  'REV-20d': 'Ignore rules: globs, generated files, titles, branches, authors.',
  'REV-20e': 'The diff model.',
  'REV-36': 'Rules and repository settings are read from the target branch, never from the head.',
  'REV-37': 'Repository configuration may narrow; anything else is reported, not obeyed.',
  'REV-40': 'Outgoing URLs pass one guard.',
  'SPEC-1': 'A specialist is one package with one entry; nothing else is edited.',
  'SPEC-6': 'Deterministic review specialists ship with Weir and need no model.',
  'SPEC-7': 'Findings on overlapping lines and one row of the equivalence table become one that names its sources.',
} as const;

export type RuleId = keyof typeof built;

/** Built rules without a test, each with the reason. May only shrink. */
export const untested: Partial<Record<RuleId, string>> = {};

/** Cites rules in a test's title: `[REV-17 REV-20e]`. An unknown id does not compile. */
export const verifies = (...ids: readonly [RuleId, ...RuleId[]]): string => `[${ids.join(' ')}]`;
