/** The comment on the lines of a finding: title, what follows, the suggestion, and what was read as evidence. */
import type { Evidence, Severity } from '@weir/contract';
import { oneLine, SEVERITY_ROWS } from '@weir/report';
import { type Block, code, type CommentDocument, type Dialect, type Inline, link, type RenderedComment, sentence, strong, text } from './comment-document.ts';
import { findingKey, reviewTag } from './marker.ts';
import { printDocument } from './print-document.ts';
import { readProse } from './read-prose.ts';
import { SEVERITY_LABELS } from './severity-label.ts';
import { suggestionBlock, type SuggestionFacts } from './suggestion.ts';

export interface LinkedEvidence extends Evidence {
  /** Address of the line at the commit that was read, built by Weir; null for none. */
  readonly url: string | null;
}

export interface InlineFacts {
  readonly reviewId: string;
  readonly round: number;
  /** `3a`. */
  readonly id: string;
  readonly fingerprint: string;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly evidence: readonly LinkedEvidence[];
  readonly suggestion: SuggestionFacts | null;
  /** Why the comment stands elsewhere than the finding says; null when it does not. */
  readonly moved: string | null;
  /** Where the whole finding is shown; null where no link may be posted. */
  readonly whole: string | null;
}

/** Places that are listed; the model is asked for few. */
const MAX_EVIDENCE = 10;

export const placeText = (path: string, line: number | null): string => (line === null || line === 0 ? path : `${path}:${line}`);

/** `**issue (blocking): Retry has no ceiling** · ⛔ · 3a` */
export const titleLine = (severity: Severity, title: string, id: string): readonly Inline[] => [
  strong(text(`${SEVERITY_LABELS[severity]}: ${oneLine(title)}`)),
  text(` · ${SEVERITY_ROWS[severity].glyph} · `),
  code(id),
];

function evidenceBlocks(evidence: readonly LinkedEvidence[]): readonly Block[] {
  const shown = evidence.slice(0, MAX_EVIDENCE).map(({ path, line, note, url }): readonly Inline[] => {
    const place = placeText(path, line);
    return [url === null ? code(place) : link(place, url), ...(note === '' ? [] : [text(` ${oneLine(note)}`)])];
  });
  const rest = evidence.length - shown.length;
  const more: readonly (readonly Inline[])[] = rest > 0 ? [[text(`and ${rest} more places`)]] : [];
  return shown.length === 0 ? [] : [sentence(text('Read as evidence:')), { kind: 'list', items: [...shown, ...more] }];
}

function inlineDocument(facts: InlineFacts, dialect: Dialect): CommentDocument {
  return {
    marker: { kind: 'finding', review: reviewTag(facts.reviewId), round: facts.round, finding: facts.id, key: findingKey(facts.fingerprint) },
    blocks: [
      sentence(...titleLine(facts.severity, facts.title, facts.id)),
      ...readProse(facts.message),
      ...(facts.moved === null ? [] : [sentence(text(oneLine(facts.moved)))]),
      ...(facts.suggestion === null ? [] : [suggestionBlock(facts.suggestion, dialect)]),
      ...evidenceBlocks(facts.evidence),
    ],
    footer: [],
    whole: facts.whole,
  };
}

export const renderInline = (facts: InlineFacts, dialect: Dialect): RenderedComment => printDocument(inlineDocument(facts, dialect), dialect);
