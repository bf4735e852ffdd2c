/** How a lockfile's record is compared with what a manifest asks for. */
import type { DependencyEntry, EntryChange } from '../dependency-entry.ts';
import type { Manifest } from '../manifest/manifest.ts';

/** A manifest as its lockfile sees it. */
export interface ManifestPlace {
  /** Folder of the manifest below the lockfile's own; '' when they stand side by side. */
  readonly member: string;
  readonly manifest: Manifest;
  /** True when the change touches the lockfile too. */
  readonly lockChanged: boolean;
}

/** Ranges of one member by section and name. */
export type RecordedRanges = ReadonlyMap<string, string>;
export const recordedRanges = (entries: readonly DependencyEntry[]): RecordedRanges =>
  new Map(entries.map(entry => [`${entry.section}\0${entry.name}`, entry.spec]));
export const rangeIn = (recorded: RecordedRanges, { section, name }: Pick<DependencyEntry, 'section' | 'name'>): string | undefined =>
  recorded.get(`${section}\0${name}`);

export interface Difference {
  readonly severity: 'major' | 'minor';
  /** What the lockfile says instead, to follow the dependency's name: `is missing from it`. */
  readonly detail: string;
}

/** Answers what the lockfile says against one changed entry; null when it agrees or does not record such a thing. */
export type Judge = (change: EntryChange) => Difference | null;

/** The judge for one manifest; null when the manifest is no member of the lockfile: then nothing is claimed. */
export type OpenedLock = (place: ManifestPlace) => Judge | null;

/** Reads a lockfile once for all its members. It never throws on what a file holds; an unknown form has no members. */
export type OpenLock = (lockText: string) => OpenedLock;

/** Serves no manifest. */
export const noMember: OpenedLock = () => null;

export const major = (detail: string): Difference => ({ severity: 'major', detail });
export const minor = (detail: string): Difference => ({ severity: 'minor', detail });
