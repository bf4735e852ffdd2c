/** How bad it is that a source's text reaches a script: who can write it, and what the run may do then. */
import type { Severity } from '@weir/contract';
import type { Gate } from './gate.ts';
import { milder, type Place } from './risk.ts';
import type { Flow } from './value-flow.ts';
import type { Workflow } from './workflow-model.ts';

/** Events that outsiders cause and that run with the repository's secrets and a token that may write. */
const PRIVILEGED: ReadonlySet<string> = new Set([
  'pull_request_target',
  'workflow_run',
  'issues',
  'issue_comment',
  'discussion',
  'discussion_comment',
  'commit_comment',
]);

export interface Exposure {
  readonly severity: Severity;
  /** A sentence for the message, or an empty string. */
  readonly remark: string;
  /** The trigger lines that bring the text in. */
  readonly triggers: readonly Place[];
}

const bounded = (severity: Severity, gate: Gate): Severity => (gate === 'none' ? severity : milder(severity, 'major'));

/** Judges a flow in its workflow. Where the triggers are not known (an action, a called workflow) all events of the source count. */
export const exposureOf = (flow: Flow, workflow: Workflow, gate: Gate): Exposure => {
  if (flow.inert) return { severity: 'minor', remark: 'Today the list or object expands to one word; one join() or toJSON() opens it.', triggers: [] };
  if (flow.source.by === 'insider') return { severity: 'minor', remark: '', triggers: [] };
  const open = workflow.triggers.length === 0 || workflow.triggers.some(trigger => trigger.name === 'workflow_call');
  const bringing = workflow.triggers.filter(trigger => flow.source.events.includes(trigger.name));
  if (!open && bringing.length === 0) return { severity: 'minor', remark: 'None of the triggers of this workflow sets it today.', triggers: [] };
  const events = open ? flow.source.events : bringing.map(trigger => trigger.name);
  const triggers = bringing.map(({ name, line }) => ({ line, note: `the trigger ${name} brings it in` }));
  const sure = open ? events.every(event => PRIVILEGED.has(event)) : events.some(event => PRIVILEGED.has(event));
  if (sure) return { severity: bounded('blocker', gate), remark: 'The run holds the secrets of this repository.', triggers };
  return { severity: 'major', remark: '', triggers };
};
