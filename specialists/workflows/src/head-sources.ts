/** Contexts that name the code of a pull request, as data; and what each of them picks. */
import type { Source } from './untrusted-contexts.ts';

const EVENTS = ['pull_request_target', 'workflow_run'];

/** `commit`: code of the head for certain. `branch`: only a name, which is looked up in the repository that is checked out. */
const PATHS: Readonly<Record<'commit' | 'branch' | 'repository', readonly string[]>> = {
  commit: [
    'github.event.pull_request.head.sha',
    'github.event.pull_request.merge_commit_sha',
    'github.event.workflow_run.head_sha',
    'github.event.workflow_run.head_commit.id',
    'github.event.workflow_run.pull_requests.*.head.sha',
  ],
  branch: [
    'github.head_ref',
    'github.event.pull_request.head.ref',
    'github.event.workflow_run.head_branch',
    'github.event.workflow_run.pull_requests.*.head.ref',
  ],
  repository: [
    'github.event.pull_request.head.repo.full_name',
    'github.event.pull_request.head.repo.clone_url',
    'github.event.pull_request.head.repo.html_url',
    'github.event.workflow_run.head_repository.full_name',
  ],
};

const source = (context: string): Source => ({ context, who: 'The author of the pull request', by: 'outsider', multiline: false, events: EVENTS });

export const HEAD_SOURCES: readonly Source[] = Object.values(PATHS).flat().map(source);

const KIND = new Map(Object.entries(PATHS).flatMap(([kind, paths]) => paths.map(path => [path, kind] as const)));

export const headKindOf = (context: string): 'commit' | 'branch' | 'repository' | undefined =>
  KIND.get(context) as 'commit' | 'branch' | 'repository' | undefined;
