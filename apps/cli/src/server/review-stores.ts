/** Everything of reviews that lies in the database, over one connection of the process. */
import { sqlLeaseStore } from '@weir/bus-embedded';
import { openEnvelope } from '@weir/belt';
import type { ReviewEvent } from '@weir/contract';
import { sqlEventLog, sqlOutbox } from '@weir/event-store';
import type { Acknowledgements, EventLog, LeaseStore, Outbox, PostingClaims, ReviewColumns, ReviewFolds, ReviewViews, SecretBox, SqlPort } from '@weir/ports';
import { reviewList, type ReviewListRow, reviewPage, type ReviewPage } from '@weir/review';
import {
  sqlAcknowledgements,
  type SqlArtifacts,
  sqlArtifacts,
  type SqlDeliveries,
  sqlDeliveries,
  sqlPostingClaims,
  type SqlReviewRegistry,
  sqlReviewRegistry,
  sqlReviewViews,
} from '@weir/review-store';
import { REVIEW_UPCASTS } from './review-upcasts.ts';

export interface ReviewStores {
  readonly registry: SqlReviewRegistry;
  readonly artifacts: SqlArtifacts;
  readonly claims: PostingClaims;
  readonly views: ReviewViews<ReviewListRow, ReviewPage>;
  readonly deliveries: SqlDeliveries;
  readonly log: EventLog;
  readonly outbox: Outbox;
  readonly leases: LeaseStore;
  readonly acknowledgements: Acknowledgements;
}

const nameOf = ({ coordinates }: ReviewListRow): string =>
  coordinates === null ? '' : `${coordinates.repository.owner}/${coordinates.repository.name}#${coordinates.change}`;

const columns = (row: ReviewListRow): ReviewColumns => ({
  ...place(row),
  since: row.since,
  openBlockers: row.open.blocker,
  words: `${nameOf(row)} ${row.change?.title ?? ''} ${row.change?.author?.login ?? ''}`.toLowerCase(),
});

const place = ({ coordinates, status, archived, updatedAt }: ReviewListRow): Omit<ReviewColumns, 'since' | 'openBlockers' | 'words'> => ({
  forge: coordinates?.forge ?? null,
  origin: coordinates?.origin ?? null,
  repository: coordinates === null ? null : `${coordinates.repository.owner}/${coordinates.repository.name}`,
  change: coordinates?.change ?? null,
  status,
  archived,
  updatedAt,
});

const FOLDS: ReviewFolds<ReviewEvent, ReviewListRow, ReviewPage> = { list: reviewList, page: reviewPage, columns };

export function openReviewStores(sql: SqlPort, box: SecretBox): ReviewStores {
  const time = { now: Date.now };
  const views = sqlReviewViews<ReviewEvent, ReviewListRow, ReviewPage>(sql, { folds: FOLDS, open: openEnvelope });
  const outbox = sqlOutbox(sql, time);
  return {
    ...{ views, outbox },
    registry: sqlReviewRegistry(sql),
    artifacts: sqlArtifacts(sql, { box, ...time }),
    claims: sqlPostingClaims(sql, time),
    deliveries: sqlDeliveries(sql, box),
    log: sqlEventLog(sql, { outbox, projections: [views.projection], upcast: REVIEW_UPCASTS }),
    leases: sqlLeaseStore(sql, time),
    acknowledgements: sqlAcknowledgements(sql),
  };
}
