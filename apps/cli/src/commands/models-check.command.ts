/** `weir models check`: whether each model could be called: its route, its price, its credential; with --call it is asked for real. */
import { EXIT, type ExitCode, type Model } from '@weir/contract';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import { findRoute, type InternalPurpose } from '@weir/model-gateway';
import { refOf } from '@weir/model-routes';
import type { ModelCredential } from '@weir/ports';
import type { Options } from '../action.ts';
import { givenFlags } from '../flags.ts';
import { composeGateway } from '../gateway/compose-gateway.ts';
import { findModel } from '../gateway/find-model.ts';
import { type OpenOperatorStores, withOperatorStores } from '../gateway/open-operator-stores.ts';
import { openSecretBox } from '../gateway/open-secret-box.ts';
import { sha256 } from '../gateway/real-time.ts';
import { writeJson, writeOut } from '../output.ts';

interface CheckedModel {
  readonly model: string;
  readonly ok: boolean;
  readonly text: string;
}

const CALL_TIMEOUT_MS = 120_000;

/** Undefined: nothing is wrong. */
async function staticFault(model: Model, { stores }: OpenOperatorStores, credentials: readonly ModelCredential[]): Promise<string | undefined> {
  const rows = await stores.config.rows();
  const finding = findRoute(refOf(model), rows, { binding: undefined, hash: sha256 });
  if ('failure' in finding) return finding.failure.message;
  const { route } = finding.found;
  if (route.auth.scheme === 'none') return undefined;
  const pool = credentials.filter(({ modelProvider }) => modelProvider === model.modelProvider);
  if (pool.some(({ state }) => state === 'available')) return undefined;
  return pool.length === 0
    ? `${model.modelProvider} has no credential`
    : `no credential is available: ${pool.map(({ ref, state }) => `${ref} ${state}`).join(', ')}`;
}

const PURPOSE = { capability: 'check' } as const satisfies Partial<InternalPurpose>;

async function ask(model: Model, { storage, settings }: OpenOperatorStores, signal: AbortSignal): Promise<string> {
  if (storage === undefined) {
    throw new AppError('NOT_AVAILABLE', '--call needs the database, which the running gateway has open', { next: 'Ask the gateway itself, or stop it first.' });
  }
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins') });
  const { gateway } = composeGateway({ http, stores: storage.models, secrets: openSecretBox(), report: () => undefined });
  const port = gateway.modelPort({ model: refOf(model), jsonMode: false, temperature: null, timeoutMs: CALL_TIMEOUT_MS, purpose: PURPOSE });
  try {
    const answer = await port.complete({ system: 'You answer health checks.', user: 'Answer with the word ok.', maxOutputTokens: 256 }, signal);
    return `answers as ${answer.model} (finish ${answer.finish}, ${answer.outputTokens} output tokens)`;
  } finally {
    http.close();
  }
}

async function checkOne(
  model: Model,
  open: OpenOperatorStores,
  { call, signal }: { readonly call: boolean; readonly signal: AbortSignal },
): Promise<CheckedModel> {
  const ref = refOf(model);
  const fault = await staticFault(model, open, await open.stores.credentials.list());
  if (fault !== undefined) return { model: ref, ok: false, text: fault };
  if (!call) return { model: ref, ok: true, text: 'route, price and credential are there' };
  try {
    return { model: ref, ok: true, text: await ask(model, open, signal) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'NOT_AVAILABLE') throw error;
    return { model: ref, ok: false, text: `${error.code}: ${error.message}` };
  }
}

export async function runModelsCheck(name: string | undefined, options: Options, signal: AbortSignal): Promise<ExitCode> {
  return withOperatorStores(givenFlags(options), async open => {
    const rows = await open.stores.config.rows();
    const checked: CheckedModel[] = [];
    for (const model of name === undefined ? rows.models : [findModel(name, rows).model]) {
      checked.push(await checkOne(model, open, { call: options['call'] === true, signal }));
    }
    if (options['json'] === true) await writeJson({ models: checked });
    else for (const { model, ok, text } of checked) await writeOut(`${ok ? 'ok    ' : 'failed'} ${model}: ${text}\n`);
    return checked.every(({ ok }) => ok) ? EXIT.clean : EXIT.findings;
  });
}
