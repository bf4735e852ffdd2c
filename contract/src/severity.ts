/**
 * Severities and categories as plain words, apart from their schemas: commands that print help need no schema library.
 */

/** Worst first. Each level is defined by what happens if the finding is ignored. */
export const SEVERITIES = ['blocker', 'major', 'minor', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What follows if a finding of this level is ignored; printed in help, prompts and docs. */
export const SEVERITY_MEANING: Readonly<Record<Severity, string>> = {
  blocker: 'merging it causes harm at once: a leaked credential, lost data, a broken build, an exploitable hole',
  major: 'it will fail for some user or some input, or weakens a protection, and has to be fixed soon',
  minor: 'it costs the next reader or the next change something; nothing fails today',
  note: 'worth knowing; nothing has to be done',
};

/** The closed set of categories. A label that is not one of them is null, never a catch-all. */
export const CATEGORIES = [
  'correctness',
  'security',
  'performance',
  'reliability',
  'compatibility',
  'data',
  'tests',
  'dependencies',
  'ci',
  'maintainability',
  'documentation',
] as const;
export type Category = (typeof CATEGORIES)[number];
