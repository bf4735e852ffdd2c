/** All checks over one workflow or composite action. */
import { unpinnedActions } from './action-pin.ts';
import { envFileInjections } from './env-file-injection.ts';
import { headCheckouts } from './head-checkout.ts';
import { HEAD_SOURCES } from './head-sources.ts';
import { insecureCommands } from './insecure-commands.ts';
import { excessivePermissions } from './permissions.ts';
import type { Risk } from './risk.ts';
import { scriptInjections } from './script-injection.ts';
import { exposedSecrets } from './secrets-exposed.ts';
import { selfHostedRunners } from './self-hosted.ts';
import { UNTRUSTED } from './untrusted-contexts.ts';
import { analysisOf, isExhausted } from './value-flow.ts';
import { type Workflow, workflowOf } from './workflow-model.ts';
import type { Tree } from './yaml-tree.ts';

export interface Judgement {
  readonly risks: readonly Risk[];
  /** Why a part was not judged; undefined when all was. */
  readonly gap?: string | undefined;
}

/** Judges a file's first document; the CI system reads no other. */
export const workflowRisks = (root: Tree, kind: Workflow['kind']): Judgement => {
  const workflow = workflowOf(root, kind);
  const text = analysisOf(workflow, UNTRUSTED, true);
  const head = analysisOf(workflow, HEAD_SOURCES, false);
  const ofSteps = workflow.jobs.flatMap(job =>
    job.steps.flatMap((_, index) => [...scriptInjections(text, job, index), ...envFileInjections(text, job, index), ...headCheckouts(head, job, index)]),
  );
  const ofFile = [unpinnedActions, excessivePermissions, selfHostedRunners, exposedSecrets, insecureCommands].flatMap(check => check(workflow));
  const gap = isExhausted(text) || isExhausted(head) ? 'its values refer to each other too often to follow them all' : undefined;
  return { risks: [...ofSteps, ...ofFile], gap };
};
