/**
 * The shape of one row of the secret rules: what the reference page shows, and how the secret is found.
 * A row is data; the scanners know kinds of detection, never a vendor.
 */
import type { Rule } from '@weir/specialist-kit';

/** Judges a candidate: the secret alone, and the whole matched text (or the whole value) that it stands in. */
export type Judge = (secret: string, match: string) => Verdict;

/** How sure a row's own check is: `proven` by a checksum, `likely` by its form, or not a secret. */
export type Verdict = 'proven' | 'likely' | 'no';

/** `vendor` has a form of its own, `structure` is a place that holds credentials, `generic` is a name with a random value. */
export type Tier = 'vendor' | 'structure' | 'generic';

/** A fixed text (anchor) and a bounded pattern around it. */
export interface FormatDetection {
  readonly kind: 'format';
  /** Case-sensitive texts, one of which every match holds. */
  readonly anchors: readonly string[];
  /** Characters of the match that stand before the anchor; 0 unless said. */
  readonly before?: number;
  /** Sticky, every repetition bounded. The secret is the group `secret`, or the whole match. */
  readonly pattern: RegExp;
  /** Bits per character that the secret has at least. */
  readonly minEntropy: number;
  readonly judge?: Judge;
  /** Only in files whose path matches. */
  readonly path?: RegExp;
}

/** A value that is assigned to a name, in any of the usual notations. */
export interface AssignedDetection {
  readonly kind: 'assigned';
  readonly name: RegExp;
  readonly value: RegExp;
  readonly minEntropy: number;
  readonly judge?: Judge;
}

/** Lines from `begin` to `end`. */
export interface BlockDetection {
  readonly kind: 'block';
  readonly begin: RegExp;
  readonly end: RegExp;
  /** A text in the same hunk that the row needs. */
  readonly near?: RegExp;
}

export type Detection = FormatDetection | AssignedDetection | BlockDetection;

export interface SecretRule extends Rule {
  readonly tier: Tier;
  /** What it is, for the middle of a sentence: `GitHub token`. */
  readonly what: string;
  readonly detect: readonly Detection[];
}

interface Row extends Pick<SecretRule, 'severity' | 'bad' | 'equivalent' | 'what' | 'detect'> {
  readonly tier?: Tier;
  /** What somebody who reads it can do; a whole sentence. */
  readonly grants: string;
  /** Where it is made invalid, as an instruction without its full stop. */
  readonly revoke: string;
  readonly good: string;
  readonly limits?: string;
}

/** Builds a rule of this specialist; `name` is the part of the id after the slash. */
export const secretRule = (name: string, row: Row): SecretRule => ({
  id: `secrets/${name}`,
  title: `${row.what} in the change`,
  severity: row.severity,
  category: 'security',
  why: `${row.grants} Git keeps the line in its history; deleting it later does not take it back.`,
  fix: `${row.revoke}, then read the new value from the environment or a secret store.`,
  bad: row.bad,
  good: row.good,
  limits: row.limits ?? 'Not asked of the vendor: a revoked secret looks like a live one. Test folders, placeholders and documented examples are left out.',
  equivalent: row.equivalent,
  tier: row.tier ?? 'vendor',
  what: row.what,
  detect: row.detect,
});

/** A detection by prefix: the anchors are the prefixes that the pattern begins with. */
export const startsWith = (anchors: readonly string[], pattern: RegExp, minEntropy = 3): FormatDetection => ({ kind: 'format', anchors, pattern, minEntropy });
