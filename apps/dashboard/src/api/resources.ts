/** What the pages read, by the contract's schemas. Money is in millicents, and null is unknown, never zero. */

export type {
  ApiAccepted as Accepted,
  ApiAccount as AccountRow,
  ApiCharge as ChargeRow,
  ApiCounts as Counts,
  ApiDeadLetter as DeadLetterRow,
  ApiDelivery as DeliveryRow,
  ApiDiff as Diff,
  ApiDiffFile as DiffFile,
  ApiEvent as EventRow,
  ApiFinding as FindingDetail,
  ApiFirstRun as FirstRun,
  ApiFirstRunStep as FirstRunStep,
  ApiInbox as Inbox,
  ApiInboxRow as InboxRow,
  ApiModel as ModelRow,
  ApiPrincipal as Principal,
  ApiProvider as ProviderRow,
  ApiReplayed as Replayed,
  ApiRepository as RepositoryRow,
  ApiRepositoryRules as RepositoryRules,
  ApiReview as ReviewDetail,
  ApiReviewList as ReviewList,
  ApiReviewRow as ReviewRow,
  ApiReviewTotals as ReviewTotals,
  ApiRound as RoundDetail,
  ApiSession as Session,
  ApiSetting as SettingRow,
  ApiSpecialist as SpecialistRow,
  ApiSpend as Spend,
  ApiSpendSlice as SpendSlice,
  ApiWhy as WhyAnswer,
} from '@weir/contract';

/** One page of a list; `next` is the cursor of the page behind it. */
export interface CursorPage<Row> {
  readonly items: readonly Row[];
  readonly next: string | null;
}
