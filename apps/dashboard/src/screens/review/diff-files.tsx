/** The diff of the last round that was read, in order of meaning, file by file, with findings between the lines. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { type JSX, type ReactNode, useMemo } from 'react';
import { apiPath, readApi } from '../../api/call-api.ts';
import type { Diff, DiffFile, FindingDetail, ReviewDetail } from '../../api/resources.ts';
import type { Pages } from '../../api/use-pages.ts';
import { counted } from '../../format/words.ts';
import { type BelowLine, DiffView } from '../../marks/diff-view.tsx';
import { GateBanner } from '../../marks/gate-banner.tsx';
import { Listed } from '../../marks/list-states.tsx';
import { Card } from '../../marks/page.tsx';
import { Empty } from '../../marks/states.tsx';
import { findingsOfFile, lineKey } from './findings-of-file.ts';
import { FindingCard } from './finding-card.tsx';

function notesOf(findings: readonly FindingDetail[], reviewId: string): BelowLine {
  const notes = new Map<string, ReactNode[]>();
  for (const finding of findings) {
    const cards = notes.get(lineKey(finding)) ?? [];
    cards.push(<FindingCard key={finding.id} finding={finding} reviewId={reviewId} />);
    notes.set(lineKey(finding), cards);
  }
  return notes;
}

function FileCard({ file, review }: { readonly file: DiffFile; readonly review: ReviewDetail }): JSX.Element {
  const { placed, loose } = useMemo(() => findingsOfFile(file, review.findings), [file, review.findings]);
  const notes = useMemo(() => notesOf(placed, review.id), [placed, review.id]);
  const count = placed.length + loose.length;
  const title = file.oldPath !== null && file.oldPath !== file.path ? `${file.oldPath} → ${file.path}` : file.path;
  return (
    <Card
      title={<span className="mono">{title}</span>}
      aside={`${count === 0 ? '' : `${counted(count, 'finding')} · `}${file.meaning} · +${file.addedLines} −${file.removedLines}`}
    >
      {file.problem !== null && <p className="card-body tone-unknown">{file.problem}</p>}
      {loose.map(finding => (
        <FindingCard key={finding.id} finding={finding} reviewId={review.id} alone />
      ))}
      {file.hunks.length === 0 && file.problem === null && <p className="card-body ink3">Nothing of its text has changed ({file.kind}).</p>}
      <DiffView hunks={file.hunks} notes={notes} />
    </Card>
  );
}

export function DiffFiles({ review }: { readonly review: ReviewDetail }): JSX.Element {
  const path = `/reviews/${review.id}/diff`;
  const query = useInfiniteQuery({
    queryKey: ['diff', apiPath(path, { head: review.head ?? '' })],
    queryFn: ({ pageParam, signal }) => readApi<Diff>(path, { query: { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: review.round > 0,
  });
  const pages: Pages<DiffFile> = {
    rows: review.round > 0 ? query.data?.pages.flatMap(page => page.items) : [],
    more: query.hasNextPage ? { busy: query.isFetchingNextPage, load: () => void query.fetchNextPage() } : null,
    error: query.error,
    retry: () => void query.refetch(),
  };
  const warnings = query.data?.pages[0]?.warnings ?? [];
  return (
    <div className="stack">
      {warnings.map(warning => (
        <GateBanner key={warning} tone="wait">
          {warning}
        </GateBanner>
      ))}
      <Listed pages={pages} empty={<Empty title="No diff to show.">It is read from the forge once a round has read the change.</Empty>}>
        {files => files.map(file => <FileCard key={file.path} file={file} review={review} />)}
      </Listed>
    </div>
  );
}
