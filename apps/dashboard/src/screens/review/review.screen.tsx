/** One review: is it ready, and why is that said? The verdict in a sentence, the diff with what was found, and how it came about. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { ReviewDetail } from '../../api/resources.ts';
import { read } from '../../api/use-read.ts';
import { shortCommit } from '../../format/words.ts';
import { GateBanner } from '../../marks/gate-banner.tsx';
import { Page } from '../../marks/page.tsx';
import { Answered } from '../../marks/states.tsx';
import { DiffFiles } from './diff-files.tsx';
import { EventLog } from './event-log.tsx';
import { FindingList } from './finding-list.tsx';
import { ReviewAside } from './review-aside.tsx';
import { ReviewBar } from './review-bar.tsx';
import { VerdictSentence } from './verdict-sentence.tsx';

function factsOf({ repository, change, head }: ReviewDetail): string {
  const number = change === null ? '' : `#${change.number}`;
  const author = change?.author ?? null;
  return [`${repository ?? ''}${number}`, ...(author === null ? [] : [author.login]), ...(head === null ? [] : [shortCommit(head)])].join(' · ');
}

function Stopped({ review }: { readonly review: ReviewDetail }): JSX.Element | null {
  const last = review.rounds.at(-1);
  if (last === undefined || (last.status !== 'refused' && last.status !== 'failed')) return null;
  return (
    <GateBanner tone={last.status === 'refused' ? 'wait' : 'bad'}>
      <b>
        Round {last.round} {last.status === 'refused' ? 'was refused' : 'failed'}.
      </b>{' '}
      {last.reason}
    </GateBanner>
  );
}

function Body({ review }: { readonly review: ReviewDetail }): JSX.Element {
  return (
    <>
      <Stopped review={review} />
      <ReviewBar review={review} />
      <div className="beside">
        <div className="stack">
          <DiffFiles review={review} />
          <FindingList review={review} />
          <EventLog reviewId={review.id} />
        </div>
        <ReviewAside review={review} />
      </div>
    </>
  );
}

export function Screen(): JSX.Element {
  const { reviewId } = useParams({ from: '/reviews/$reviewId' });
  const query = useQuery(read<ReviewDetail>(`/reviews/${encodeURIComponent(reviewId)}`));
  const review = query.data;
  if (review === undefined)
    return (
      <Page title="Review" sentence={query.isError ? 'This review cannot be shown.' : 'Reading the review…'}>
        <Answered query={query}>{() => null}</Answered>
      </Page>
    );
  return (
    <Page title={review.change?.title ?? 'Review'} facts={factsOf(review)} sentence={<VerdictSentence review={review} />}>
      <Answered query={query}>{answer => <Body review={answer} />}</Answered>
    </Page>
  );
}
