/** What is installed: providers with what doctor finds, models with their routes, specialists with their rules, settings with their origin. */
import { type ApiModel, type ApiProvider, type ApiSetting, type Model, SETTINGS, type Setting, type SettingName, VERBS } from '@weir/contract';
import { planRoute } from '@weir/model-gateway';
import { refOf } from '@weir/model-routes';
import type { ApiAnswer, ApiCall, ModelSnapshot } from '@weir/ports';
import { type BindingFinding, checkBindings } from '@weir/provider-descriptor';
import type { ResolvedSetting } from '@weir/settings';
import { shownSetting } from '../commands/config.command.ts';
import { loadSpecialists } from '../composition/specialists.ts';
import { sha256 } from '../gateway/real-time.ts';
import { readProvider, type ReadProvider } from '../provider/open-provider.ts';
import { providerNames } from '../provider/provider-files.ts';
import { callerOf, type DashboardWorld, listAnswer, type Paged } from './dashboard-world.ts';
import { NO_SIGNAL } from './deployment-reads.ts';

type Capability = ApiProvider['capabilities'][number];

function capabilitiesOf({ files }: ReadProvider, findings: readonly BindingFinding[]): Capability[] {
  const { capabilities, unsupported } = files.descriptor;
  return VERBS.flatMap((verb): readonly Capability[] => {
    const old = findings.find(finding => finding.verb === verb && (finding.rule === 'deprecated' || finding.rule === 'removal-near'));
    if (old !== undefined) return [{ verb, state: 'deprecated', says: old.message }];
    if (capabilities[verb] !== undefined) return [{ verb, state: 'bound', says: null }];
    return unsupported[verb] === undefined ? [] : [{ verb, state: 'unsupported', says: unsupported[verb] }];
  });
}

async function providerRow({ name, builtIn }: { readonly name: string; readonly builtIn: boolean }, today: string): Promise<ApiProvider> {
  const read = await readProvider(name);
  const { descriptor } = read.files;
  const findings = checkBindings(descriptor, read.table, { today });
  return {
    ...{ name, builtIn, description: descriptor.product ?? name, capabilities: capabilitiesOf(read, findings) },
    pin: { version: read.table.apiVersion, digest: descriptor.spec.digest },
    findings: findings.map(({ severity, message }) => ({ level: severity, sentence: message })),
  };
}

/** The files of a provider are large: only those of the page are read. */
export async function listProviders({ now }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const { body, next } = listAnswer(await providerNames(), query as Paged);
  const { items } = body as { readonly items: Awaited<ReturnType<typeof providerNames>> };
  const day = new Date(now()).toISOString().slice(0, 10);
  const rows: ApiProvider[] = [];
  for (const provider of items) rows.push(await providerRow(provider, day));
  return { body: { items: rows, next }, next: next ?? null };
}

/** One tool of each kind, as an agent declares them: what becomes of it is planned as for a call. */
const SAMPLE_TOOLS = [
  { type: 'function', name: 'function', description: 'A function.', parameters: { type: 'object', properties: {} } },
  { type: 'custom', name: 'freeform', description: 'A freeform tool.' },
  { type: 'web_search' },
];

const DISPOSITIONS: Readonly<Record<string, ApiModel['tools'][number]['disposition']>> = { native: 'native', adapt: 'adapt', omit: 'omit' };

function toolsOf(model: Model, rows: ModelSnapshot): ApiModel['tools'] {
  const body = new TextEncoder().encode(JSON.stringify({ model: model.name, input: 'x', tools: SAMPLE_TOOLS }));
  const answer = planRoute({ protocol: 'responses', body, binding: model.modelProvider }, rows, sha256);
  const tools = 'plan' in answer ? answer.plan.tools : answer.tools;
  return tools.map(({ kind, disposition, reason }) => ({
    ...{ tool: kind, reason, disposition: DISPOSITIONS[disposition] ?? 'unavailable' },
  }));
}

function ratesOf({ price }: Model): NonNullable<ApiModel['rates']> | null {
  if (price === null || price.mode === 'unmetered') return null;
  const perMillion = Object.fromEntries(Object.entries(price.rates).flatMap(([type, rate]) => (rate === undefined ? [] : [[type, rate]])));
  return { since: price.since ?? null, source: price.source ?? null, perMillion };
}

export async function listModels(world: DashboardWorld, call: ApiCall): Promise<ApiAnswer> {
  const rows = await world.models.config.rows();
  const chosen = world.settings.get<string | null>('model.name');
  const isAdmin = callerOf(call).role === 'admin';
  const items = rows.models.map((model): ApiModel => {
    const ref = refOf(model);
    return {
      ...{ ref, provider: model.modelProvider, model: model.name, upstreamModel: model.upstreamModel, isDefault: chosen === ref || chosen === model.name },
      protocol: rows.providers.find(({ name }) => name === model.modelProvider)?.protocol ?? '',
      mode: model.price?.mode ?? 'unknown',
      tools: toolsOf(model, rows),
      ...(isAdmin ? { rates: ratesOf(model) } : {}),
    };
  });
  return listAnswer(items, call.query as Paged);
}

export async function listSpecialists({ settings }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const chosen = settings.get<readonly string[]>('review.specialists');
  const items = (await loadSpecialists([])).map(({ key, title, routingHint, review }) => ({
    ...{ key, title, description: routingHint, signal: NO_SIGNAL },
    enabled: chosen.length === 0 || chosen.includes(key),
    because: chosen.length === 0 ? 'Every built-in specialist is on the panel.' : `review.specialists names ${chosen.join(', ')}.`,
    rules: (review?.rules ?? []).map(({ id, title: rule, severity }) => ({ id, title: rule, severity })),
  }));
  return listAnswer(items, query as Paged);
}

const asText = (value: unknown): string | null => (value === null || value === undefined ? null : Array.isArray(value) ? value.join(', ') : String(value));

function settingRow(setting: Setting, resolved: ResolvedSetting): ApiSetting {
  const { name, secret, env, flag, scope, description } = setting;
  return {
    ...{ name, secret, env, flag, scope, description, isSet: resolved.value !== null },
    value: secret ? null : asText(shownSetting(setting, resolved)),
    origin: resolved.origin === 'default' ? 'default' : `${resolved.origin}: ${resolved.from}`,
  };
}

export const listSettings = async ({ settings }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> =>
  listAnswer(
    (SETTINGS as readonly Setting[]).map(setting => settingRow(setting, settings.resolved.values[setting.name as SettingName])),
    query as Paged,
  );
