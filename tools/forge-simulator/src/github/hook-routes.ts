/** GitHub: repository webhooks, their deliveries, redelivery. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { DeliveryRecord, ForgeServices, Site } from '../http/dialect.ts';
import type { RepositoryGuard } from '../http/repository-route.ts';
import { uuidOf } from '../state/account.ts';
import { ABSENT } from '../state/happening.ts';
import type { Hook, Repository } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { invalid, iso, need } from './github-words.ts';
import { repositoryUrl } from './print-account.ts';

type Json = Record<string, unknown>;

export const hookOf = (repository: Repository, call: Call): Hook => need(repository.hooks.find(hook => hook.id === Number(call.params['hook_id'])));

export function printHook(site: Site, repository: Repository, hook: Hook): Json {
  const url = `${repositoryUrl(site, repository)}/hooks/${hook.id}`;
  return {
    type: 'Repository',
    id: hook.id,
    name: 'web',
    active: hook.active,
    events: hook.events,
    config: { url: hook.url, content_type: hook.contentType, insecure_ssl: '0', ...(hook.secret !== null && { secret: '********' }) },
    updated_at: iso(hook.updatedAt),
    created_at: iso(hook.createdAt),
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: { code: null, status: 'unused', message: null },
  };
}

export function hookRoutes(world: World, site: Site, guard: RepositoryGuard, forge: ForgeServices): RouteTable {
  const HOOK = '/repos/{owner}/{repo}/hooks/{hook_id}';
  const deliveryOf = (repository: Repository, call: Call): DeliveryRecord =>
    need(forge.deliveries(hookOf(repository, call)).find(one => one.id === Number(call.params['delivery_id'])));
  return {
    'GET /repos/{owner}/{repo}/hooks': guard('admin', (_, repository) => list(repository.hooks.map(hook => printHook(site, repository, hook)))),
    'POST /repos/{owner}/{repo}/hooks': guard('admin', (call, repository) => createHook(world, site, call, { repository, forge })),
    [`GET ${HOOK}`]: guard('admin', (call, repository) => json(printHook(site, repository, hookOf(repository, call)))),
    [`PATCH ${HOOK}`]: guard('admin', (call, repository) => {
      const hook = hookOf(repository, call);
      takeConfig(hook, call);
      const add = call.fields.texts('add_events') ?? [];
      const remove = call.fields.texts('remove_events') ?? [];
      hook.events = [...new Set([...(call.fields.texts('events') ?? hook.events), ...add])].filter(event => !remove.includes(event));
      hook.updatedAt = world.now();
      return json(printHook(site, repository, hook));
    }),
    [`DELETE ${HOOK}`]: guard('admin', (call, repository) => {
      repository.hooks.splice(repository.hooks.indexOf(hookOf(repository, call)), 1);
      return empty();
    }),
    [`POST ${HOOK}/pings`]: guard('admin', (call, repository) => {
      forge.ping(hookOf(repository, call));
      return empty();
    }),
    [`POST ${HOOK}/tests`]: guard('admin', async (call, repository) => {
      const after = (await repository.git.resolve(repository.defaultBranch)) ?? ABSENT;
      forge.test(
        { kind: 'push', repository, by: repository.owner, branch: repository.defaultBranch, before: after, after, forced: false },
        hookOf(repository, call),
      );
      return empty();
    }),
    [`GET ${HOOK}/deliveries`]: guard('admin', (call, repository) => list([...forge.deliveries(hookOf(repository, call))].reverse().map(printDelivery))),
    [`GET ${HOOK}/deliveries/{delivery_id}`]: guard('admin', (call, repository) => {
      const delivery = deliveryOf(repository, call);
      return json({
        ...printDelivery(delivery),
        url: delivery.url,
        request: { headers: delivery.headers, payload: JSON.parse(delivery.body.toString()) as Json },
        response: { headers: {}, payload: delivery.answer },
      });
    }),
    [`POST ${HOOK}/deliveries/{delivery_id}/attempts`]: guard('admin', (call, repository) => {
      forge.redeliver(deliveryOf(repository, call).id);
      return json({}, 202);
    }),
  };
}

function createHook(world: World, site: Site, call: Call, target: { readonly repository: Repository; readonly forge: ForgeServices }): Answer {
  const { repository, forge } = target;
  const url = call.fields.object('config')?.text('url');
  if (url === undefined || !URL.canParse(url)) return invalid('Hook', [{ field: 'url', code: 'custom', message: 'url is missing a scheme' }]);
  if (repository.hooks.some(hook => hook.url === url)) return invalid('Hook', [{ code: 'custom', message: 'Hook already exists on this repository' }]);
  const id = world.id('hook');
  const at = world.now();
  const hook: Hook = {
    id,
    uuid: uuidOf(`hook ${id}`),
    url,
    secret: null,
    signingToken: null,
    contentType: 'form',
    events: [...(call.fields.texts('events') ?? ['push'])],
    active: true,
    createdAt: at,
    updatedAt: at,
    fields: {},
  };
  takeConfig(hook, call);
  repository.hooks.push(hook);
  forge.ping(hook);
  return json(printHook(site, repository, hook), 201);
}

/** A config that is given replaces the old one: a secret that is left out is gone. */
function takeConfig(hook: Hook, call: Call): void {
  hook.active = call.fields.flag('active') ?? hook.active;
  const config = call.fields.object('config');
  if (config === undefined) return;
  hook.url = config.text('url') ?? hook.url;
  hook.secret = config.text('secret') ?? null;
  hook.contentType = config.text('content_type') === 'json' ? 'json' : 'form';
}

const printDelivery = (delivery: DeliveryRecord): Json => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: iso(delivery.at),
  redelivery: delivery.redelivery,
  duration: 0.01,
  status: delivery.status !== null && delivery.status >= 200 && delivery.status < 300 ? 'OK' : `Invalid HTTP Response: ${delivery.status}`,
  status_code: delivery.status ?? 0,
  event: delivery.event,
  action: delivery.action,
  installation_id: null,
  repository_id: null,
});
