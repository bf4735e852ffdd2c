/**
 * How much of each file was read: every file of the change is exactly one of full, partial, skipped, with a reason
 * (REV-14, REV-16b). What is left out by rule does not make a review incomplete; what is lost does.
 */
import type { FileCoverage } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';

export interface CoverageFacts {
  readonly files: readonly DiffFile[];
  /** Paths that a rule of the operator or the repository leaves out, with the rule's sentence. */
  readonly ignored: ReadonlyMap<string, string>;
  /** Files that a check could not judge whole. */
  readonly partial: readonly { readonly path: string; readonly reason: string }[];
  /** Why nobody looked at anything; null when somebody did. */
  readonly unread: string | null;
  /** What the model read; empty when none was asked. */
  readonly model: readonly FileCoverage[];
}

const row = (path: string, reading: FileCoverage['reading'], reason: string | null, byRule = false): FileCoverage => ({ path, reading, reason, byRule });

/** Names whose content is text; when a diff calls such a file binary, something is hidden, not left out. */
const TEXT_NAME =
  /(?:\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|scala|cs|c|cc|cpp|h|hpp|m|swift|php|pl|sh|bash|ps1|bat|sql|html?|css|s[ac]ss|less|vue|svelte|json|ya?ml|toml|ini|cfg|conf|env|xml|md|rst|txt|tf|gradle|proto|graphql|lock)|(?:^|\/)(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|\.[a-z]+rc|\.env[.\w-]*))$/i;

/** What the diff itself says of a file, before anybody has read it. */
function fromDiff(file: DiffFile): FileCoverage {
  const path = pathOf(file);
  if (file.kind === 'unparsed') return row(path, 'skipped', file.problem ?? 'its section of the diff cannot be read');
  if (file.problem !== null) return row(path, file.hunks.length === 0 ? 'skipped' : 'partial', file.problem);
  if (file.binary && TEXT_NAME.test(path)) return row(path, 'skipped', 'shown as binary though it has the name of a text file: its content is not in the diff');
  if (file.binary) return row(path, 'skipped', 'binary', true);
  if (file.submodule) return row(path, 'skipped', 'submodule: only its pointer is in the change', true);
  return row(path, 'full', null);
}

const RANK: Readonly<Record<FileCoverage['reading'], number>> = { full: 0, partial: 1, skipped: 2 };

/** A model that did not read a file leaves it partially read: the deterministic specialists did. */
const afterModel = (own: FileCoverage, model: FileCoverage | undefined): FileCoverage =>
  model === undefined || model.reading === 'full' || model.byRule || RANK[own.reading] > 0
    ? own
    : row(own.path, 'partial', `the model read it ${model.reading === 'partial' ? 'in part' : 'not at all'}: ${model.reason ?? 'no reason given'}`);

/** One row a file, in the order of the diff. Two sections of one path (a change of type) become one row, the worse reading. */
export function coverageOf({ files, ignored, partial, unread, model }: CoverageFacts): readonly FileCoverage[] {
  const partialBy = new Map(partial.map(item => [item.path, item.reason]));
  const modelBy = new Map(model.map(item => [item.path, item]));
  const rows = new Map<string, FileCoverage>();
  for (const file of files) {
    const path = pathOf(file);
    const why = ignored.get(path);
    const reason = partialBy.get(path);
    const seen = fromDiff(file);
    const own = unread !== null && seen.reading !== 'skipped' ? row(path, 'skipped', unread) : seen;
    const checked = own.reading === 'full' && reason !== undefined ? row(path, 'partial', reason) : own;
    const next = why === undefined ? afterModel(checked, modelBy.get(path)) : row(path, 'skipped', why, true);
    const known = rows.get(path);
    rows.set(path, known && RANK[known.reading] >= RANK[next.reading] ? known : next);
  }
  return [...rows.values()];
}

/** True when nothing that should have been read was lost. */
export const isComplete = (coverage: readonly FileCoverage[]): boolean => coverage.every(file => file.reading === 'full' || file.byRule);
