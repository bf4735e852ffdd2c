/**
 * The dependencies specialist: manifests and lockfiles that drift apart, and what a change of them brings in.
 * It needs no model and no network; whole files come through the context, and a bare diff is judged by what it shows.
 */
import type { Finding } from '@weir/contract';
import { pathOf } from '@weir/diff';
import type { CheckContext, CheckResult, Specialist } from '@weir/specialist-kit';
import { ChangeReader } from './change-reader.ts';
import { checkDeletedLockfile, checkLockfileDrift } from './check/lockfile-drift.ts';
import { checkLockedPackages } from './check/locked-packages.ts';
import { checkManifestDrift } from './check/manifest-drift.ts';
import { asksLockfile, checkRanges, checkScripts, checkSources } from './check/manifest-entries.ts';
import { nearestLock } from './check/nearest-lock.ts';
import { ecosystemOf, lockOf } from './ecosystems.ts';
import { type ManifestChange, readManifestChange } from './manifest/manifest-change.ts';
import { wholePiece } from './piece.ts';
import { isVendored } from './repository-path.ts';
import { RULES } from './rules.ts';
import { sourceOf } from './spec-source.ts';

const appliesTo = (path: string): boolean => !isVendored(path) && (ecosystemOf(path) !== undefined || lockOf(path) !== undefined);

/** Yarn's version of a package that is part of the workspace. */
const SIBLING_VERSION = '0.0.0-use.local';

/** Names that the lockfile of a manifest takes from a registry; read only where an open range asks for it. */
const registryNames = async (reader: ChangeReader, manifest: ManifestChange, inChange: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
  const lock = asksLockfile(manifest) ? await nearestLock(reader, manifest.ecosystem, manifest.path, inChange) : null;
  const packages = lock?.kind.packages?.([wholePiece(lock.text)]) ?? [];
  return new Set(packages.filter(({ version }) => version !== '' && version !== SIBLING_VERSION).map(({ name }) => name));
};

const checkManifest = async (reader: ChangeReader, manifest: ManifestChange, inChange: ReadonlySet<string>): Promise<readonly Finding[]> => [
  ...(await checkManifestDrift(reader, manifest, inChange)),
  ...checkSources(manifest),
  ...checkScripts(manifest),
  ...checkRanges(manifest, await registryNames(reader, manifest, inChange)),
];

/** Names that a manifest of the change takes from a foreign source by its own words. */
const explainedNames = (manifests: readonly ManifestChange[]): ReadonlySet<string> =>
  new Set(
    manifests.flatMap(({ head, ecosystem }) => head.entries.filter(entry => sourceOf(entry.spec, ecosystem.name === 'npm') !== null).map(entry => entry.name)),
  );

/** Findings of one file; what lies beyond is counted, and one remark more says nothing new. */
const MAX_FINDINGS_PER_FILE = 200;

const check = async (context: CheckContext): Promise<CheckResult> => {
  const reader = new ChangeReader(context);
  const files = context.files.filter(file => appliesTo(pathOf(file)));
  const inChange = new Set(context.files.map(pathOf));
  const findings: Finding[] = [];
  const manifests: ManifestChange[] = [];
  for (const file of files) {
    if (context.signal.aborted) break;
    const manifest = await readManifestChange(file, reader);
    if (manifest === null) continue;
    manifests.push(manifest);
    const found = await checkManifest(reader, manifest, inChange);
    findings.push(...found.slice(0, MAX_FINDINGS_PER_FILE));
    if (found.length > MAX_FINDINGS_PER_FILE) reader.notePartial(manifest.path, `${found.length} remarks; the first ${MAX_FINDINGS_PER_FILE} are listed`);
  }
  const told = new Map(manifests.map(manifest => [manifest.path, manifest.changes]));
  const explained = explainedNames(manifests);
  for (const file of files) {
    if (context.signal.aborted) break;
    findings.push(
      ...(await checkLockfileDrift(reader, file, told)),
      ...(await checkDeletedLockfile(reader, file, context.files)),
      ...(await checkLockedPackages(reader, file, explained)),
    );
  }
  return { findings, partial: reader.partial };
};

export const specialist: Specialist = {
  key: 'dependencies',
  title: 'Dependencies',
  routingHint: 'Dependency manifests and lockfiles: drift between them, install scripts, git or URL sources, tampered lockfile entries.',
  review: { dimensions: ['dependency manifests and lockfiles'], appliesTo, rules: RULES, check },
};
