/**
 * Judges how an action, a reusable workflow or an image is referenced.
 * A full commit hash or digest cannot be moved; everything else can.
 */
import type { Risk } from './risk.ts';
import { rules } from './rules.ts';
import type { Workflow } from './workflow-model.ts';
import type { ScalarTree } from './yaml-tree.ts';

/** Owners whose actions belong to the CI system itself. */
const FIRST_PARTY: ReadonlySet<string> = new Set(['actions', 'github']);
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const SHORT_COMMIT = /^(?=.*\d)[0-9a-f]{7,39}$/i;
const VERSION = /^v?\d/i;

const kindOfRef = (ref: string): string => {
  if (ref.includes('${{')) return `the reference ${ref} is computed at run time`;
  if (SHORT_COMMIT.test(ref)) return `${ref} is a short hash, which a branch or tag of that name wins over`;
  return VERSION.test(ref) ? `the tag ${ref} can be moved` : `${ref} is a branch or tag that can be moved`;
};

const reasonOfImage = (image: string): string | undefined =>
  /@sha256:[0-9a-f]{64}$/i.test(image) ? undefined : `The image ${image} has no digest; its tag can be moved to another image.`;

/** Why a `uses` value is not pinned, as a sentence; undefined when it is, or when it needs no pin. */
export const unpinnedReason = (uses: string): string | undefined => {
  if (/^\.{1,2}\//.test(uses)) return undefined;
  if (uses.startsWith('docker://')) return reasonOfImage(uses.slice('docker://'.length));
  const [, path = '', owner = '', ref = ''] = /^(([^/@\s]+)\/[^@\s]+)@(.+)$/.exec(uses) ?? [];
  if (ref === '' || FIRST_PARTY.has(owner.toLowerCase()) || COMMIT.test(ref)) return undefined;
  const what = /\.ya?ml$/.test(path) ? 'The reusable workflow' : 'The action';
  return `${what} ${path} is not pinned to a commit: ${kindOfRef(ref)}.`;
};

const riskOf = (uses: ScalarTree | undefined): readonly Risk[] => {
  const reason = uses && unpinnedReason(uses.text.trim());
  if (uses === undefined || reason === undefined) return [];
  return [
    {
      rule: rules.unpinnedAction,
      severity: 'major',
      sink: { line: uses.line, note: 'this reference can be moved' },
      parts: [],
      message: `${reason} Whoever can move it runs code in this pipeline. Pin the full hash and keep the version as a comment.`,
    },
  ];
};

/** The unpinned references of a workflow or action. */
export const unpinnedActions = (workflow: Workflow): readonly Risk[] => [
  ...riskOf(workflow.image?.text.startsWith('docker://') ? workflow.image : undefined),
  ...workflow.jobs.flatMap(job => [job.uses, ...job.steps.map(step => step.uses)].flatMap(riskOf)),
];
