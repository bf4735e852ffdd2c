/**
 * The tally of one answer: its findings, what was dropped, and every reason why it is not complete.
 */
import type { Finding } from '@weir/contract';
import type { FindingReading } from './finding-of-node.ts';
import type { JsonNode } from './json-node.ts';

/** Findings that one answer may bring. */
export const MAX_FINDINGS = 1_000;
/** Characters of a dropped part that are shown. */
const EXCERPT = 160;
/** Dropped parts that are listed; all are counted. */
const MAX_DROPPED = 50;

export interface DroppedPart {
  readonly reason: string;
  readonly excerpt: string;
}

export interface AnswerReading {
  readonly findings: readonly Finding[];
  /** True when nothing was cut, dropped or guessed. An answer that is not complete is never clean. */
  readonly complete: boolean;
  /** Null for a complete answer; else what is missing or doubtful, in one sentence. */
  readonly reason: string | null;
  readonly dropped: readonly DroppedPart[];
}

export class AnswerTally {
  private readonly source: string;
  private readonly findings = new Map<string, Finding>();
  private readonly dropped: DroppedPart[] = [];
  private readonly reasons = new Set<string>();
  private drops = 0;

  constructor(source: string) {
    this.source = source;
  }

  say(reason: string): void {
    this.reasons.add(reason);
  }

  drop(reason: string, node: JsonNode): void {
    this.drops += 1;
    this.say(reason);
    if (this.dropped.length < MAX_DROPPED) this.dropped.push({ reason, excerpt: this.source.slice(node.start, Math.min(node.end, node.start + EXCERPT)) });
  }

  /** Returns the key of the finding; undefined when it was dropped. */
  take(reading: FindingReading, node: JsonNode): string | undefined {
    if (reading.finding === null) this.drop(`a finding was dropped: ${reading.dropped}`, node);
    else if (this.findings.size >= MAX_FINDINGS) this.drop(`an answer may bring ${MAX_FINDINGS} findings`, node);
    else {
      for (const phrase of reading.doubts) this.say(`in a finding ${phrase}`);
      const key = JSON.stringify(reading.finding);
      this.findings.set(key, reading.finding);
      return key;
    }
    return undefined;
  }

  result(): AnswerReading {
    const complete = this.reasons.size === 0;
    const lost = this.drops > 1 ? `; ${this.drops} parts were dropped` : '';
    return { findings: [...this.findings.values()], complete, reason: complete ? null : `${[...this.reasons].join('; ')}${lost}`, dropped: this.dropped };
  }
}
