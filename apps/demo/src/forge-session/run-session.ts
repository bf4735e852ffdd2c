/** Plays all steps against one forge; the report says what each did, and what a person sees on the forge afterwards. */
import type { Forge, ForgeKind } from '@weir/forge-simulator';
import { PLANNING_STEPS } from './planning-steps.ts';
import { READING_STEPS } from './reading-steps.ts';
import { REVIEW_STEPS } from './review-steps.ts';
import { FULL_NAME, openScene, type Scene } from './scene.ts';
import type { Step, StepReport } from './step.ts';
import { DELIVERY_STEPS, HOOK_STEPS } from './webhook-steps.ts';
import { WRITING_STEPS } from './writing-steps.ts';

export const FORGES: readonly ForgeKind[] = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'];

/** In this order: later steps use what earlier ones left. */
export const STEPS: readonly Step[] = [...HOOK_STEPS, ...READING_STEPS, ...REVIEW_STEPS, ...PLANNING_STEPS, ...WRITING_STEPS, ...DELIVERY_STEPS];

export interface SessionReport {
  readonly kind: ForgeKind;
  readonly steps: readonly StepReport[];
  /** Lines of the change's page. */
  readonly page: readonly string[];
  /** Requests that broke the published description. */
  readonly violations: Forge['violations'];
  readonly requests: number;
  readonly unsupported: Scene['descriptor']['unsupported'];
}

/** A step that fails is a row of the report; whatever else goes wrong is thrown. */
export async function runSession(kind: ForgeKind): Promise<SessionReport> {
  const scene = await openScene(kind);
  try {
    const steps: StepReport[] = [];
    for (const step of STEPS) steps.push(await step.run(scene));
    const { violations, requests } = scene.forge;
    return { kind, steps, page: pageOf(scene), violations, requests: requests.length, unsupported: scene.descriptor.unsupported };
  } finally {
    await scene.close();
  }
}

/** The change as the forge itself keeps it: read from its state, past the engine. */
function pageOf({ forge, change }: Scene): readonly string[] {
  const { title, state, threads, remarks, approvals, reviews } = forge.seed.changeOf(FULL_NAME, change);
  const approved = [...new Set([...approvals.map(({ login }) => login), ...reviews.filter(one => one.state === 'approved').map(one => one.author.login)])];
  const said = (thread: (typeof threads)[number]): readonly string[] => thread.remarks.map(({ author, body }) => `    ${author.login}: ${body}`);
  return [
    `${title}, ${state}, approved by ${approved.join(', ') || 'nobody'}`,
    ...reviews.filter(({ body }) => body !== '').map(({ author, body }) => `  ${author.login}, a review: ${body}`),
    ...remarks.map(({ author, body }) => `  ${author.login}: ${body}`),
    ...threads.flatMap(thread => [`  ${placeOf(thread)}${thread.resolved ? ', resolved' : ''}`, ...said(thread)]),
  ];
}

function placeOf({ place }: ReturnType<Forge['seed']['changeOf']>['threads'][number]): string {
  if (place === null) return 'conversation';
  const line = place.side === 'OLD' ? `old line ${place.oldLine}` : `line ${place.newLine}`;
  const start = place.startNewLine === null || place.startNewLine === place.newLine ? '' : `${place.startNewLine} to `;
  return `${place.path}, ${start === '' ? line : line.replace('line ', `lines ${start}`)}`;
}
