/** Finds `permissions: write-all`, at the workflow or at a job. */
import type { Risk } from './risk.ts';
import { rules } from './rules.ts';
import type { Workflow } from './workflow-model.ts';
import type { Entry } from './yaml-tree.ts';

const riskOf = (permissions: Entry | undefined, where: string): readonly Risk[] => {
  if (permissions?.value.kind !== 'scalar' || permissions.value.text !== 'write-all') return [];
  return [
    {
      rule: rules.excessivePermissions,
      severity: 'major',
      sink: { line: permissions.value.line, note: 'every permission may write' },
      parts: [],
      message: `write-all gives ${where} every write permission of the token: code, packages, releases, settings. Name the ones that are needed.`,
    },
  ];
};

export const excessivePermissions = (workflow: Workflow): readonly Risk[] => [
  ...riskOf(workflow.permissions, 'every job of this workflow'),
  ...workflow.jobs.flatMap(job => riskOf(job.permissions, `the job ${job.key}`)),
];
