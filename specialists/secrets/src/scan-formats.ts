/**
 * Finds secrets that have a fixed text in them. One combined expression finds the fixed texts (anchors) in a single
 * pass; a bounded sticky pattern then checks each place, so the time grows with the length of the line alone.
 */
import { shannonEntropy } from './entropy.ts';
import { isPlaceholder } from './placeholder.ts';
import { secretRules } from './rule-table.ts';
import type { SecretMatch } from './secret-match.ts';
import type { FormatDetection, SecretRule, Verdict } from './secret-rule.ts';

interface Anchor {
  readonly text: string;
  readonly rule: SecretRule;
  readonly detection: FormatDetection;
}

const anchors: readonly Anchor[] = secretRules.flatMap(rule =>
  rule.detect.flatMap(detection => (detection.kind === 'format' ? detection.anchors.map(text => ({ text, rule, detection })) : [])),
);

/** Anchors that do not begin with a shorter one; each leads to all that begin with it. */
const stems = [...new Set(anchors.map(anchor => anchor.text))].filter((text, _, all) => !all.some(other => other !== text && text.startsWith(other)));
const byStem = new Map(stems.map(stem => [stem, anchors.filter(anchor => anchor.text.startsWith(stem))]));
const ANY_STEM = new RegExp(stems.map(stem => stem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');

const WORD = /\w/;

/** True when nothing of a longer word stands before; an escape (`\n`) and a percent code (`%3D`) are no word. */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !WORD.test(text.charAt(at)) || !WORD.test(text.charAt(at - 1))) return true;
  return (text.charAt(at - 2) === '\\' && /[nrt]/.test(text.charAt(at - 1))) || /%[0-9A-Fa-f]{2}$/.test(text.slice(Math.max(0, at - 3), at));
}

/** True for a secret that a checksum proves, or that is random enough and no placeholder. */
const isCredible = (secret: string, verdict: Verdict, minEntropy: number): boolean =>
  verdict === 'proven' || (verdict === 'likely' && !isPlaceholder(secret) && shannonEntropy(secret) >= minEntropy);

function matchAt(text: string, at: number, { text: anchor, rule, detection }: Anchor): SecretMatch | undefined {
  const begin = at - (detection.before ?? 0);
  if (begin < 0 || !text.startsWith(anchor, at) || !beginsWord(text, begin)) return undefined;
  detection.pattern.lastIndex = begin;
  const found = detection.pattern.exec(text);
  if (found === null) return undefined;
  const secret = found.groups?.secret ?? found[0];
  const verdict = detection.judge?.(secret, found[0]) ?? 'likely';
  if (verdict === 'no' || !isCredible(secret, verdict, detection.minEntropy)) return undefined;
  const start = begin + found[0].lastIndexOf(secret);
  return { rule, start, end: start + secret.length, secret, name: null, verdict };
}

/** Secrets of a known form in one line. @param path decides about rows that belong to one kind of file */
export function scanFormats(text: string, path: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  ANY_STEM.lastIndex = 0;
  for (let hit = ANY_STEM.exec(text); hit !== null; hit = ANY_STEM.exec(text)) {
    for (const anchor of byStem.get(hit[0]) ?? []) {
      if (anchor.detection.path !== undefined && !anchor.detection.path.test(path)) continue;
      const match = matchAt(text, hit.index, anchor);
      if (match !== undefined) matches.push(match);
    }
    ANY_STEM.lastIndex = hit.index + 1;
  }
  return matches;
}
