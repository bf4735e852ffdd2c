/** The hunks of one file with what was found between their lines. A hunk far off the screen costs nothing: the browser skips it. */
import { Fragment, type JSX, memo, type ReactNode } from 'react';
import { type DiffHunk, type DiffRow, rowsOf } from './diff-rows.ts';
import type { Part } from './word-changes.ts';

/** What stands below a line: `new:42` is line 42 as the change leaves it. */
export type BelowLine = ReadonlyMap<string, ReactNode>;

const words = (parts: readonly Part[]): ReactNode => parts.map((part, index) => (part.changed ? <mark key={index}>{part.text}</mark> : part.text));

const SIGNS = { add: '+', del: '-', context: '' } as const;

function Line({ row }: { readonly row: DiffRow }): JSX.Element {
  return (
    <div className={`diff-line ${row.kind}`}>
      <span className="number">{row.oldLine}</span>
      <span className="number">{row.newLine}</span>
      <span className="sign">{SIGNS[row.kind]}</span>
      <span className="text">{words(row.parts)}</span>
    </div>
  );
}

const below = (row: DiffRow, notes: BelowLine): ReactNode => (
  <>
    {row.oldLine !== null && notes.get(`old:${row.oldLine}`)}
    {row.newLine !== null && notes.get(`new:${row.newLine}`)}
  </>
);

const Hunk = memo(function Hunk({ hunk, notes }: { readonly hunk: DiffHunk; readonly notes: BelowLine }): JSX.Element {
  return (
    <div className="diff-hunk">
      <div className="diff-gap">
        @@ −{hunk.oldStart} +{hunk.newStart} @@
      </div>
      {rowsOf(hunk).map((row, index) => (
        <Fragment key={index}>
          <Line row={row} />
          {below(row, notes)}
        </Fragment>
      ))}
    </div>
  );
});

export function DiffView({ hunks, notes }: { readonly hunks: readonly DiffHunk[]; readonly notes: BelowLine }): JSX.Element {
  return (
    <div className="diff">
      {hunks.map(hunk => (
        <Hunk key={`${hunk.oldStart}:${hunk.newStart}`} hunk={hunk} notes={notes} />
      ))}
    </div>
  );
}
