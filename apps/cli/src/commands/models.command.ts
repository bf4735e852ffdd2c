/** `weir models add | list | price | remove`: the rows that routes are resolved from. */
import { randomUUID } from 'node:crypto';
import { EXIT, type CapabilityFacts, type ExitCode, type Model, type ModelPrice, type ModelProvider, type ParameterProfile } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { MODEL_PRESETS, providerFromPreset, refOf } from '@weir/model-routes';
import { credentialPlace } from '@weir/ports';
import { type Options, textOf } from '../action.ts';
import type { Flags } from '../composition/load-settings.ts';
import { givenFlags } from '../flags.ts';
import { findModel } from '../gateway/find-model.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { secretBoxForWriting } from '../gateway/open-secret-box.ts';
import type { OperatorStores } from '../gateway/operator-calls.ts';
import { readCredential } from '../gateway/read-credential.ts';
import { priceText, readPrice } from '../gateway/read-price.ts';
import { writeJson, writeOut } from '../output.ts';
import { parseObject, readText } from '../provider/call-arguments.ts';

type PricedModel = Model & { readonly price: ModelPrice };

const today = (): string => new Date().toISOString().slice(0, 10);

async function jsonFile(options: Options, name: string): Promise<Record<string, unknown> | undefined> {
  const file = textOf(options, name);
  return file === undefined ? undefined : parseObject(await readText(file, new AbortController().signal), `--${name}`);
}

/** A new provider takes a preset; one that is there is changed by what the flags say, and by nothing else. */
function providerOf(name: string, options: Options, before: ModelProvider | undefined): ModelProvider {
  const baseUrl = textOf(options, 'baseUrl');
  const preset = textOf(options, 'preset');
  if (before !== undefined && preset === undefined) return baseUrl === undefined ? before : { ...before, baseUrl };
  if (preset === undefined && !Object.hasOwn(MODEL_PRESETS, name)) {
    throw new AppError('USAGE', `${name} is a new model provider, and no preset has its name`, {
      next: `Name one: --preset ${Object.keys(MODEL_PRESETS).join(' | ')}. vllm fits most servers that speak Chat Completions.`,
    });
  }
  const checked = providerFromPreset(preset ?? name, { name, ...(baseUrl === undefined ? {} : { baseUrl }) });
  if (checked.ok) return checked.row;
  throw new AppError('MODEL_INVALID', checked.problems.map(({ path, message }) => `${path}: ${message}`).join('; '));
}

/** What the flags say replaces what the model said before. */
async function modelOf(
  name: string,
  options: Options,
  { provider, before }: { readonly provider: string; readonly before: Model | undefined },
): Promise<PricedModel> {
  const price = readPrice(options, today()) ?? before?.price ?? null;
  if (price === null) {
    throw new AppError('MODEL_UNPRICED', `${name} has no price`, {
      next: 'Give --input-rate and --output-rate in dollars per million tokens, or --unmetered.',
    });
  }
  const facts = (await jsonFile(options, 'facts')) as CapabilityFacts | undefined;
  const profile = (await jsonFile(options, 'profile')) as Partial<ParameterProfile> | undefined;
  const upstreamModel = textOf(options, 'upstreamModel');
  return {
    ...(before ?? { upstreamModel: name }),
    ...{ modelProvider: provider, name, price },
    ...(upstreamModel === undefined ? {} : { upstreamModel }),
    ...(facts === undefined ? {} : { facts }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** Adds a key to a provider's pool. @returns its reference. */
export async function addCredential(
  stores: OperatorStores,
  modelProvider: string,
  { label, secret }: { readonly label: string; readonly secret: string },
): Promise<string> {
  const box = await secretBoxForWriting(stores);
  const ref = `${modelProvider}-${randomUUID().slice(0, 8)}`;
  await stores.credentials.add({ ref, modelProvider, label: label === '' ? ref : label, sealed: box.seal(secret, credentialPlace({ ref, modelProvider })) });
  return ref;
}

/** What is still missing before the model can be called. */
async function openEnds({ name, baseUrl, auth }: ModelProvider, { price }: PricedModel, stores: OperatorStores): Promise<readonly string[]> {
  const { origin, protocol } = new URL(baseUrl);
  const keyless = auth.scheme !== 'none' && !(await stores.credentials.list()).some(row => row.modelProvider === name);
  return [
    ...(keyless ? [`${name} has no credential yet: weir models credential add ${name} --key-file <file>`] : []),
    ...(price.mode === 'metered' && price.rates.cached_input === undefined
      ? ['cached input has no rate: a call that reads from a cache stays unpriced; give --cached-input-rate']
      : []),
    ...(protocol === 'https:' ? [] : [`${origin} has to be allowed where the gateway runs: weir serve --role gateway --allow-origin ${origin}`]),
  ];
}

export async function runModelsAdd(name: string, options: Options): Promise<ExitCode> {
  const providerName = String(options['provider']);
  const keyFile = textOf(options, 'keyFile');
  const secret = keyFile === undefined ? undefined : await readCredential(keyFile);
  return withOperatorStores(givenFlags(options), async ({ stores, settings }) => {
    const rows = await stores.config.rows();
    const provider = providerOf(
      providerName,
      options,
      rows.providers.find(row => row.name === providerName),
    );
    const model = await modelOf(name, options, {
      provider: providerName,
      before: rows.models.find(row => row.modelProvider === providerName && row.name === name),
    });
    await stores.config.saveProvider(provider);
    await stores.config.saveModel(model);
    await writeOut(`${refOf(model)}: ${model.upstreamModel} at ${provider.baseUrl} (${provider.protocol}), ${priceText(model.price)}\n`);
    if (secret !== undefined) await writeOut(`credential ${await addCredential(stores, providerName, { label: '', secret })}\n`);
    if (!settings.get<boolean>('output.quiet')) for (const sentence of await openEnds(provider, model, stores)) process.stderr.write(`note: ${sentence}\n`);
    return EXIT.clean;
  });
}

export async function runModelsList(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const [{ providers, models }, credentials] = [await stores.config.rows(), await stores.credentials.list()];
    if (json) {
      await writeJson({ providers, models, credentials });
      return EXIT.clean;
    }
    if (models.length === 0) await writeOut('No models yet. Add one: weir models add <model> --provider <name>\n');
    for (const model of models) {
      const provider = providers.find(({ name }) => name === model.modelProvider);
      const pool = credentials.filter(({ modelProvider }) => modelProvider === model.modelProvider);
      const usable = pool.filter(({ state }) => state === 'available').length;
      const keys = provider?.auth.scheme === 'none' ? 'needs no key' : `${usable} of ${pool.length} keys available`;
      await writeOut(`${refOf(model).padEnd(36)} ${(provider?.protocol ?? '').padEnd(10)} ${priceText(model.price)}; ${keys}\n`);
    }
    return EXIT.clean;
  });
}

export async function runModelsPrice(name: string, options: Options): Promise<ExitCode> {
  const price = readPrice(options, today());
  return withOperatorStores(givenFlags(options), async ({ stores }) => {
    const { model } = findModel(name, await stores.config.rows());
    if (price !== undefined) await stores.config.saveModel({ ...model, price });
    await writeOut(`${refOf(model)}: ${priceText(price ?? model.price)}\n`);
    return EXIT.clean;
  });
}

export async function runModelsRemove(name: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const rows = await stores.config.rows();
    const { model, provider } = findModel(name, rows);
    await stores.config.deleteModel(model.modelProvider, model.name);
    const last = rows.models.filter(({ modelProvider }) => modelProvider === provider.name).length === 1;
    const pool = (await stores.credentials.list()).filter(({ modelProvider }) => modelProvider === provider.name);
    if (last && pool.length === 0) await stores.config.deleteProvider(provider.name);
    await writeOut(`removed ${refOf(model)}\n`);
    return EXIT.clean;
  });
}
