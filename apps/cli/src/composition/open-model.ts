/** The model of these settings, behind the ModelPort; null where none is configured. */
import { AppError } from '@weir/kernel';
import type { ModelPort } from '@weir/ports';
import type { LoadedSettings } from './load-settings.ts';

export interface ConfiguredModel {
  readonly name: string;
  readonly port: ModelPort;
}

const NOT_CONFIGURED = 'No model is configured: only the deterministic specialists run (weir help models).';

/** Both or neither: half a configuration is a mistake, not a choice. Throws CONFIG_INVALID. */
export function modelSettings(settings: LoadedSettings): { readonly baseUrl: string; readonly name: string } | null {
  const baseUrl = settings.get<string | null>('model.baseUrl');
  const name = settings.get<string | null>('model.name');
  if (baseUrl === null && name === null) return null;
  if (baseUrl === null || name === null)
    throw new AppError(
      'CONFIG_INVALID',
      `model.${baseUrl === null ? 'baseUrl' : 'name'} is missing while model.${baseUrl === null ? 'name' : 'baseUrl'} is set`,
    );
  return { baseUrl, name };
}

/** Opens the model. Its code is loaded only where one is configured. */
export async function openModel(settings: LoadedSettings): Promise<ConfiguredModel | null> {
  const wanted = modelSettings(settings);
  if (wanted === null) return null;
  const [{ createHttp }, { createChatModel }] = await Promise.all([import('@weir/http'), import('@weir/model-chat')]);
  const http = createHttp({ allowOrigins: settings.get<readonly string[]>('network.allowOrigins') });
  const port = createChatModel({
    http,
    baseUrl: wanted.baseUrl,
    key: settings.get<string | null>('model.key'),
    model: wanted.name,
    outputTokenParameter: settings.get<'max_tokens' | 'max_completion_tokens'>('model.outputTokenParameter'),
    streamUsage: settings.get<boolean>('model.streamUsage'),
    jsonMode: settings.get<boolean>('model.jsonMode'),
    temperature: settings.get<number | null>('model.temperature'),
    timeoutMs: settings.get<number>('model.timeoutSeconds') * 1_000,
  });
  return { name: wanted.name, port };
}

/** What a small question to the configured model brings, as a sentence. A failure is an AppError. */
export async function probeModel(settings: LoadedSettings, interrupt: AbortSignal): Promise<string | { readonly state: 'advice'; readonly text: string }> {
  const model = await openModel(settings);
  if (model === null) return { state: 'advice', text: NOT_CONFIGURED };
  const deadline = AbortSignal.timeout(settings.get<number>('model.timeoutSeconds') * 1_000);
  const answer = await model.port.complete(
    { system: 'You answer health checks.', user: 'Answer with the JSON object {"ok":true}.', maxOutputTokens: 256 },
    AbortSignal.any([interrupt, deadline]),
  );
  return `${model.name} answers as ${answer.model} (finish ${answer.finish}, ${answer.outputTokens} output tokens)`;
}

export { NOT_CONFIGURED };
