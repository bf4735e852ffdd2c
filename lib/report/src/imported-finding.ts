/**
 * Builds a finding from what a foreign report says, inside the bounds of the contract.
 */
import type { Category, Finding, Severity } from '@weir/contract';
import { clip } from './plain-text.ts';

/** UTF-16 units of each text of an imported finding (REV-20b). A cut text ends in an ellipsis. */
export const IMPORT_TEXT = { title: 120, message: 10_000, quote: 10_000, suggestion: 50_000, tool: 64, rule: 128 } as const;

export interface Imported {
  readonly tool: string;
  readonly rule: string | undefined;
  readonly path: string;
  /** 1-based; 0 for the whole file. */
  readonly line: number;
  readonly endLine: number;
  readonly severity: Severity;
  readonly category: Category | null;
  readonly message: string;
  /** What the rule is called, for a message that is a form (`Artifact: a.js`, `Severity: HIGH`, …) and has no first sentence. */
  readonly ruleTitle?: string | undefined;
  readonly quote: string | null;
  readonly suggestion: string | null;
}

/** Lower case, only characters that the contract allows in a rule id, an alphanumeric one first; `absent` when nothing is left. */
function idPart(text: string, forbidden: RegExp, max: number, absent: string): string {
  const kept = text
    .slice(0, max)
    .toLowerCase()
    .replace(forbidden, '-')
    .replace(/^[^a-z0-9]+/, '');
  return kept.replace(/-$/, '') || absent;
}

/** Name of a tool as the first half of its rule ids. */
export const toolId = (name: string): string => idPart(name, /[^a-z0-9_.-]+/g, IMPORT_TEXT.tool, 'unnamed');

const ruleId = (tool: string, rule: string | undefined): string => `${toolId(tool)}/${idPart(rule ?? '', /[^a-z0-9_./:-]+/g, IMPORT_TEXT.rule, 'unnamed')}`;

/** Halves of a rule id of Weir, for reports that it wrote itself: such an id already begins with its tool. */
export function ownRule(id: string | undefined): { readonly tool: string; readonly rule: string | undefined } {
  const slash = id?.indexOf('/') ?? -1;
  return id === undefined || slash <= 0 ? { tool: 'weir', rule: id } : { tool: id.slice(0, slash), rule: id.slice(slash + 1) };
}

/** The first sentence of a message, without its full stop. */
export function titleOf(message: string): string {
  const line = message.trimStart().split(/\r?\n/, 1)[0] ?? '';
  const end = line.search(/[.!?](?:\s|$)/);
  const sentence = (end === -1 ? line : line.slice(0, line[end] === '.' ? end : end + 1)).trim();
  return clip(sentence === '' ? line.trim() : sentence, IMPORT_TEXT.title);
}

/** Several lines of which the first is a label and its value: a form, not a sentence. */
const isForm = (message: string): boolean => /^[A-Za-z][A-Za-z ]{0,30}: ?\S.*\r?\n/.test(message);

/** Rules about secrets: the code that they quote is the secret, and no report may hold it in clear. */
const ABOUT_SECRETS = /secret|credential|token|passw|api[-_. ]?key|private[-_. ]?key|access[-_. ]?key/i;

const clipped = (text: string | null, max: number): string | null => (text === null ? null : clip(text, max));

/** @returns undefined when the message is blank, since a finding has to say something. */
export function importedFinding(found: Imported): Finding | undefined {
  const title = titleOf((isForm(found.message.trimStart()) ? found.ruleTitle : undefined) ?? found.message);
  if (title === '') return undefined;
  const message = found.message.trim();
  return {
    rule: ruleId(found.tool, found.rule),
    path: found.path,
    side: 'new',
    line: found.line,
    endLine: Math.max(found.line, found.endLine),
    severity: found.severity,
    category: found.category,
    title,
    message: message === title || message === `${title}.` ? '' : clip(message, IMPORT_TEXT.message),
    quote: ABOUT_SECRETS.test(`${found.rule} ${title}`) ? null : clipped(found.quote, IMPORT_TEXT.quote),
    evidence: [],
    // Half a replacement would be a wrong one.
    suggestion: found.suggestion !== null && found.suggestion.length > IMPORT_TEXT.suggestion ? null : found.suggestion,
  };
}
