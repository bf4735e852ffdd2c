/** Models and their providers in the memory of one process: for the CLI without a server, and for tests. */
import type { ModelUse } from '@weir/contract';
import { refOf, refuseModelChange, refuseProviderDeletion } from '@weir/model-routes';
import type { ModelConfigStore } from '@weir/ports';
import type { MemoryModelRows } from './memory.model-rows.ts';
import { goodModel, goodProvider, heed, modelExists, type PricedModel, providerHasCredentials, unknownModel, unknownProvider } from './model-refusals.ts';

const byText =
  <Row>(textOf: (row: Row) => string) =>
  (left: Row, right: Row): number =>
    textOf(left) < textOf(right) ? -1 : 1;

export function memoryModelConfigStore({ providers, models, uses, credentials }: MemoryModelRows): ModelConfigStore {
  let revision = 0;
  const allUses = (): ModelUse[] => [...uses.values()].sort(byText(({ holder }) => holder));

  function found(modelProvider: string, name: string): PricedModel {
    const model = models.get(refOf({ modelProvider, name }));
    if (model === undefined) throw unknownModel(modelProvider, name);
    return model;
  }

  return {
    rows: async () =>
      structuredClone({
        providers: [...providers.values()].sort(byText(({ name }) => name)),
        models: [...models.values()].sort(byText(refOf)),
        revision: String(revision),
      }),
    revision: async () => String(revision),
    async saveProvider(provider) {
      providers.set(provider.name, structuredClone(goodProvider(provider)));
      revision += 1;
    },
    async deleteProvider(name) {
      if (!providers.has(name)) throw unknownProvider(name);
      heed(refuseProviderDeletion(name, { models: [...models.values()] }));
      if ([...credentials.values()].some(({ modelProvider }) => modelProvider === name)) throw providerHasCredentials(name);
      providers.delete(name);
      revision += 1;
    },
    async saveModel(model) {
      const good = structuredClone(goodModel(model));
      if (!providers.has(good.modelProvider)) throw unknownProvider(good.modelProvider);
      const before = models.get(refOf(good));
      if (before !== undefined) heed(refuseModelChange(before, good, allUses()));
      models.set(refOf(good), good);
      revision += 1;
    },
    async renameModel(modelProvider, from, to) {
      const before = found(modelProvider, from);
      const after = goodModel({ ...before, name: to });
      if (models.has(refOf(after))) throw modelExists(modelProvider, to);
      heed(refuseModelChange(before, after, allUses()));
      models.delete(refOf(before));
      models.set(refOf(after), after);
      revision += 1;
    },
    async deleteModel(modelProvider, name) {
      heed(refuseModelChange(found(modelProvider, name), undefined, allUses()));
      models.delete(refOf({ modelProvider, name }));
      revision += 1;
    },
    async hold(use) {
      found(use.modelProvider, use.model);
      uses.set(use.holder, use);
    },
    async release(holder) {
      uses.delete(holder);
    },
    uses: async () => allUses(),
  };
}
