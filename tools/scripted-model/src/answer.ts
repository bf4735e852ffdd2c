/** The honest answer: one finding for each plant, in the JSON form that the prompt asks for. */
import type { Plant } from './find-plants.ts';

export function answerFor(plants: readonly Plant[]): string {
  const findings = plants.map(({ path, line, severity, category, title, code }) => ({
    path,
    side: 'new',
    line,
    endLine: line,
    severity,
    category,
    title,
    message: `${title}. Planted at line ${line} of ${path}.`,
    quote: code,
    evidence: [],
    suggestion: null,
  }));
  return JSON.stringify({ findings });
}
