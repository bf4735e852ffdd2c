/**
 * All checks over one GitLab pipeline file.
 * Its variables are data to the shell, so text becomes code only where it is evaluated again.
 */
import { unpinnedIncludes } from './pipeline-include.ts';
import { reevaluations } from './reevaluation.ts';
import type { Risk } from './risk.ts';
import { rules } from './rules.ts';
import { entriesOf, entryOf, scalarOf, scalarsIn, valueOf } from './tree-access.ts';
import type { Entry, ScalarTree, Tree } from './yaml-tree.ts';

const SCRIPTS = ['before_script', 'script', 'after_script'];
const KEYWORDS = new Set(['include', 'stages', 'variables', 'workflow', 'image', 'services', 'cache', 'spec', ...SCRIPTS]);

/** The root counts as a job of its own: it may hold default scripts. */
const jobsOf = (root: Tree): readonly Tree[] => [
  root,
  ...entriesOf(root).flatMap(({ key, value }) => (KEYWORDS.has(key) || value.kind !== 'map' ? [] : [value])),
];

const scriptsOf = (job: Tree): readonly ScalarTree[] => SCRIPTS.flatMap(key => scalarsIn(valueOf(job, key)));

/** A variable's value, also in the form with `value` and `description`. */
const settingOf = ({ value }: Entry): ScalarTree | undefined => scalarOf(value) ?? scalarOf(valueOf(value, 'value'));

const debugTrace = (variables: Tree | undefined): readonly Risk[] => {
  const entry = entryOf(variables, 'CI_DEBUG_TRACE');
  if (entry === undefined || !/^(?:true|1|yes)$/i.test(settingOf(entry)?.text ?? '')) return [];
  return [
    {
      rule: rules.secretsExposed,
      severity: 'major',
      sink: { line: entry.line, note: 'prints every variable' },
      parts: [],
      message:
        'CI_DEBUG_TRACE prints all variables of the job to its log, secrets included, and whoever may read the log reads them. Remove it after debugging.',
    },
  ];
};

/** Judges one YAML document of a pipeline. */
export const pipelineRisks = (root: Tree): readonly Risk[] => {
  const global = entriesOf(valueOf(root, 'variables'));
  const jobs = jobsOf(root);
  return [
    ...unpinnedIncludes(root),
    ...jobs.flatMap(job => {
      const variables = valueOf(job, 'variables');
      const settings = new Map([...global, ...entriesOf(variables)].map(entry => [entry.key, settingOf(entry)]));
      return [...debugTrace(variables), ...reevaluations(scriptsOf(job), settings)];
    }),
  ];
};
