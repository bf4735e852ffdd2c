import { ERRORS } from '@weir/contract';

/** docs/reference/errors.md: one heading a code. */
export const errorsPage = (): string =>
  [
    '# Errors',
    '',
    'Generated from `contract/src/errors.ts` by `npm run generate`; a test holds the two together.',
    'The CLI prints `error[CODE]: sentence` and a line `try: …` on stderr.',
    '',
    ...Object.entries(ERRORS).flatMap(([code, row]) => [
      `## ${code}`,
      '',
      row.when,
      '',
      `- Try: ${row.next}`,
      `- Exit code: ${row.exit}`,
      `- The same call may succeed later: ${row.retry === 'later' ? 'yes' : 'no'}`,
      '',
    ]),
  ].join('\n');
