/** Calls of the ledger as rows: tokens and money by call, and never a rate. */
import type { ApiCharge, Charge, TokenType } from '@weir/contract';
import type { CallPlace, LedgerStore, SpendFilter } from '@weir/ports';
import { badCursor, isoOf } from './dashboard-world.ts';

/** Tokens of these types together; null where one of them is unknown, or none was reported. */
function tokensOf(lines: readonly Charge[], types: readonly TokenType[]): number | null {
  const found = lines.filter(({ tokenType }) => types.includes(tokenType));
  if (found.length === 0) return lines.some(({ tokenType }) => tokenType === 'total') ? null : 0;
  return found.reduce<number | null>((sum, { tokens }) => (sum === null || tokens === null ? null : sum + tokens), 0);
}

export function chargeRow(lines: readonly Charge[]): ApiCharge | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const priced = lines.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  return {
    callRef: first.callRef,
    at: isoOf(first.at),
    capability: first.capability,
    model: `${first.modelProvider}/${first.model}`,
    repository: first.repository,
    inputTokens: tokensOf(lines, ['input', 'cache_write']),
    cachedTokens: tokensOf(lines, ['cached_input']),
    outputTokens: tokensOf(lines, ['output', 'reasoning']),
    millicents: lines.some(({ cost }) => cost === null) ? null : priced,
    pricedMillicents: priced,
  };
}

/** What a viewer is told of a body with calls: tokens beside a cost would tell the rate (REV-39a). */
export function withoutTokens(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('charges' in body) || !Array.isArray(body.charges)) return body;
  const told = (body.charges as readonly ApiCharge[]).map(charge => ({ ...charge, inputTokens: undefined, cachedTokens: undefined, outputTokens: undefined }));
  return { ...body, charges: told };
}

const PLACE = /^(\d{1,16})\.(.{1,512})$/su;

function readPlace(cursor: string | undefined): CallPlace | null {
  if (cursor === undefined) return null;
  const [, at, callRef] = PLACE.exec(cursor) ?? [];
  if (at === undefined || callRef === undefined) throw badCursor();
  return { at: Number(at), callRef };
}

export interface ChargePage {
  readonly charges: readonly ApiCharge[];
  readonly next: string | null;
}

/** The calls of a filter, newest first. Throws REQUEST_INVALID for a cursor that it has not given. */
export async function chargePage(
  ledger: Pick<LedgerStore, 'calls'>,
  filter: SpendFilter,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
): Promise<ChargePage> {
  const calls = await ledger.calls(filter, { limit: limit + 1, before: readPlace(cursor) });
  const page = calls.slice(0, limit);
  const last = page.at(-1);
  const at = last?.reduce((newest, line) => Math.max(newest, line.at), 0);
  const next = calls.length <= limit || last?.[0] === undefined ? null : `${at}.${last[0].callRef}`;
  return { charges: page.flatMap(lines => chargeRow(lines) ?? []), next };
}
