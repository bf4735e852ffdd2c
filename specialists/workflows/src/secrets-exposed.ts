/** Finds places that hand over all secrets at once. */
import { expressionsIn } from './expression.ts';
import type { Risk } from './risk.ts';
import { rules } from './rules.ts';
import { scalarsIn } from './tree-access.ts';
import type { Job, Workflow } from './workflow-model.ts';

const WHOLE = /\btojson\s*\(\s*secrets\s*\)/i;

const wholeContext = (workflow: Workflow): readonly Risk[] =>
  scalarsIn(workflow.root).flatMap(scalar =>
    expressionsIn(scalar.text)
      .filter(({ body }) => WHOLE.test(body))
      .map(({ start }) => ({
        rule: rules.secretsExposed,
        severity: 'major',
        sink: { line: scalar.lineAt(start), note: 'holds every secret' },
        parts: [],
        message:
          'toJSON(secrets) puts every secret of the repository and its owner into one text, also those that this job does not need. Name the ones that are needed.',
      })),
  );

const inherited = (job: Job): readonly Risk[] => {
  const { secrets, uses } = job;
  if (secrets?.value.kind !== 'scalar' || secrets.value.text !== 'inherit' || uses === undefined || uses.text.startsWith('./')) return [];
  return [
    {
      rule: rules.secretsExposed,
      severity: 'minor',
      sink: { line: secrets.value.line, note: 'passes every secret' },
      parts: [{ line: uses.line, note: 'to this workflow of another repository' }],
      message: `secrets: inherit passes every secret to ${uses.text}, which is kept in another repository. Pass the ones that it needs by name.`,
    },
  ];
};

export const exposedSecrets = (workflow: Workflow): readonly Risk[] => [...wholeContext(workflow), ...workflow.jobs.flatMap(inherited)];
