/** The model of these settings behind the ModelPort, through the gateway's engine in this process; null where none is configured. */
import { randomUUID } from 'node:crypto';
import type { ModelRows } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { GatewayWorld } from '@weir/model-gateway';
import type { CredentialPick, ModelPort } from '@weir/ports';
import { chatRoot } from './chat-root.ts';
import type { LoadedSettings } from './load-settings.ts';

export interface ConfiguredModel {
  readonly name: string;
  readonly port: ModelPort;
  close(): Promise<void>;
}

const NOT_CONFIGURED = 'No model is configured: only the deterministic specialists run (weir help models).';

/** `baseUrl` is null for a model of the stored routes. Throws CONFIG_INVALID: half a configuration is a mistake, not a choice. */
export async function modelSettings(settings: LoadedSettings): Promise<{ readonly baseUrl: string | null; readonly name: string } | null> {
  const baseUrl = settings.get<string | null>('model.baseUrl');
  const name = settings.get<string | null>('model.name');
  if (name === null) {
    if (baseUrl === null) return null;
    throw new AppError('CONFIG_INVALID', 'model.name is missing while model.baseUrl is set');
  }
  if (baseUrl === null && !(await import('./open-storage.ts')).storageExists(settings.get<string | null>('storage.database'))) {
    throw new AppError('CONFIG_INVALID', 'model.baseUrl is missing while model.name is set', {
      next: 'Set the address of the endpoint, or add the model as a route: weir models add.',
    });
  }
  return { baseUrl, name };
}

type World = Pick<GatewayWorld, 'stores' | 'secrets'> & { readonly close: () => Promise<void> };

/** What a header can carry; a line break in a key file is the usual mistake. */
const KEY_TEXT = /^[\x21-\x7e]+$/;

/** One route that lives as long as the command. Its price is not known here and its ledger is not read, so nothing is metered. */
function settingsRows(settings: LoadedSettings, { baseUrl, name }: { readonly baseUrl: string; readonly name: string }): ModelRows {
  const key = settings.get<string | null>('model.key');
  const provider = {
    name: 'settings',
    baseUrl: chatRoot(baseUrl),
    protocol: 'chat',
    auth: { scheme: key === null ? 'none' : 'bearer' },
    headers: {},
    facts: { stream_usage: settings.get<boolean>('model.streamUsage') },
    profile: {
      outputTokens: settings.get<'max_tokens' | 'max_completion_tokens'>('model.outputTokenParameter'),
      temperature: 'allowed',
      reasoningEffort: [],
      extra: {},
    },
    usageRule: 'openai',
  } as const;
  return { providers: [provider], models: [{ modelProvider: provider.name, name, upstreamModel: name, price: { mode: 'unmetered' } }] };
}

function settingsWorld(settings: LoadedSettings, wanted: { readonly baseUrl: string; readonly name: string }): World {
  const key = settings.get<string | null>('model.key');
  if (key !== null && !KEY_TEXT.test(key)) {
    throw new AppError('CONFIG_INVALID', '`model.key` holds a space, a line break or another character that a key never has.');
  }
  const rows = { ...settingsRows(settings, wanted), revision: 'settings' };
  let pick: CredentialPick = { available: true, ref: 'model.key', version: 1, sealed: key ?? '' };
  // What has no ledger cannot be capped, and that is said (REV-31).
  const noLedger = (): Promise<never> => Promise.reject(new AppError('DATABASE_UNAVAILABLE', 'No ledger is kept for model.baseUrl.'));
  const nothing = (): Promise<never> => Promise.reject(new Error('A call from within has no virtual key.'));
  return {
    stores: {
      config: { rows: async () => rows, revision: async () => rows.revision },
      credentials: {
        pick: async () => pick,
        report: async (_ref, _version, report) => {
          pick = { available: false, reason: report.kind, returnsAt: report.kind === 'rejected' ? null : report.until };
        },
      },
      keys: { find: nothing, reserve: nothing, settle: nothing },
      ledger: { open: async () => undefined, append: async () => 0, sum: noLedger, filledAt: noLedger },
    },
    secrets: { open: sealed => sealed },
    close: async () => undefined,
  };
}

async function storedWorld(settings: LoadedSettings): Promise<World> {
  const [{ openStorage }, { openSecretBox }] = await Promise.all([import('./open-storage.ts'), import('../gateway/open-secret-box.ts')]);
  const storage = await openStorage({ database: settings.get<string | null>('storage.database'), say: () => undefined }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'DATABASE_LOCKED') throw error;
    throw new AppError('DATABASE_LOCKED', error.message, {
      next: 'Ask the running gateway: set model.baseUrl to its address and model.key to a virtual key.',
      cause: error,
    });
  });
  return { stores: storage.models, secrets: openSecretBox(), close: () => storage.close() };
}

/** What the cap of REV-31 has to say; whatever else happens ends the call with a failure of its own. */
const CAP_EVENTS: ReadonlySet<string> = new Set(['CAP_REACHED', 'CAP_UNENFORCEABLE']);

/** A sentence on stderr, once for all calls of the command. */
function noteOnce(settings: LoadedSettings): (sentence: string) => void {
  const said = new Set<string>();
  return sentence => {
    if (said.has(sentence) || settings.get<boolean>('output.quiet')) return;
    said.add(sentence);
    process.stderr.write(`${sentence}\n`);
  };
}

/** Opens the model. Its code is loaded only where one is configured. */
export async function openModel(settings: LoadedSettings): Promise<ConfiguredModel | null> {
  const wanted = await modelSettings(settings);
  if (wanted === null) return null;
  const { baseUrl, name } = wanted;
  const { stores, secrets, close } = baseUrl === null ? await storedWorld(settings) : settingsWorld(settings, { baseUrl, name });
  const [{ createHttp }, { createModelGateway }, time, { readCaps }] = await Promise.all([
    import('@weir/http'),
    import('@weir/model-gateway'),
    import('../gateway/real-time.ts'),
    import('../gateway/read-caps.ts'),
  ]);
  const caps = readCaps(settings);
  const note = noteOnce(settings);
  for (const problem of caps.problems) note(problem);
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins') });
  const gateway = createModelGateway({
    ...{ http, stores, secrets, hash: time.sha256, now: Date.now, random: Math.random, sleep: time.sleep, schedule: time.schedule },
    watchKey: () => () => undefined,
    spendLimits: caps.spend,
    newId: () => `call_${randomUUID()}`,
    report: event => (event.event === 'attention' && CAP_EVENTS.has(event.code) ? note(event.sentence) : undefined),
  });
  const port = gateway.modelPort({
    model: name,
    jsonMode: settings.get<boolean>('model.jsonMode'),
    temperature: settings.get<number | null>('model.temperature'),
    timeoutMs: settings.get<number>('model.timeoutSeconds') * 1_000,
    purpose: { capability: 'review' },
  });
  return {
    name,
    port,
    close: async () => {
      http.close();
      await close();
    },
  };
}

/** What a small question to the configured model brings, as a sentence. A failure is an AppError. */
export async function probeModel(settings: LoadedSettings, interrupt: AbortSignal): Promise<string | { readonly state: 'advice'; readonly text: string }> {
  const model = await openModel(settings);
  if (model === null) return { state: 'advice', text: NOT_CONFIGURED };
  const deadline = AbortSignal.timeout(settings.get<number>('model.timeoutSeconds') * 1_000);
  try {
    const answer = await model.port.complete(
      { system: 'You answer health checks.', user: 'Answer with the JSON object {"ok":true}.', maxOutputTokens: 256 },
      AbortSignal.any([interrupt, deadline]),
    );
    return `${model.name} answers as ${answer.model} (finish ${answer.finish}, ${answer.outputTokens} output tokens)`;
  } finally {
    await model.close();
  }
}

export { NOT_CONFIGURED };
