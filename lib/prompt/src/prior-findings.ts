/**
 * The slot of earlier findings (REV-21): one entry each, whole or not at all, so that nobody is asked about half a conversation. What
 * has no room is named.
 */
import type { CountTokens } from './estimate-tokens.ts';
import { visiblePath, visibleText } from './visible-text.ts';

export interface PriorFinding {
  /** `3a`. */
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly severity: string;
  readonly title: string;
  /** Empty where only the place and the title are shown. */
  readonly message: string;
  /** Oldest first. */
  readonly conversation: readonly { readonly by: string; readonly text: string }[];
}

export interface PriorFindings {
  readonly text: string;
  /** Ids of the findings that have room. */
  readonly shown: readonly string[];
  /** Null when all have room. */
  readonly note: string | null;
}

const place = ({ path, line, endLine }: PriorFinding): string =>
  line === 0 ? visiblePath(path) : `${visiblePath(path)}:${line}${endLine > line ? `-${endLine}` : ''}`;

const oneLine = (text: string): string => visiblePath(text.replace(/\s+/g, ' ').trim());

/** Every line of a text stands in from the edge, so that none looks like the head of another finding. */
const inset = (text: string): string => text.trim().replace(/^/gm, '  ');

function entryText(finding: PriorFinding): string {
  const { id, severity, title, message, conversation } = finding;
  const said = conversation.map(({ by, text }) => inset(`${oneLine(by)}: ${visibleText(text)}`));
  const told = message.trim() === '' ? [] : [inset(visibleText(message))];
  return [`--- ${id} ${severity} ${place(finding)}`, oneLine(title), ...told, ...said].join('\n');
}

/** @param budget tokens of the slot. */
export function priorFindingsSlot(findings: readonly PriorFinding[], budget: number, countTokens: CountTokens): PriorFindings {
  const parts: string[] = [];
  const shown: string[] = [];
  let left = budget;
  for (const finding of findings) {
    const text = entryText(finding);
    const tokens = countTokens(`${text}\n`);
    if (tokens > left) continue;
    left -= tokens;
    parts.push(text);
    shown.push(finding.id);
  }
  const note = shown.length === findings.length ? null : `earlier findings: ${shown.length} of ${findings.length} fit into ${budget} tokens`;
  return { text: parts.join('\n'), shown, note };
}
