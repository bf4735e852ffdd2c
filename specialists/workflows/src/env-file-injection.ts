/**
 * Finds untrusted text that a script writes to the files GITHUB_ENV and GITHUB_PATH through a variable.
 * Text that is expanded into the script is the matter of script-injection and not repeated here.
 */
import { exposureOf } from './exposure.ts';
import { gateOfStep } from './gate.ts';
import type { Risk } from './risk.ts';
import { rules } from './rules.ts';
import { expandedNames, type RunnerWrite } from './script-text.ts';
import { type Analysis, type Flow, flowsOfVariable, writesOf } from './value-flow.ts';
import type { Job } from './workflow-model.ts';

interface Written {
  readonly name: string;
  readonly flow: Flow;
}

/** A single line can set only its own variable; the PATH is decided by any text. */
const counts = ({ source, inert }: Flow, file: RunnerWrite['file']): boolean =>
  !inert && source.by === 'outsider' && (file === 'GITHUB_PATH' || source.multiline);

const writtenBy = (analysis: Analysis, job: Job, index: number, write: RunnerWrite): readonly Written[] => {
  if (write.file === 'GITHUB_OUTPUT' || /\$\(|`/.test(write.value)) return [];
  return expandedNames(write.value).flatMap(name =>
    flowsOfVariable(analysis, name, { job, step: index })
      .filter(flow => counts(flow, write.file))
      .map(flow => ({ name, flow })),
  );
};

export const envFileInjections = (analysis: Analysis, job: Job, index: number): readonly Risk[] => {
  const step = job.steps[index];
  const run = step?.run;
  if (step === undefined || run === undefined) return [];
  const gate = gateOfStep(analysis.workflow, job, step);
  return writesOf(analysis, step).flatMap(write =>
    writtenBy(analysis, job, index, write).map(({ name, flow }) => {
      const { severity, triggers } = exposureOf(flow, analysis.workflow, gate);
      const hops = flow.hops.map(({ line, note }) => ({ line, note: `${note} carries ${flow.source.context}` })).reverse();
      return {
        rule: rules.envFileInjection,
        severity,
        sink: { line: run.lineAt(write.offset), note: `written to ${write.file}` },
        parts: [...hops, ...triggers],
        message: `${flow.source.who} sets ${flow.source.context}, which $${name} carries into ${write.file}. A line feed in it sets other variables of the later steps, and so runs code there. Do not export it; read it from env where it is needed.`,
      };
    }),
  );
};
