/**
 * The state machine over the lines of a diff: outside a section, in its header, in a hunk, or after one.
 * Inside an unfinished hunk every line that fits its counts is content, whatever it looks like.
 */
import type { DiffSink } from './diff-events.ts';
import { undisguise } from './disguised-line.ts';
import { type HunkCursor, openHunk } from './hunk-cursor.ts';
import { parseHunkHeader } from './hunk-header.ts';
import { announcedSection, contextDiffSection, hunklessSection, namelessSection } from './hunkless-section.ts';
import { HEADER_LINE_MAX, markTooLong, newSection, noteProblem, readHeaderLine, type Section } from './section.ts';
import { headOf } from './section-head.ts';

const CR = 13;
const MINUS = 45;
const BACKSLASH = 92;

/** How the lines start that together open a section without a `diff --git` line. */
const PLAIN = ['--- ', '+++ ', '@@ -'] as const;
const SHAPES = [PLAIN, ['*** ', '--- ', '***************'], ['Index: ', '===================']] as const;
type Shape = (typeof SHAPES)[number];

export class SectionMachine {
  private readonly sink: DiffSink;
  private section: Section | null = null;
  private started = false;
  private headerOpen = false;
  /** The hunk that still misses lines, and the last one that was read to its end with nothing after it yet. */
  private hunk: HunkCursor | null = null;
  private finished: HunkCursor | null = null;
  private hunkHeaders = 0;
  /** True while every header line of the section ended in CR: the transport added one to each line. */
  private crlf = false;
  /** The first lines of a shape, as they came: a section's header if the rest of the shape follows. */
  private held: string[] = [];
  private shape: Shape = PLAIN;
  /** True while only diff lines were seen, so that a line without keyword is not taken from a message. */
  private amongDiffs = true;

  constructor(sink: DiffSink) {
    this.sink = sink;
  }

  /** Reads the line `text[start..end)`, which has no line feed. */
  line(text: string, start: number, end: number): void {
    if (this.held.length > 0) this.afterHeld(text.slice(start, end));
    else if (this.hunk !== null) this.hunkLine(this.hunk, text, start, end);
    else this.outerLine(text.slice(start, end), true);
  }

  finish(): void {
    while (this.held.length > 0) this.settleHeld();
    this.endSection();
  }

  private hunkLine(hunk: HunkCursor, text: string, start: number, end: number): void {
    const mayOpen = text.charCodeAt(start) === MINUS && text.startsWith(PLAIN[0], start);
    if (mayOpen && hunk.missing() > 2) this.hold(PLAIN, text.slice(start, end));
    else this.content(hunk, text, start, end);
  }

  private content(hunk: HunkCursor, text: string, start: number, end: number): void {
    const last = this.crlf && end > start && text.charCodeAt(end - 1) === CR ? end - 1 : end;
    if (hunk.take(text, start, last)) {
      if (hunk.missing() > 0) return;
      this.hunk = null;
      this.finished = hunk;
    } else if (text.charCodeAt(start) === BACKSLASH && start < end) {
      this.markNoEol(hunk);
    } else {
      this.cutHunk(hunk);
      this.outerLine(text.slice(start, end), true);
    }
  }

  private hold(shape: Shape, raw: string): void {
    this.shape = shape;
    this.held = [raw];
  }

  /** A whole shape opens a section; also inside a hunk, since `@@` there means that the hunk was cut. */
  private afterHeld(raw: string): void {
    if (!raw.startsWith(this.shape[this.held.length] ?? raw)) {
      this.settleHeld();
      this.line(raw, 0, raw.length);
    } else if (this.held.length < this.shape.length - 1) {
      this.held.push(raw);
    } else {
      const [first = '', second = ''] = this.held;
      this.held = [];
      this.openShape([first, second], raw);
    }
  }

  /** The held lines turned out to be no header; the later ones may still begin one. */
  private settleHeld(): void {
    const [first, ...rest] = this.held;
    this.held = [];
    if (first === undefined) return;
    if (this.hunk !== null) this.content(this.hunk, first, 0, first.length);
    else this.outerLine(first, false);
    for (const line of rest) this.line(line, 0, line.length);
  }

  private openShape(names: readonly [string, string], last: string): void {
    if (this.shape === PLAIN) return this.openPlain(names, last);
    const [old, now] = names.map(name => withoutCr(name).slice(4)) as [string, string];
    if (this.shape.length === 3) this.open(contextDiffSection(old, now));
    else this.open(announcedSection(withoutCr(names[0]).slice('Index: '.length)));
  }

  private outerLine(raw: string, mayHold: boolean): void {
    const line = withoutCr(raw);
    if (this.sectionLine(line, raw)) return;
    const shape = mayHold ? SHAPES.find(([start]) => line.startsWith(start)) : undefined;
    if (shape !== undefined) this.hold(shape, raw);
    else if (!this.openDisguised(line) && !this.openHunkless(line)) this.between(line);
  }

  /** Reads a section's first line, a line of its header, or a hunk's header; false when it is none of them. */
  private sectionLine(line: string, raw: string): boolean {
    if (line.startsWith('diff --') && this.openNamed(line, raw)) return true;
    if (this.section !== null && this.headerOpen && readHeaderLine(this.section, line)) {
      this.crlf &&= line !== raw;
      return true;
    }
    if (!line.startsWith('@@') || !this.opensHunk(line)) return false;
    this.openHunk(this.section ?? this.open(namelessSection('no line names the file of these hunks')), line);
    return true;
  }

  /** Hunks without any header are visible too, as an API's answer for one file has them; `@@` in a message is not one. */
  private opensHunk(line: string): boolean {
    return this.section !== null || (this.amongDiffs && parseHunkHeader(line) !== undefined);
  }

  private openDisguised(line: string): boolean {
    const found = line.length > HEADER_LINE_MAX ? undefined : undisguise(line);
    if (found === undefined || !this.openNamed(found.line, found.line) || this.section === null) return false;
    this.section.unreadable = true;
    noteProblem(this.section, found.problem);
    return true;
  }

  private openNamed(line: string, raw: string): boolean {
    const found = /^diff --(git|cc|combined) /.exec(line);
    if (found === null) return false;
    const tooLong = line.length > HEADER_LINE_MAX;
    const section = this.open(newSection(found[1] === 'git' ? 'git' : 'combined', tooLong ? '' : line.slice(found[0].length)));
    this.headerOpen = true;
    this.crlf = line !== raw;
    if (tooLong) markTooLong(section);
    return true;
  }

  private openPlain(names: readonly [string, string], hunkHeader: string): void {
    const section = this.open(newSection('plain', ''));
    this.crlf = names.every(name => name !== withoutCr(name));
    for (const name of names) readHeaderLine(section, withoutCr(name));
    this.openHunk(section, withoutCr(hunkHeader));
  }

  private openHunkless(line: string): boolean {
    if (this.section !== null && this.saysBinary(this.section, line)) {
      this.section.binary = true;
      return true;
    }
    if (line.length > HEADER_LINE_MAX) return false;
    const section = hunklessSection(line, this.amongDiffs);
    if (section === undefined) return false;
    const again = this.section?.form === 'named' && this.section.submodule && this.section.names === section.names;
    if (!again) this.open(section);
    return true;
  }

  /** Subversion says it under the name that it announced. */
  private saysBinary(section: Section, line: string): boolean {
    if (section.form !== 'announced') return this.headerOpen && /^Binary file(?:s .*differ| .*has changed)$/s.test(line);
    if (!line.startsWith('Cannot display: ')) return false;
    [section.unreadable, section.problem] = [false, null];
    return true;
  }

  private open(section: Section): Section {
    if (this.section !== null && isAnnounced(this.section, section)) this.section = null;
    this.endSection();
    this.section = section;
    this.started = false;
    this.headerOpen = false;
    this.hunkHeaders = 0;
    this.amongDiffs = true;
    return section;
  }

  private openHunk(section: Section, line: string): void {
    this.headerOpen = false;
    this.finished = null;
    this.hunkHeaders += 1;
    const header = parseHunkHeader(line);
    if (header === undefined) {
      noteProblem(section, `hunk header ${this.hunkHeaders} can’t be read`);
      return;
    }
    if (!this.started) this.sink.startFile(headOf(section, header));
    this.started = true;
    const [old] = header.parents;
    this.sink.startHunk({ oldStart: old.start, oldLines: old.count, newStart: header.result.start, newLines: header.result.count });
    const hunk = openHunk(header, this.sink);
    this.hunk = hunk.missing() > 0 ? hunk : null;
  }

  /** A line between hunks or sections: the marker of a missing line feed, surplus content, a signature, or noise. */
  private between(line: string): void {
    if (this.finished !== null && line.startsWith('\\')) {
      this.markNoEol(this.finished);
    } else if (line === '-- ' || line === '--') {
      this.endSection();
      this.amongDiffs = false;
    } else if (this.finished !== null && this.section !== null && /^[ +-]/.test(line)) {
      noteProblem(this.section, `hunk ${this.hunkHeaders} has more lines than its header says`);
    } else {
      this.noise(line);
    }
  }

  private noise(line: string): void {
    this.finished = null;
    if (line === 'GIT binary patch' && this.section !== null && this.headerOpen) this.section.binary = true;
    else if (line !== '' && this.section?.form === 'announced') this.section.hasContent = true;
    else if (line !== '') this.amongDiffs = false;
    if (line === '') this.headerOpen = false;
  }

  private markNoEol(hunk: HunkCursor): void {
    const sides = hunk.lastSides();
    if (this.section === null) return;
    this.section.oldNoEol ||= sides.old;
    this.section.newNoEol ||= sides.new;
  }

  private cutHunk(hunk: HunkCursor): void {
    this.hunk = null;
    // At the end of a file, git can count a line of a later parent that it does not print.
    if (this.section !== null && hunk.missingNumbered() > 0)
      noteProblem(this.section, `hunk ${this.hunkHeaders} is cut: its header promises more lines (${hunk.missing()} missing)`);
  }

  private endSection(): void {
    if (this.hunk !== null) this.cutHunk(this.hunk);
    const section = this.section;
    this.section = null;
    this.finished = null;
    if (section === null) return;
    if (!this.started) {
      section.unreadable ||= this.hunkHeaders > 0;
      this.sink.startFile(headOf(section, null));
    }
    this.sink.endFile({ oldNoEol: section.oldNoEol, newNoEol: section.newNoEol, problem: section.problem });
  }
}

/** True when `next` is what `name` announced: it has the same name, or is the first thing after it and has a header of its own. */
function isAnnounced(name: Section, next: Section): boolean {
  if (name.form !== 'announced') return false;
  return name.names === next.names || !(name.hasContent || next.form === 'named' || next.form === 'announced');
}

function withoutCr(raw: string): string {
  return raw.endsWith('\r') ? raw.slice(0, -1) : raw;
}
