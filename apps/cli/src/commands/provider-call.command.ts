/** `weir provider call`, `weir debug response`, `weir debug webhook`: one operation, one answer, one delivery, as JSON. */
import { readFile } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@weir/contract';
import { compileProvider, mapWebhook } from '@weir/forge';
import { AppError } from '@weir/kernel';
import { findOperation, itemsOf, nextPage, pagingParameters, WALK_START } from '@weir/operation-table';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { writeJson, writeOut } from '../output.ts';
import { loadTable } from '../provider/compile-provider.ts';
import { openProvider } from '../provider/open-provider.ts';
import { loadProvider } from '../provider/provider-files.ts';
import { feedDiff, standardInput } from '../read-diff.ts';

export interface CallRequest {
  readonly provider: string;
  readonly operation: string;
  /** `--owner x --repo=y` as they stand on the command line. */
  readonly words: readonly string[];
  /** `--arg name=value`, for names that are no flag. */
  readonly args: readonly string[];
  /** A file with the arguments as one JSON object, or - for standard input. */
  readonly input: string | undefined;
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly baseUrl: string | undefined;
  readonly flags: Flags;
}

/** Pairs of `--name value` and `--name=value`. A name that comes twice becomes a list. */
function addWords(words: readonly string[], add: (name: string, value: string) => void): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(word);
    if (match === null) throw new AppError('USAGE', `${word} is no argument`, { next: 'Write arguments as --name value, or --arg name=value.' });
    const value = match[2] ?? words[++at];
    if (value === undefined) throw new AppError('USAGE', `${word} has no value`);
    add(match[1] ?? '', value);
  }
}

async function readText(input: string, signal: AbortSignal): Promise<string> {
  if (input !== '-') {
    return readFile(input, 'utf8').catch((cause: unknown) => {
      throw new AppError('FILE_UNREADABLE', `${input} cannot be read`, { cause });
    });
  }
  const pieces: string[] = [];
  await feedDiff(standardInput(signal), { push: text => void pieces.push(text) });
  return pieces.join('');
}

function parseObject(text: string, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    throw new AppError('USAGE', `${what} is not JSON`, { cause });
  }
  throw new AppError('USAGE', `${what} has to be a JSON object`);
}

async function argumentsOf({ words, args, input }: CallRequest, signal: AbortSignal): Promise<Record<string, unknown>> {
  const values = input === undefined ? {} : parseObject(await readText(input, signal), 'the input');
  const add = (name: string, value: string): void => {
    const known = values[name];
    values[name] = known === undefined ? value : Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
  };
  addWords(words, add);
  for (const pair of args) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new AppError('USAGE', `--arg ${pair} has to be name=value`);
    add(pair.slice(0, at), pair.slice(at + 1));
  }
  return values;
}

export async function runProviderCall(request: CallRequest, signal: AbortSignal): Promise<ExitCode> {
  const settings = loadSettings(await operatorSources(request.flags));
  const provider = await openProvider(request.provider, { baseUrl: request.baseUrl, allowOrigins: settings.get<readonly string[]>('network.allowOrigins') });
  const args = await argumentsOf(request, signal);
  const options = { signal, actor: 'cli', fromCommandLine: true };
  if (request.dryRun) {
    await writeJson(provider.dryRun(request.operation, args, options));
  } else if (request.all) {
    // Each page is written as it comes: memory is bounded by a page.
    let separator = '[';
    for await (const page of provider.pages(request.operation, args, options)) {
      for (const item of page.items) {
        await writeOut(`${separator}\n${JSON.stringify(item)}`);
        separator = ',';
      }
    }
    await writeOut(separator === '[' ? '[]\n' : '\n]\n');
  } else {
    await writeJson((await provider.call(request.operation, args, options)).value);
  }
  return EXIT.clean;
}

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
  const files = await loadProvider(name);
  const table = await loadTable(files);
  const found = findOperation(table, operation);
  if (found.kind !== 'found')
    throw new AppError(
      'OPERATION_UNKNOWN',
      `${name} has no operation ${operation}${found.suggestion === undefined ? '' : `; did you mean ${found.suggestion}?`}`,
    );
  const code = Number(status);
  if (!Number.isInteger(code) || code < 100 || code > 599) throw new AppError('USAGE', '--status has to be an HTTP status');
  const headers = headersOf(lines);
  const provider = await openProvider(name, { baseUrl: files.descriptor.base_url ?? 'https://instance.example', allowOrigins: [] });
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
