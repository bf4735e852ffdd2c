/** `weir provider call`, `weir debug response`, `weir debug webhook`: one operation, one answer, one delivery, as JSON. */
import { EXIT, type ExitCode } from '@weir/contract';
import { type CallAnswer, compileProvider, mapWebhook } from '@weir/forge';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import { findOperation, itemsOf, nextPage, pagingParameters, WALK_START } from '@weir/operation-table';
import { printableJson, writeJson, writeOut } from '../output.ts';
import { parseObject, readText } from '../provider/call-arguments.ts';
import { openProvider, readProvider } from '../provider/open-provider.ts';
import { type CallTarget, prepareCall, type PreparedCall } from '../provider/prepare-call.ts';
import { loadProvider } from '../provider/provider-files.ts';

export interface CallRequest extends CallTarget {
  readonly all: boolean;
  readonly dryRun: boolean;
}

/** Each page is written as it comes, so memory is bounded by a page. Where a page fails the list is never closed: what was printed is no JSON. */
async function printPages({ provider, args, options }: PreparedCall, operation: string): Promise<ExitCode> {
  let separator = '[';
  try {
    for await (const page of provider.pages(operation, args, options)) {
      for (const item of page.items) {
        await writeOut(`${separator}\n${printableJson(item)}`);
        separator = ',';
      }
    }
  } catch (error) {
    if (separator === ',') await writeOut(',\n');
    throw error;
  }
  await writeOut(separator === '[' ? '[]\n' : '\n]\n');
  return EXIT.clean;
}

/** What became of a write, beside its answer. */
function reportWrite({ recorded, receipt }: CallAnswer, say: PreparedCall['say']): ExitCode {
  if (recorded === false) say('The write was made, but its outcome could not be recorded: the audit log shows a write whose end nobody saw.');
  else if (typeof receipt === 'string') say('The write and its receipt are in the audit log: weir provider audit.');
  return recorded === false ? EXIT.incomplete : EXIT.clean;
}

export const runProviderCall = (request: CallRequest, signal: AbortSignal): Promise<ExitCode> =>
  prepareCall(request, { signal, dryRun: request.dryRun }, async call => {
    const { provider, args, options, say } = call;
    if (request.dryRun) {
      await writeJson(provider.dryRun(request.operation, args, options));
      return EXIT.clean;
    }
    if (request.all) return printPages(call, request.operation);
    const answer = await provider.call(request.operation, args, options);
    await writeJson(answer.value);
    return reportWrite(answer, say);
  });

export interface ResponseRequest {
  readonly provider: string;
  readonly operation: string;
  readonly status: string;
  readonly headers: readonly string[];
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.search(/[=:]/);
    if (at <= 0) throw new AppError('USAGE', `--header ${line} has to be name=value`);
    headers[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
  }
  return headers;
}

/** Classification, result mappings of the verbs that use the operation alone, and what comes after the page. */
export async function runDebugResponse({ provider: name, operation, status, headers: lines }: ResponseRequest, signal: AbortSignal): Promise<ExitCode> {
  const read = await readProvider(name);
  const { files, table } = read;
  const found = findOperation(table, operation);
  if (found.kind !== 'found')
    throw new AppError(
      'OPERATION_UNKNOWN',
      `${name} has no operation ${operation}${found.suggestion === undefined ? '' : `; did you mean ${found.suggestion}?`}`,
    );
  const code = Number(status);
  if (!Number.isInteger(code) || code < 100 || code > 599) throw new AppError('USAGE', '--status has to be an HTTP status');
  const headers = headersOf(lines);
  const provider = openProvider(read, { baseUrl: files.descriptor.base_url ?? 'https://instance.example', http: createHttp({ allowOrigins: [] }) });
  const outcome = provider.classify(operation, { status: code, headers, bodyText: await readText('-', signal), nowMs: Date.now() });
  const value = outcome.kind === 'ok' ? outcome.value : null;
  await writeJson({
    outcome,
    results: outcome.kind === 'ok' ? await resultsOf(files, found.row.id, value, headers) : {},
    nextPage: outcome.kind === 'ok' ? pageAfter(files, found.row, value, headers) : null,
  });
  return EXIT.clean;
}

type Files = Awaited<ReturnType<typeof loadProvider>>;

/** The canonical result for each verb that is carried out by this one operation. */
async function resultsOf(
  { descriptor }: Files,
  operation: string,
  answer: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const compiled = compileProvider(descriptor);
  const results: Record<string, unknown> = {};
  for (const [verb, binding] of compiled.bindings) {
    if (descriptor.capabilities[verb]?.op !== operation) continue;
    const mapped = binding.result({ args: {}, answer, headers, status: 200, steps: {}, outcomes: {} });
    results[verb] = mapped.ok ? (binding.quirk?.(mapped.value) ?? mapped.value) : { unreadable: mapped.reason };
  }
  return results;
}

function pageAfter({ descriptor }: Files, row: Parameters<typeof pagingParameters>[0], value: unknown, headers: Readonly<Record<string, string>>): unknown {
  const { pagination } = descriptor;
  const items = itemsOf(value, pagination.items[row.id] ?? pagination.items['*']);
  if (items.kind !== 'list') return null;
  const { parameter } = pagingParameters(row, {
    ...(pagination.page_parameter ? { page: pagination.page_parameter } : {}),
    ...(pagination.per_page_parameter ? { perPage: pagination.per_page_parameter } : {}),
  });
  const after = nextPage(row.pagination, {
    url: `${descriptor.base_url ?? 'https://instance.example'}${row.path}`,
    headers,
    value,
    items: items.items,
    fullPage: pagination.per_page_max,
    ...(parameter === undefined ? {} : { parameter }),
    walk: WALK_START,
  });
  return 'walk' in after ? { ...after, walk: undefined } : after;
}

/** The integration event that a delivery becomes. Its signature is not checked here: a payload on its own has none. */
export async function runDebugWebhook(name: string, event: string, signal: AbortSignal): Promise<ExitCode> {
  const { descriptor } = await loadProvider(name);
  if (descriptor.webhooks === undefined) throw new AppError('USAGE', `${name} has no webhooks`);
  const payload = parseObject(await readText('-', signal), 'the payload');
  await writeJson(mapWebhook(compileProvider(descriptor), { name: event, payload, headers: { [descriptor.webhooks.event_header.toLowerCase()]: event } }));
  return EXIT.clean;
}
