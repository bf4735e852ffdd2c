/**
 * From the model that a caller names to one immutable route (MOD-1), or a clear refusal. There is no second choice: the caller
 * names the model, the rows say where it is, and nothing else decides.
 */
import type {
  AuthScheme,
  CapabilityFacts,
  ErrorCode,
  Model,
  ModelPrice,
  ModelProvider,
  ModelRows,
  ParameterProfile,
  UpstreamProtocol,
  UsageRuleName,
} from '@weir/contract';
import { nearestName } from '@weir/operation-table';

/** The same through every retry of a call; a retry may use another credential of the pool, and nothing else may change. */
export interface ResolvedRoute {
  /** `{modelProvider}/{callerModel}`: the name of the route in logs, in allowed routes and for sealed reasoning. */
  readonly ref: string;
  /** Also the name of its pool of credentials. */
  readonly modelProvider: string;
  /** The name among the callers. */
  readonly callerModel: string;
  /** The exact id that the provider is asked for. */
  readonly model: string;
  readonly protocol: UpstreamProtocol;
  /** The whole address of the protocol's call. */
  readonly endpoint: string;
  readonly auth: AuthScheme;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: CapabilityFacts;
  readonly profile: ParameterProfile;
  readonly usageRule: UsageRuleName;
  readonly price: ModelPrice;
}

export type RouteRefusal = {
  readonly ok: false;
  readonly code: Extract<ErrorCode, 'MODEL_UNKNOWN' | 'MODEL_UNPRICED'>;
  /** One sentence for the caller. */
  readonly message: string;
};
export type RouteResolution = { readonly ok: true; readonly route: ResolvedRoute } | RouteRefusal;

const PATHS: Readonly<Record<UpstreamProtocol, string>> = { responses: '/responses', chat: '/chat/completions', messages: '/messages' };

/** A caller's name is cut here in a message. */
const MAX_SHOWN = 200;

/**
 * Without a binding the name may be a model's own, where only one provider has it, or `provider/model`.
 * @param binding a model provider (`/v1/at/{model-provider}/…`): only its models are looked at.
 */
export function resolveRoute(callerModel: string, rows: ModelRows, binding?: string): RouteResolution {
  if (binding !== undefined && !rows.providers.some(({ name }) => name === binding)) {
    return unknown(`There is no model provider ${shown(binding)}${meant(binding, namesOf(rows.providers))}`);
  }
  const models = binding === undefined ? rows.models : rows.models.filter(({ modelProvider }) => modelProvider === binding);
  const found = models.filter(model => model.name === callerModel || refOf(model) === callerModel);
  const [model, second] = found;
  if (model === undefined) return unknownModel(callerModel, models, binding);
  if (second !== undefined) return ambiguous(callerModel, found);
  const provider = rows.providers.find(({ name }) => name === model.modelProvider);
  if (provider === undefined) return unknown(`The model provider ${model.modelProvider} of ${shown(callerModel)} is gone.`);
  if (model.price === null) {
    return { ok: false, code: 'MODEL_UNPRICED', message: `${refOf(model)} has no price, so it is not called: it needs rates or the word unmetered.` };
  }
  return { ok: true, route: routeOf(provider, model, model.price) };
}

export const refOf = ({ modelProvider, name }: Pick<Model, 'modelProvider' | 'name'>): string => `${modelProvider}/${name}`;

const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name);
const shown = (name: string): string => JSON.stringify(name.slice(0, MAX_SHOWN));
const unknown = (message: string): RouteRefusal => ({ ok: false, code: 'MODEL_UNKNOWN', message });

function meant(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '.' : `; did you mean ${nearest}?`;
}

function unknownModel(callerModel: string, models: readonly Model[], binding: string | undefined): RouteRefusal {
  const place = binding === undefined ? 'is configured' : `is configured at ${binding}`;
  if (models.length === 0) return unknown(`No model ${place}.`);
  // The whole name first: a provider's name in front of it would make every distance large.
  const candidates = callerModel.includes('/') ? [...models.map(refOf), ...namesOf(models)] : [...namesOf(models), ...models.map(refOf)];
  return unknown(`No model ${shown(callerModel)} ${place}${meant(callerModel, candidates)}`);
}

/** @param found a name of one model can be the full name of another, where names of models hold slashes. */
function ambiguous(callerModel: string, found: readonly Model[]): RouteRefusal {
  const refs = found.map(refOf).join(', ');
  return unknown(`${shown(callerModel)} means several models: ${refs}. Name one in full, or ask at /v1/at/{model-provider}/.`);
}

function routeOf(provider: ModelProvider, model: Model, price: ModelPrice): ResolvedRoute {
  return frozen({
    ref: refOf(model),
    modelProvider: provider.name,
    callerModel: model.name,
    model: model.upstreamModel,
    protocol: provider.protocol,
    endpoint: endpointOf(provider.baseUrl, PATHS[provider.protocol]),
    auth: provider.auth,
    headers: provider.headers,
    facts: { ...provider.facts, ...model.facts },
    profile: { ...provider.profile, ...model.profile },
    usageRule: provider.usageRule,
    price,
  });
}

/** A stored row has no query; one that is made from settings may (`?api-version=…`), and keeps it. */
function endpointOf(baseUrl: string, path: string): string {
  const query = baseUrl.indexOf('?');
  return query === -1 ? `${baseUrl}${path}` : `${baseUrl.slice(0, query)}${path}${baseUrl.slice(query)}`;
}

/** Rows are data from JSON, so they have no cycles and end. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}
