/**
 * All pages of a list, one after another (PRV-11). A list is whole or a failure, never short.
 */
import type { ProviderDescriptor } from '@weir/contract';
import { itemsOf, type NextPage, nextPage, type OperationRow, type PageWalk, pagingParameters, type PagingParameters, WALK_START } from '@weir/operation-table';
import type { CallAnswer, ExecuteCall } from './execute-call.ts';
import type { CallPlanner, PlannedCall } from './plan-call.ts';
import { failed, type Outcome } from './provider-failure.ts';
import type { CallContext, CallOptions } from './provider-options.ts';
import type { PageMaximum } from './server-page-maximum.ts';

export interface Page {
  readonly items: readonly unknown[];
  readonly answer: CallAnswer;
}

/** Yields pages; the last entry is a failure where the walk could not be finished. */
export type WalkPages = (operation: string, args: Readonly<Record<string, unknown>>, options: CallOptions) => AsyncGenerator<Outcome<Page>, void, undefined>;

export interface WalkParts {
  readonly descriptor: ProviderDescriptor;
  readonly planner: CallPlanner;
  readonly execute: ExecuteCall;
  readonly serverMaximum: (context: CallContext) => Promise<Outcome<PageMaximum>>;
  readonly now: () => number;
}

/** A walk that has not begun: what does not change from page to page. */
interface OpenWalk {
  readonly row: OperationRow;
  readonly parameters: PagingParameters;
  readonly args: Readonly<Record<string, unknown>>;
  readonly fullPage: number;
  readonly itemsPath: string | undefined;
  readonly until: number;
}

export const createWalk = (parts: WalkParts): WalkPages => {
  const { descriptor, planner, execute, now } = parts;
  const { pagination, timeouts } = descriptor;

  function placeAfter(walk: OpenWalk, { request }: PlannedCall, { answer, items }: Page, place: PageWalk): NextPage {
    const { headers, value } = answer;
    const next = nextPage(walk.row.pagination, {
      ...{ url: request.url, headers, value, items, walk: place, fullPage: walk.fullPage, ...firstPlace(walk.parameters, walk.args) },
      ...{ maxPages: pagination.max_pages, maxItems: pagination.max_items },
    });
    const goesOn = next.kind === 'next' || next.kind === 'probe';
    if (!goesOn || now() <= walk.until) return next;
    return { kind: 'BoundExceeded', reason: `the walk over its pages takes longer than ${timeouts.walk_ms / 1_000} s` };
  }

  return async function* walk(operation, args, options) {
    const opened = await openWalk(parts, operation, args, options);
    if (!opened.ok) return yield opened;
    const { row } = opened.value;
    let planned = planner.plan(row, opened.value.args, options);
    let place: PageWalk = WALK_START;
    for (;;) {
      if (!planned.ok) return yield planned;
      const page = await readPage(planned.value, opened.value.itemsPath, options, execute);
      yield page;
      if (!page.ok) return;
      const next = placeAfter(opened.value, planned.value, page.value, place);
      if (next.kind === 'last') return;
      if (next.kind !== 'next' && next.kind !== 'probe') return yield endOf(next);
      place = next.walk;
      planned = 'url' in next ? atUrl(planned.value, next.url) : planner.plan(row, { ...opened.value.args, ...next.query }, options);
    }
  };
};

async function openWalk(
  { descriptor, planner, serverMaximum, now }: WalkParts,
  operation: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<Outcome<OpenWalk>> {
  const { pagination, timeouts } = descriptor;
  const found = planner.find(operation);
  if (!found.ok) return found;
  const maximum = await serverMaximum(options);
  if (!maximum.ok) return maximum;
  const row = found.value;
  const parameters = pagingParameters(row, describedNames(pagination));
  const itemsPath = pagination.items[row.id] ?? pagination.items[`${row.method} ${row.path}`] ?? pagination.items['*'];
  return { ok: true, value: { row, parameters, ...sizedArgs(args, parameters, maximum.value), itemsPath, until: now() + timeouts.walk_ms } };
}

const describedNames = ({
  page_parameter: page,
  per_page_parameter: perPage,
}: ProviderDescriptor['pagination']): { readonly page?: string; readonly perPage?: string } => ({
  ...(page === undefined ? {} : { page }),
  ...(perPage === undefined ? {} : { perPage }),
});

async function readPage(planned: PlannedCall, itemsPath: string | undefined, options: CallOptions, execute: ExecuteCall): Promise<Outcome<Page>> {
  const answered = await execute(planned, options);
  if (!answered.ok) return answered;
  const answer = answered.value;
  const items = itemsOf(answer.value ?? [], itemsPath);
  if (items.kind === 'list') return { ok: true, value: { items: items.items, answer } };
  if (items.kind === 'single') return failed('Arguments', 'its answer is no list: ask it with a single call');
  return failed('Unavailable', items.reason);
}

/** A page is asked for as large as it may be, unless the caller says otherwise. */
function sizedArgs(
  args: Readonly<Record<string, unknown>>,
  { perPage }: PagingParameters,
  { ask, full }: PageMaximum,
): { readonly args: Readonly<Record<string, unknown>>; readonly fullPage: number } {
  if (perPage === undefined) return { args, fullPage: full };
  const asked = Number(args[perPage] ?? args[`query.${perPage}`] ?? Number.NaN);
  if (Number.isNaN(asked)) return { args: { ...args, [perPage]: ask }, fullPage: full };
  return { args, fullPage: Math.max(1, Math.min(asked, full)) };
}

function firstPlace({ parameter }: PagingParameters, args: Readonly<Record<string, unknown>>): { readonly parameter?: string; readonly first?: number } {
  if (parameter === undefined) return {};
  const first = Number(args[parameter] ?? Number.NaN);
  return Number.isSafeInteger(first) ? { parameter, first } : { parameter };
}

/** Why a walk ends before its list does. */
const endOf = ({ kind, reason }: Exclude<NextPage, { kind: 'next' | 'probe' | 'last' }>): Outcome<never> =>
  kind === 'malformed'
    ? failed('Unavailable', reason, { hint: 'The list is not used: a part of it would look like all of it.' })
    : failed('BoundExceeded', reason);

const atUrl = (planned: PlannedCall, url: string): Outcome<PlannedCall> => ({ ok: true, value: { ...planned, request: { ...planned.request, url } } });
