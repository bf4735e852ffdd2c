/** `weir keys create | list | revoke`: virtual keys (MOD-17). A key is printed once, when it is made, and kept as its hash alone. */
import { randomBytes } from 'node:crypto';
import { type AllowedRoute, EXIT, type ExitCode, type NewVirtualKey, type VirtualKey } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { formatDollars, readDollars } from '@weir/model-pricing';
import { virtualKeyState } from '@weir/model-routes';
import { newVirtualKeySecret } from '@weir/model-store';
import { type Options, textOf } from '../action.ts';
import type { Flags } from '../composition/load-settings.ts';
import { findModel } from '../gateway/find-model.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import type { OperatorStores } from '../gateway/operator-calls.ts';
import { readMoment } from '../gateway/read-moment.ts';
import { writeJson, writeOut } from '../output.ts';

/** Keys that one question asks for. */
const PAGE = 500;
const MAX_CALLS = 1_000_000_000;

export interface KeyRequest {
  readonly options: Options;
  readonly models: readonly string[];
  readonly flags: Flags;
}

function budgetOf(options: Options): number | null {
  const text = textOf(options, 'budget');
  if (text === undefined) return null;
  const millicents = readDollars(text);
  if (millicents === undefined) throw new AppError('USAGE', '--budget is an amount in dollars, for example 5.00');
  return millicents;
}

function callsOf(options: Options): number | null {
  const text = textOf(options, 'calls');
  if (text === undefined) return null;
  const calls = Number(text);
  if (!Number.isInteger(calls) || calls < 1 || calls > MAX_CALLS) throw new AppError('USAGE', '--calls is a whole number from 1');
  return calls;
}

function holderOf(options: Options, id: string): NewVirtualKey['holder'] {
  const given = (['person', 'run', 'service'] as const).flatMap(kind => {
    const name = textOf(options, kind);
    return name === undefined ? [] : [{ kind, id: name }];
  });
  if (given.length > 1) throw new AppError('USAGE', 'a key has one holder: --person, --run or --service');
  return given[0] ?? { kind: 'service', id };
}

/** `openai` and `openai/` followed by a star stand for all of its models. */
async function routesOf(models: readonly string[], stores: OperatorStores): Promise<readonly AllowedRoute[] | null> {
  if (models.length === 0) return null;
  const rows = await stores.config.rows();
  return models.map(name => {
    const provider = rows.providers.find(row => name === `${row.name}/*`);
    if (provider !== undefined) return { modelProvider: provider.name };
    const { model } = findModel(name, rows);
    return { modelProvider: model.modelProvider, model: model.name };
  });
}

export async function runKeysCreate({ options, models, flags }: KeyRequest): Promise<ExitCode> {
  const now = Date.now();
  const id = `key-${randomBytes(5).toString('hex')}`;
  const expires = textOf(options, 'expires');
  const { secret, hash } = newVirtualKeySecret();
  const label = textOf(options, 'label') ?? '';
  const draft = {
    ...{ id, hash, label: label === '' ? id : label, holder: holderOf(options, id) },
    ...{ budgetMillicents: budgetOf(options), budgetCalls: callsOf(options), createdAt: now },
    expiresAt: expires === undefined ? null : readMoment(expires, '--expires', { now, direction: 1 }),
  };
  return withOperatorStores(flags, async ({ stores, settings }) => {
    const key: NewVirtualKey = { ...draft, allowedRoutes: await routesOf(models, stores) };
    await stores.keys.create(key);
    if (options['json'] === true) await writeJson({ id, key: secret, expiresAt: key.expiresAt, budgetMillicents: key.budgetMillicents });
    else {
      if (!settings.get<boolean>('output.quiet')) process.stderr.write(`key ${id}; it is printed once and not kept:\n`);
      await writeOut(`${secret}\n`);
    }
    return EXIT.clean;
  });
}

async function allKeys(stores: OperatorStores): Promise<readonly VirtualKey[]> {
  const keys: VirtualKey[] = [];
  for (;;) {
    const page = await stores.keys.list(PAGE, keys.at(-1)?.id);
    keys.push(...page);
    if (page.length < PAGE) return keys;
  }
}

export async function runKeysList(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const now = Date.now();
    const keys = await allKeys(stores);
    if (json) {
      await writeJson({ keys: keys.map(key => ({ ...key, hash: undefined, state: virtualKeyState(key, now) })) });
      return EXIT.clean;
    }
    if (keys.length === 0) await writeOut('No keys yet. Make one: weir keys create --budget 5.00\n');
    for (const key of keys) await writeOut(`${lineOf(key, now)}\n`);
    return EXIT.clean;
  });
}

function lineOf(key: VirtualKey, now: number): string {
  const budget = key.budgetMillicents === null ? 'no budget' : `of ${formatDollars(key.budgetMillicents)}`;
  const unknown = key.unpricedCalls === 0 ? '' : `${key.unpricedCalls} of ${key.calls} calls unpriced, `;
  const routes = key.allowedRoutes === null ? 'all models' : key.allowedRoutes.map(({ modelProvider, model }) => `${modelProvider}/${model ?? '*'}`).join(' ');
  const label = key.label === key.id ? '' : `  ${key.label}`;
  return `${key.id}  ${virtualKeyState(key, now).padEnd(7)}  ${unknown}${formatDollars(key.spentMillicents)} ${budget}  ${key.holder.kind} ${key.holder.id}  ${routes}${label}`;
}

export async function runKeysRevoke(id: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    if (!(await stores.keys.revoke(id))) throw new AppError('KEY_INVALID', `There is no virtual key ${id}.`, { next: 'List them: weir keys list.' });
    await writeOut(`revoked ${id}\n`);
    return EXIT.clean;
  });
}
