/**
 * `npm run forge-session [forge …]`: a session against each simulated forge through the engine, one line a step, then what a
 * person sees on the forge. No network, no key. The exit code is 1 where a step fails.
 */
import { FORGES, runSession, type SessionReport } from './forge-session/run-session.ts';

const MARKS = { done: 'ok  ', unsupported: '--  ', failed: 'FAIL' } as const;
const WIDTH = 42;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 240);

function print({ kind, steps, page, violations, requests }: SessionReport): void {
  const lines = [
    `\n${kind}`,
    ...steps.map(({ title, state, line }) => `${MARKS[state]} ${title.padEnd(WIDTH)} ${state === 'unsupported' ? 'unsupported: ' : ''}${oneLine(line)}`),
    ...violations.map(({ request, place, detail }) => `FAIL ${request} breaks the published description: ${place} ${detail}`),
    `\n  What stands on ${kind} now, after ${requests} requests:`,
    ...page.map(line => `  ${line}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const asked = process.argv.slice(2);
const unknown = asked.filter(name => !FORGES.some(kind => kind === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no simulator of ${unknown.join(', ')}; there are ${FORGES.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  for (const kind of FORGES.filter(one => asked.length === 0 || asked.includes(one))) {
    const report = await runSession(kind);
    print(report);
    if (report.violations.length > 0 || report.steps.some(({ state }) => state === 'failed')) process.exitCode = 1;
  }
}
