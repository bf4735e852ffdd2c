/** Finds includes of a GitLab pipeline that can change without a change of this repository. */
import type { Severity } from '@weir/contract';
import type { Risk } from './risk.ts';
import { rules } from './rules.ts';
import { entriesOf, entryOf, scalarOf, valueOf } from './tree-access.ts';
import type { ScalarTree, Tree } from './yaml-tree.ts';

const BRANCH = /^(?:main|master|head|develop|development|dev|trunk|stable|latest|~latest)$/i;
const HASH_IN_URL = /[/=@](?:[0-9a-f]{40}|[0-9a-f]{64})(?:[/?]|$)/i;

const risk = (sink: { readonly line: number; readonly note: string }, severity: Severity, message: string, other: readonly number[] = []): Risk => ({
  rule: rules.unpinnedInclude,
  severity,
  sink,
  parts: other.map(line => ({ line, note: 'of this include' })),
  message,
});

const remoteRisk = (url: ScalarTree | undefined, integrity: boolean): readonly Risk[] => {
  if (url === undefined || integrity || !/^https?:\/\//i.test(url.text) || HASH_IN_URL.test(url.text)) return [];
  const message = `The pipeline includes ${url.text.slice(0, 200)} as it is at the time of each run. Give it an integrity hash, or keep a copy in this repository.`;
  return [risk({ line: url.line, note: 'a remote file without integrity' }, 'major', message)];
};

const projectRisk = (include: Tree): readonly Risk[] => {
  const project = entryOf(include, 'project');
  const name = scalarOf(project?.value);
  if (project === undefined || name === undefined) return [];
  const ref = scalarOf(valueOf(include, 'ref'));
  if (ref === undefined) {
    return [
      risk(
        { line: project.line, note: 'no ref' },
        'minor',
        `The include of ${name.text.slice(0, 200)} has no ref, so it follows the default branch of that project. Name a tag or commit.`,
      ),
    ];
  }
  if (!BRANCH.test(ref.text)) return [];
  return [
    risk({ line: ref.line, note: 'a branch' }, 'minor', `The include of ${name.text.slice(0, 200)} follows the branch ${ref.text}. Name a tag or commit.`, [
      project.line,
    ]),
  ];
};

const componentRisk = (component: ScalarTree | undefined): readonly Risk[] => {
  const version = component?.text.split('@').at(-1) ?? '';
  if (component === undefined || !component.text.includes('@') || !BRANCH.test(version)) return [];
  return [
    risk(
      { line: component.line, note: 'no fixed version' },
      'minor',
      `The component ${component.text.slice(0, 200)} follows ${version}. Name a version or commit.`,
    ),
  ];
};

const risksOf = (include: Tree): readonly Risk[] => {
  if (include.kind === 'scalar') return remoteRisk(include, false);
  if (include.kind === 'list') return include.items.flatMap(risksOf);
  return [
    ...remoteRisk(scalarOf(valueOf(include, 'remote')), entryOf(include, 'integrity') !== undefined),
    ...projectRisk(include),
    ...componentRisk(scalarOf(valueOf(include, 'component'))),
  ];
};

/** Includes of the pipeline itself and of the child pipelines that its jobs trigger. */
export const unpinnedIncludes = (root: Tree): readonly Risk[] => {
  const children = entriesOf(root).map(({ value }) => valueOf(valueOf(value, 'trigger'), 'include'));
  return [valueOf(root, 'include'), ...children].flatMap(include => (include === undefined ? [] : risksOf(include)));
};
