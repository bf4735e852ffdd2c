/**
 * Walks the body of one hunk: its header's counts say which line is content and where the hunk ends.
 * One cursor for a plain hunk, one for a combined hunk, whose lines have a prefix column for each parent.
 */
import type { DiffSink } from './diff-events.ts';
import type { LineKind } from './diff-model.ts';
import type { HunkHeader } from './hunk-header.ts';

export interface HunkCursor {
  /** Lines that the header still promises, on all sides. */
  missing(): number;
  /** Those of them on the two sides that the model numbers: the old one (of a combined diff, the first parent) and the new one. */
  missingNumbered(): number;
  /** Reports the line `text[start..end)`; false, with nothing reported, when it can't be part of the hunk. */
  take(text: string, start: number, end: number): boolean;
  /** The sides that the last line taken is on, for the marker of a missing line feed. */
  lastSides(): { readonly old: boolean; readonly new: boolean };
}

export const openHunk = (header: HunkHeader, sink: DiffSink): HunkCursor =>
  header.parents.length === 1 ? new PlainHunk(header, sink) : new CombinedHunk(header, sink);

const SPACE = 32;
const PLUS = 43;
const MINUS = 45;

class PlainHunk implements HunkCursor {
  private readonly sink: DiffSink;
  private oldNext: number;
  private newNext: number;
  private oldLeft: number;
  private newLeft: number;
  private last: LineKind | null = null;

  constructor(header: HunkHeader, sink: DiffSink) {
    this.sink = sink;
    this.oldNext = header.parents[0].start;
    this.oldLeft = header.parents[0].count;
    this.newNext = header.result.start;
    this.newLeft = header.result.count;
  }

  missing(): number {
    return this.oldLeft + this.newLeft;
  }

  missingNumbered(): number {
    return this.missing();
  }

  lastSides(): { old: boolean; new: boolean } {
    return { old: this.last === 'context' || this.last === 'removed', new: this.last === 'context' || this.last === 'added' };
  }

  /** An empty line is a blank context line whose space was trimmed (diff.suppressBlankEmpty, mail programs). */
  take(text: string, start: number, end: number): boolean {
    switch (start < end ? text.charCodeAt(start) : SPACE) {
      case SPACE:
        if (this.oldLeft === 0 || this.newLeft === 0) return false;
        this.oldLeft -= 1;
        this.newLeft -= 1;
        this.last = 'context';
        this.sink.line('context', this.oldNext++, this.newNext++, text.slice(start + 1, end));
        return true;
      case PLUS:
        if (this.newLeft === 0) return false;
        this.newLeft -= 1;
        this.last = 'added';
        this.sink.line('added', null, this.newNext++, text.slice(start + 1, end));
        return true;
      case MINUS:
        if (this.oldLeft === 0) return false;
        this.oldLeft -= 1;
        this.last = 'removed';
        this.sink.line('removed', this.oldNext++, null, text.slice(start + 1, end));
        return true;
      default:
        return false;
    }
  }
}

/** A minus column: that parent has the line, the result lacks it. A plus column: the result has it, that parent lacks it. */
class CombinedHunk implements HunkCursor {
  private readonly sink: DiffSink;
  private oldNext: number;
  private newNext: number;
  private readonly oldLeft: number[];
  private newLeft: number;
  private last = { old: false, new: false };

  constructor(header: HunkHeader, sink: DiffSink) {
    this.sink = sink;
    this.oldNext = header.parents[0].start;
    this.oldLeft = header.parents.map(span => span.count);
    this.newNext = header.result.start;
    this.newLeft = header.result.count;
  }

  missing(): number {
    return this.oldLeft.reduce((sum, left) => sum + left, this.newLeft);
  }

  missingNumbered(): number {
    return (this.oldLeft[0] ?? 0) + this.newLeft;
  }

  lastSides(): { old: boolean; new: boolean } {
    return this.last;
  }

  take(text: string, start: number, end: number): boolean {
    const columns = text.slice(start, Math.min(start + this.oldLeft.length, end)).padEnd(this.oldLeft.length, ' ');
    if (!/^[ +-]*$/.test(columns) || !this.count(columns)) return false;
    const removed = columns.includes('-');
    this.last = { old: columns.startsWith(removed ? '-' : ' '), new: !removed };
    const kind = removed ? 'removed' : columns.includes('+') ? 'added' : 'context';
    const body = text.slice(start + this.oldLeft.length, end);
    this.sink.line(kind, this.last.old ? this.oldNext++ : null, removed ? null : this.newNext++, body);
    return true;
  }

  /** Takes the line from the counts of every side that has it; false when one has no line left. */
  private count(columns: string): boolean {
    const removed = columns.includes('-');
    const mark = removed ? '-' : ' ';
    if (!removed && this.newLeft === 0) return false;
    if (this.oldLeft.some((left, parent) => left === 0 && columns[parent] === mark)) return false;
    this.oldLeft.forEach((left, parent) => {
      if (columns[parent] === mark) this.oldLeft[parent] = left - 1;
    });
    if (!removed) this.newLeft -= 1;
    return true;
  }
}
