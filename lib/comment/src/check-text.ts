/** The texts of the check or commit status of a round (REV-19): a plain line, and a summary in the forge's dialect. */
import type { Severity } from '@weir/contract';
import { oneLine } from '@weir/report';
import { code, type Dialect, sentence, strong, text } from './comment-document.ts';
import { SHORT_COMMIT } from './follow-up-reply.ts';
import { printDocument } from './print-document.ts';

export interface CheckFacts {
  readonly change: number;
  readonly round: number;
  readonly head: string;
  readonly headline: string;
  readonly open: Readonly<Record<Severity, number>>;
  readonly reading: string;
  /** Why the check is not green; null when it is, or when it says nothing. */
  readonly blockedBy: string | null;
  readonly notes: readonly string[];
  readonly page: string | null;
}

export interface CheckText {
  /** One plain line of at most `MAX_STATUS_CHARS`, without Markdown. */
  readonly description: string;
  readonly title: string;
  readonly summary: string;
  readonly leftOut: number;
}

/** The shortest field of the supported forges for a status's description. */
export const MAX_STATUS_CHARS = 140;
const MAX_TITLE_CHARS = 200;

/** At most `max` UTF-16 units, and never half a character. */
function shortened(line: string, max: number): string {
  if (line.length <= max) return line;
  const last = line.charCodeAt(max - 2);
  return `${line.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1)}…`;
}

export function renderCheck(facts: CheckFacts, dialect: Dialect): CheckText {
  const headline = oneLine(facts.headline);
  const counts = (Object.entries(facts.open) as [Severity, number][]).map(([severity, count]) => `${severity} ${count}`).join(' · ');
  const { body, leftOut } = printDocument(
    {
      marker: null,
      blocks: [
        sentence(
          strong(text(headline)),
          text(' Round '),
          text(`${facts.round} of `),
          { kind: 'change', number: facts.change },
          text(' at '),
          code(facts.head.slice(0, SHORT_COMMIT)),
          text('.'),
        ),
        ...(facts.blockedBy === null ? [] : [sentence(text(`Not green: ${oneLine(facts.blockedBy)}`))]),
        sentence(text(`Open: ${counts}`)),
        sentence(text(oneLine(facts.reading))),
        ...(facts.notes.length === 0 ? [] : [{ kind: 'list', items: facts.notes.map(note => [text(oneLine(note))]) } as const]),
      ],
      footer: [],
      whole: facts.page,
    },
    dialect,
  );
  return { description: shortened(headline, MAX_STATUS_CHARS), title: shortened(headline, MAX_TITLE_CHARS), summary: body, leftOut };
}
