/** The routes of this moment: rows are kept, and read again when the store says that they have changed. */
import type { ModelRows, VirtualKey } from '@weir/contract';
import { allowsRoute, type ResolvedRoute, resolveRoute } from '@weir/model-routes';
import type { ModelSnapshot } from '@weir/ports';
import { type CapabilityFacts, readFacts } from '@weir/tool-plan';
import { type GatewayFailure, permanent } from '@weir/wire';
import type { GatewayWorld } from './gateway-world.ts';
import type { Principal } from './principal.ts';
import { whenUnavailable } from './when-unavailable.ts';

/** How long rows are good without asking whether they have changed. */
const FRESH_MS = 1_000;
/** Resolved names that are kept for one revision; callers choose the names. */
const MAX_RESOLVED = 1_000;
/** Hexadecimal digits of a route's tag. */
const TAG_CHARS = 12;

export interface PlannedRoute {
  readonly route: ResolvedRoute;
  /** All facts, with the defaults of its protocol. */
  readonly facts: CapabilityFacts;
  /** The same for each call of the route; seals its reasoning. */
  readonly tag: string;
}

export type RouteFinding = { readonly found: PlannedRoute } | { readonly failure: GatewayFailure };

export interface RouteBook {
  resolve(callerModel: string, binding: string | undefined): Promise<RouteFinding>;
  rows(): Promise<ModelSnapshot>;
}

export function createRouteBook({ stores: { config }, hash, now }: Pick<GatewayWorld, 'stores' | 'hash' | 'now'>): RouteBook {
  let known: { readonly rows: ModelSnapshot; askedAt: number; readonly resolved: Map<string, RouteFinding> } | undefined;

  async function current(): Promise<NonNullable<typeof known>> {
    if (known !== undefined && now() - known.askedAt < FRESH_MS) return known;
    const before = known;
    if (before !== undefined) {
      const same = await whenUnavailable(
        async () => (await config.revision()) === before.rows.revision,
        () => true,
      );
      before.askedAt = now();
      if (same) return before;
    }
    known = { rows: await config.rows(), askedAt: now(), resolved: new Map() };
    return known;
  }

  return {
    rows: async () => (await current()).rows,
    async resolve(callerModel, binding) {
      const { rows, resolved } = await current();
      const name = `${binding ?? ''} ${callerModel}`;
      const before = resolved.get(name);
      if (before !== undefined) return before;
      const finding = findRoute(callerModel, rows, { binding, hash });
      if (resolved.size < MAX_RESOLVED) resolved.set(name, finding);
      return finding;
    },
  };
}

export interface RouteScope {
  readonly binding: string | undefined;
  readonly hash: GatewayWorld['hash'];
}

export function findRoute(callerModel: string, rows: ModelRows, { binding, hash }: RouteScope): RouteFinding {
  const resolution = resolveRoute(callerModel, rows, binding);
  if (!resolution.ok) {
    const { code, message } = resolution;
    return { failure: code === 'MODEL_UNKNOWN' ? { code: 'model_not_found', class: 'not_found', message } : permanent('model_unpriced', message) };
  }
  const { route } = resolution;
  const read = readFacts(route.facts, route.protocol);
  if ('problem' in read) return { failure: permanent('route_invalid', `The route ${route.ref} cannot be used: ${read.problem}`) };
  return { found: { route, facts: read.facts, tag: hash(`${route.modelProvider} ${route.endpoint} ${route.model}`).slice(0, TAG_CHARS) } };
}

/** A key that may not use the route gets a final answer; a call from within may use every route. */
export function refuseRoute(principal: Principal, { ref, modelProvider, callerModel }: ResolvedRoute): GatewayFailure | undefined {
  if (principal.kind === 'internal' || allowsRoute(principal.key, modelProvider, callerModel)) return undefined;
  return permanent('route_denied', `This virtual key may not use ${ref}. It may use ${allowedText(principal.key)}.`);
}

const MAX_NAMED = 10;

function allowedText({ allowedRoutes }: Pick<VirtualKey, 'allowedRoutes'>): string {
  const names = (allowedRoutes ?? []).map(({ modelProvider, model }) => (model === undefined ? `all models of ${modelProvider}` : `${modelProvider}/${model}`));
  return names.length === 0 ? 'no model' : `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;
}
