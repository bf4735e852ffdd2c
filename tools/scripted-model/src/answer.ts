/** The honest answers: one finding for each plant, a verdict on each earlier finding, a sentence to a question; in the form that the prompt asks for. */
import { type Plant, plantOfRemoved } from './find-plants.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  /** The finding is one of its own; of others it knows nothing. */
  readonly planted: boolean;
}

/** `--- 3a major src/app.ts:12`, then the title. */
const LISTED = /^--- ([0-9]{1,9}[a-z]{1,6}) \S+ \S/;

/** What the last words of a user message ask for. */
const ASKS_VERDICTS = 'Give the verdicts on the findings above.';
const SHOWS_WHOLE = 'The diff is the whole change as it is now.';
const ASKS_PROSE = ['Answer the question above.', 'Describe the change above.'] as const;

/** @param prompt the user message. */
export function answerFor(prompt: string, plants: readonly Plant[]): string {
  const end = prompt.slice(-400);
  if (end.includes(ASKS_VERDICTS)) return verdictsOf(prompt, plants);
  if (ASKS_PROSE.some(words => end.includes(words))) return proseOf(plants);
  return findingsOf(plants);
}

function findingsOf(plants: readonly Plant[]): string {
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

/** What is removed is resolved; what is removed and added again is still open. In the whole change, what is not there any more is resolved. */
function verdictsOf(prompt: string, plants: readonly Plant[]): string {
  const removed = new Set(prompt.split('\n').flatMap(line => plantOfRemoved(line) ?? []));
  const stands = new Set(plants.map(({ title }) => title));
  const whole = prompt.slice(-400).includes(SHOWS_WHOLE);
  const verdictOn = ({ title, planted }: Listed) => {
    if (!planted || (whole ? stands.has(title) : !removed.has(title))) return { verdict: 'unchanged', reason: 'Nothing in the diff bears on it.' };
    return stands.has(title)
      ? { verdict: 'still_open', reason: 'The line was changed and still has the mark.' }
      : { verdict: 'resolved', reason: 'The line that it is about is gone.' };
  };
  const verdicts = listedIn(prompt).map(one => ({ finding: one.id, ...verdictOn(one) }));
  return JSON.stringify({ verdicts });
}

const PLANTED = 'Planted at line ';

/** Each entry ends where the next one begins. */
function listedIn(prompt: string): readonly Listed[] {
  const [list = ''] = prompt.split('<<<END DATA prior-findings', 1);
  const lines = list.split('\n');
  const starts = lines.flatMap((line, at) => (LISTED.test(line) ? [at] : []));
  return starts.map((start, at) => ({
    id: LISTED.exec(lines[start] ?? '')?.[1] ?? '',
    title: lines[start + 1] ?? '',
    planted: lines.slice(start, starts[at + 1] ?? lines.length).some(line => line.includes(PLANTED)),
  }));
}

const proseOf = (plants: readonly Plant[]): string =>
  plants.length === 0
    ? 'The change as it is shown has no marked line.'
    : `The change has ${plants.length} marked ${plants.length === 1 ? 'line' : 'lines'}: ${plants.map(({ path, line, title }) => `${title} (\`${path}\`, line ${line})`).join('; ')}.`;
