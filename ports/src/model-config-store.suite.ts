/** What every store of models and their providers has to do (page 40, REV-30). */
import type { Model, ModelPrice, ModelProvider } from '@weir/contract';
import type { CredentialPool } from './credential-pool.port.ts';
import type { ModelConfigStore } from './model-config-store.port.ts';
import { failureCode, type SuiteTools } from './suite-tools.ts';

export interface ModelConfigSuiteSubject {
  /** Two stores over the same rows, and the pool of their credentials. The tests share them, each with a provider of its own. */
  readonly stores: () => { readonly configs: readonly [ModelConfigStore, ModelConfigStore]; readonly credentials: CredentialPool };
}

const provider = (name: string, changes: Partial<ModelProvider> = {}): ModelProvider => ({
  name,
  baseUrl: 'https://models.example/v1',
  protocol: 'messages',
  auth: { scheme: 'header', header: 'x-api-key' },
  headers: { 'x-version': '1' },
  facts: { function: true, hosted: { web_search: true } },
  profile: { outputTokens: 'max_tokens', temperature: 'allowed', reasoningEffort: ['low'], extra: { top_k: 5 } },
  usageRule: 'anthropic',
  ...changes,
});

type PricedModel = Model & { readonly price: ModelPrice };

const model = (modelProvider: string, name: string, changes: Partial<PricedModel> = {}): PricedModel => ({
  modelProvider,
  name,
  upstreamModel: `${name}-1`,
  price: { mode: 'metered', rates: { input: 250_000, output: 1_000_000, cached_input: 0 }, source: 'price page', since: '2026-01-02' },
  ...changes,
});

type Stores = ModelConfigSuiteSubject['stores'];

export function modelConfigStoreSuite({ stores }: ModelConfigSuiteSubject, tools: SuiteTools): void {
  rowTests(stores, tools);
  refusalTests(stores, tools);
  useTests(stores, tools);
}

const modelsOf = async (store: ModelConfigStore, name: string): Promise<readonly Model[]> =>
  (await store.rows()).models.filter(({ modelProvider }) => modelProvider === name);

function rowTests(stores: Stores, { test, expect }: SuiteTools): void {
  test('rows come back as they were saved, by name, and a second save replaces', async () => {
    const [one, two] = stores().configs;
    await one.saveProvider(provider('rows'));
    await two.saveProvider(provider('rows', { protocol: 'chat' }));
    const rich = model('rows', 'vendor/b:free', { facts: { custom: false }, profile: { temperature: 'refused' } });
    await one.saveModel(rich);
    await one.saveModel(model('rows', 'a', { price: { mode: 'unmetered' } }));
    await two.saveModel(model('rows', 'a'));
    expect((await two.rows()).providers.filter(({ name }) => name === 'rows')).toEqual([provider('rows', { protocol: 'chat' })]);
    expect(await modelsOf(two, 'rows')).toEqual([model('rows', 'a'), rich]);
  });

  test('the revision changes with every write, and with nothing else', async () => {
    const [one, two] = stores().configs;
    const revisions = [await one.revision()];
    const note = async (work: Promise<void>): Promise<void> => {
      await work;
      revisions.push(await two.revision());
      expect((await one.rows()).revision).toBe(revisions.at(-1));
    };
    await note(one.saveProvider(provider('revision')));
    await note(one.saveModel(model('revision', 'a')));
    await note(one.saveModel(model('revision', 'a', { upstreamModel: 'other' })));
    await note(one.renameModel('revision', 'a', 'b'));
    await note(one.deleteModel('revision', 'b'));
    await note(one.deleteProvider('revision'));
    expect(new Set(revisions).size).toBe(revisions.length);
    await failureCode(one.deleteProvider('revision'));
    expect(await two.revision()).toBe(revisions.at(-1));
  });
}

function refusalTests(stores: Stores, { test, expect }: SuiteTools): void {
  test('no way in goes around the schemas and the price', async () => {
    const [one] = stores().configs;
    await one.saveProvider(provider('refuse'));
    const wrong: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['MODEL_INVALID', () => one.saveProvider(provider('Refuse'))],
      ['MODEL_INVALID', () => one.saveProvider(provider('refuse', { baseUrl: 'ftp://x' }))],
      ['MODEL_INVALID', () => one.saveProvider(provider('refuse', { facts: { functions: true } as ModelProvider['facts'] }))],
      ['MODEL_INVALID', () => one.saveModel(model('refuse', 'a b'))],
      ['MODEL_INVALID', () => one.saveModel(model('refuse', 'a', { price: { mode: 'metered', rates: { input: 0, output: 1 } } }))],
      ['MODEL_UNPRICED', () => one.saveModel({ ...model('refuse', 'a'), price: null } as unknown as PricedModel)],
      ['MODEL_UNKNOWN', () => one.saveModel(model('nobody', 'a'))],
      ['MODEL_UNKNOWN', () => one.deleteModel('refuse', 'nobody')],
      ['MODEL_UNKNOWN', () => one.renameModel('refuse', 'nobody', 'a')],
      ['MODEL_UNKNOWN', () => one.deleteProvider('nobody')],
      ['MODEL_UNKNOWN', () => one.hold({ holder: 'h', modelProvider: 'refuse', model: 'nobody' })],
    ];
    for (const [code, work] of wrong) expect(await failureCode(work())).toBe(code);
    expect(await modelsOf(one, 'refuse')).toEqual([]);
  });

  test('a model is renamed with its price, but not onto another and not into a name that is none', async () => {
    const [one] = stores().configs;
    await one.saveProvider(provider('rename'));
    await one.saveModel(model('rename', 'a'));
    await one.saveModel(model('rename', 'b'));
    expect(await failureCode(one.renameModel('rename', 'a', 'b'))).toBe('MODEL_INVALID');
    expect(await failureCode(one.renameModel('rename', 'a', 'not a name'))).toBe('MODEL_INVALID');
    await one.renameModel('rename', 'a', 'c');
    expect(await modelsOf(one, 'rename')).toEqual([model('rename', 'b'), model('rename', 'c', { upstreamModel: 'a-1' })]);
  });

  test('a provider with models or credentials stays', async () => {
    const { configs, credentials } = stores();
    const [one, two] = configs;
    await one.saveProvider(provider('stay'));
    await one.saveModel(model('stay', 'a'));
    await credentials.add({ ref: 'stay-1', modelProvider: 'stay', label: 'l', sealed: 's' });
    expect(await failureCode(two.deleteProvider('stay'))).toBe('MODEL_IN_USE');
    await one.deleteModel('stay', 'a');
    expect(await failureCode(two.deleteProvider('stay'))).toBe('MODEL_IN_USE');
    await credentials.remove('stay-1');
    await two.deleteProvider('stay');
    expect((await one.rows()).providers.filter(({ name }) => name === 'stay')).toEqual([]);
  });
}

function useTests(stores: Stores, { test, expect }: SuiteTools): void {
  test('a model in use keeps its name and its exact id until the last holder has let go', async () => {
    const [one, two] = stores().configs;
    await one.saveProvider(provider('use'));
    for (const name of ['a', 'b']) await one.saveModel(model('use', name));
    await one.hold({ holder: 'use 1', modelProvider: 'use', model: 'a' });
    await two.hold({ holder: 'use 2', modelProvider: 'use', model: 'a' });
    const changes = [() => two.deleteModel('use', 'a'), () => two.renameModel('use', 'a', 'c'), () => two.saveModel(model('use', 'a', { upstreamModel: 'z' }))];
    for (const change of changes) expect(await failureCode(change())).toBe('MODEL_IN_USE');
    await two.saveModel(model('use', 'a', { price: { mode: 'unmetered' } }));
    await one.hold({ holder: 'use 1', modelProvider: 'use', model: 'b' });
    expect((await two.uses()).filter(({ modelProvider }) => modelProvider === 'use')).toEqual([
      { holder: 'use 1', modelProvider: 'use', model: 'b' },
      { holder: 'use 2', modelProvider: 'use', model: 'a' },
    ]);
    expect(await failureCode(two.deleteModel('use', 'a'))).toBe('MODEL_IN_USE');
    await one.release('use 2');
    await one.release('use 2');
    await two.deleteModel('use', 'a');
    expect(await modelsOf(one, 'use')).toEqual([model('use', 'b')]);
  });

  test('a deletion and a use that meet end as one of the two, never as a use of nothing', async () => {
    const [one, two] = stores().configs;
    await one.saveProvider(provider('race'));
    for (let round = 0; round < 10; round += 1) {
      await one.saveModel(model('race', 'a'));
      const codes = await Promise.all([
        failureCode(one.deleteModel('race', 'a')),
        failureCode(two.hold({ holder: 'race', modelProvider: 'race', model: 'a' })),
      ]);
      expect([...codes].sort(), String(round)).toEqual(codes[0] === 'none' ? ['MODEL_UNKNOWN', 'none'] : ['MODEL_IN_USE', 'none']);
      await one.release('race');
    }
  });
}
