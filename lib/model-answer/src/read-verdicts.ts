/**
 * Reads what an answer says of earlier findings, one by one, as tolerant as the reader of findings (REV-16, REV-22). A verdict or a
 * finding that is not known is ignored and counted: a guess must not close a thread.
 */
import { REVIEW_VERDICTS, type ReviewVerdict } from '@weir/contract';
import { textOf } from './finding-keys.ts';
import type { Entry, JsonNode, ObjectNode } from './json-node.ts';
import { packedTexts } from './packed-text.ts';
import { type AnswerOptions, MAX_ANSWER } from './read-findings.ts';
import { unescapeText } from './read-string.ts';
import { type Block, scanBlocks } from './scan-blocks.ts';

export interface AnswerVerdict {
  readonly finding: string;
  readonly verdict: ReviewVerdict;
  /** Empty where the answer gives none. */
  readonly reason: string;
}

export interface VerdictReading {
  /** The first one of each finding. */
  readonly verdicts: readonly AnswerVerdict[];
  /** Parts about no finding that was asked about, or without a verdict of the closed set. */
  readonly ignored: number;
  /** True when the answer was read whole and says something of every finding. */
  readonly complete: boolean;
}

export interface VerdictOptions extends Pick<AnswerOptions, 'finish'> {
  /** Ids of the findings that were asked about. */
  readonly findings: readonly string[];
}

const KEYS = {
  finding: ['finding', 'findingid', 'id'],
  verdict: ['verdict', 'status', 'state'],
  reason: ['reason', 'explanation', 'message', 'comment', 'note', 'why'],
} as const;
type Part = keyof typeof KEYS;

/** Characters of a reason; it becomes a comment. */
const MAX_REASON = 4_000;

function partOf({ entries }: ObjectNode, part: Part): string | undefined {
  for (const name of KEYS[part]) {
    const text = textOf(entries.find(entry => entry.plain === name)?.value);
    if (text !== undefined) return text.trim();
  }
  return undefined;
}

/** What one part of the answer says, as written; `cut` when the text ends inside of it. */
interface Said {
  readonly finding: string;
  readonly verdict: string;
  readonly reason: string;
  readonly cut: boolean;
}

const says = (node: ObjectNode, finding: string | undefined): readonly Said[] => {
  const verdict = partOf(node, 'verdict');
  return finding === undefined || verdict === undefined ? [] : [{ finding, verdict, reason: partOf(node, 'reason') ?? '', cut: node.ending === 'eof' }];
};

/** Verdicts in a node: objects that name a finding, or values under a finding's id. Depth is bounded by the reader. */
function saidIn(node: JsonNode, findings: ReadonlySet<string>): readonly Said[] {
  if (node.kind === 'array') return node.items.flatMap(item => saidIn(item, findings));
  if (node.kind !== 'object') return [];
  const own = says(node, partOf(node, 'finding'));
  return own.length > 0 ? own : node.entries.flatMap(entry => saidUnder(entry, findings));
}

function saidUnder({ key, value }: Entry, findings: ReadonlySet<string>): readonly Said[] {
  const finding = idOf(key);
  if (!findings.has(finding)) return saidIn(value, findings);
  if (value.kind === 'object') return says(value, finding);
  const verdict = textOf(value);
  return verdict === undefined ? [] : [{ finding, verdict, reason: '', cut: false }];
}

const idOf = (written: string): string => written.trim().replace(/^#/, '').toLowerCase();
const verdictOf = (written: string): ReviewVerdict | undefined => {
  const plain = written.toLowerCase().replace(/[\s-]{1,9}/g, '_');
  return REVIEW_VERDICTS.find(verdict => verdict === plain);
};

/** An answer in plain JSON, packed into strings, or escaped as a whole: the first form that says something counts. */
function saidBy(answer: string, findings: ReadonlySet<string>): { readonly said: readonly Said[]; readonly cut: boolean } {
  const holds = (block: Block): boolean => saidIn(block, findings).length > 0;
  const packs = (block: Block): boolean => packedTexts(block).some(text => scanBlocks(text, holds, 0).blocks.some(holds));
  const outer = scanBlocks(answer, block => holds(block) || packs(block)).blocks;
  const texts = outer.some(holds) ? [] : [outer.flatMap(packedTexts).join('\n'), answer.includes('\\"') ? unescapeText(answer) : ''];
  const forms = [outer, ...texts.filter(text => text !== '').map(text => scanBlocks(text, holds).blocks)];
  const blocks = forms.find(form => form.some(holds)) ?? [];
  return { said: blocks.flatMap(block => saidIn(block, findings)), cut: blocks.some(({ ending }) => ending === 'eof') };
}

/** Never throws; linear in the length of the answer. */
export function readVerdicts(text: string, { finish, findings }: VerdictOptions): VerdictReading {
  const known = new Set(findings);
  const { said, cut } = saidBy(text.slice(0, MAX_ANSWER), known);
  const verdicts = new Map<string, AnswerVerdict>();
  let ignored = 0;
  for (const part of said) {
    const finding = idOf(part.finding);
    const verdict = verdictOf(part.verdict);
    if (part.cut || verdict === undefined || !known.has(finding)) ignored += 1;
    else if (!verdicts.has(finding)) verdicts.set(finding, { finding, verdict, reason: part.reason.slice(0, MAX_REASON) });
  }
  const whole = (finish === 'stop' || finish === 'unknown') && !cut && text.length <= MAX_ANSWER;
  return { verdicts: [...verdicts.values()], ignored, complete: whole && ignored === 0 && verdicts.size === known.size };
}
