/**
 * Maps the severity words of models and linters onto the four levels.
 * An unknown word is `minor`: the finding is kept, and neither fails a build nor hides among the notes.
 */
import { CATEGORIES, type Category, type Severity } from '@weir/contract';

const WORDS: Readonly<Record<Severity, readonly string[]>> = {
  blocker: ['blocker', 'blocking', 'critical', 'crit', 'fatal', 'error', 'severe', 'p0', 's0', 'sev0', 'sev1'],
  major: ['major', 'high', 'warning', 'warn', 'important', 'p1', 's1', 'sev2'],
  minor: ['minor', 'medium', 'moderate', 'normal', 'low', 'p2', 's2', 'sev3'],
  note: ['note', 'info', 'information', 'informational', 'nit', 'nitpick', 'trivial', 'hint', 'suggestion', 'style', 'p3', 'p4', 's3', 'sev4'],
};
const SEVERITY_OF = new Map<string, Severity>();
for (const [severity, words] of Object.entries(WORDS)) for (const word of words) SEVERITY_OF.set(word, severity as Severity);

/** Case, emoji and words around it do not matter: `🔴 HIGH severity` is major. */
export function severityOf(text: string | undefined): Severity {
  for (const word of (text ?? '').toLowerCase().split(/[^a-z0-9]+/)) {
    const severity = SEVERITY_OF.get(word);
    if (severity !== undefined) return severity;
  }
  return 'minor';
}

/** One of the closed set, or null: an unknown label is never `other`. */
export function categoryOf(text: string | undefined): Category | null {
  const plain = (text ?? '').trim().toLowerCase();
  return CATEGORIES.find(category => category === plain) ?? null;
}
