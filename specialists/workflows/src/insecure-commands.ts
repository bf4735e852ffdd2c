/** Finds the switched-off workflow commands `set-env` and `add-path`, and the switch that allows them again. */
import type { Place, Risk } from './risk.ts';
import { rules } from './rules.ts';
import { scriptLines } from './script-text.ts';
import { entriesOf } from './tree-access.ts';
import type { Step, Workflow } from './workflow-model.ts';
import type { MapTree } from './yaml-tree.ts';

export const ALLOW = 'ACTIONS_ALLOW_UNSECURE_COMMANDS';
const COMMAND = /::(?:set-env name=|add-path::)/;

const risk = (sink: Place, message: string): Risk => ({ rule: rules.insecureCommands, severity: 'major', sink, parts: [], message });

const allowed = (env: MapTree | undefined): readonly Risk[] =>
  entriesOf(env)
    .filter(({ key, value }) => key === ALLOW && value.kind === 'scalar' && /^true$/i.test(value.text))
    .map(({ line }) =>
      risk(
        { line, note: 'allows the commands' },
        `${ALLOW} lets any text that a step prints set environment variables and the PATH of later steps. Remove it and write to GITHUB_ENV and GITHUB_PATH.`,
      ),
    );

const used = ({ run }: Step): readonly Risk[] =>
  run === undefined
    ? []
    : scriptLines(run.text)
        .filter(({ text, region }) => region === 'code' && COMMAND.test(text))
        .map(({ offset }) =>
          risk(
            { line: run.lineAt(offset), note: 'uses a switched-off command' },
            'set-env and add-path are switched off: the step fails, or somebody allows them for all that it prints. Write to the files GITHUB_ENV and GITHUB_PATH instead.',
          ),
        );

export const insecureCommands = (workflow: Workflow): readonly Risk[] => [
  ...allowed(workflow.env),
  ...workflow.jobs.flatMap(job => [...allowed(job.env), ...job.steps.flatMap(step => [...allowed(step.env), ...used(step)])]),
];
