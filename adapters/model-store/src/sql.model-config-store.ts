/** Models and their providers in the database, shared by all processes of a deployment. */
import { type Model, ModelPrice, type ModelProvider, type ModelUse } from '@weir/contract';
import { refuseModelChange, refuseProviderDeletion } from '@weir/model-routes';
import { type ModelConfigStore, retryConflict, type SqlPort, type SqlSession } from '@weir/ports';
import { goodModel, goodProvider, heed, modelExists, type PricedModel, providerHasCredentials, unknownModel, unknownProvider } from './model-refusals.ts';

const ATTEMPTS = 5;

/** One statement, so that all of it is of one moment. */
const ROWS = `select
  (select revision from weir_model_revision) as revision,
  (select coalesce(jsonb_agg(provider order by name), '[]') from weir_model_providers) as providers,
  (select coalesce(jsonb_agg(model order by model_provider, name), '[]') from weir_models) as models`;
/** Held until the transaction ends: one write at a time. A refusal rolls it back. */
const NEXT_REVISION = 'update weir_model_revision set revision = revision + 1';
const HOLD_REVISION = 'select from weir_model_revision for update';
const SAVE_PROVIDER = `insert into weir_model_providers (name, provider) values ($1, $2)
  on conflict (name) do update set provider = excluded.provider`;
const SAVE_MODEL = `insert into weir_models (model_provider, name, model) values ($1, $2, $3)
  on conflict (model_provider, name) do update set model = excluded.model`;
const HOLD = `insert into weir_model_uses (holder, model_provider, model) values ($1, $2, $3)
  on conflict (holder) do update set model_provider = excluded.model_provider, model = excluded.model`;
const USES = 'select holder, model_provider as "modelProvider", model from weir_model_uses order by holder';

async function usesIn(session: SqlSession): Promise<readonly ModelUse[]> {
  return (await session.query<ModelUse & Record<string, unknown>>(USES)).rows;
}

async function providerIn(session: SqlSession, name: string): Promise<void> {
  const { rows } = await session.query('select from weir_model_providers where name = $1', [name]);
  if (rows.length === 0) throw unknownProvider(name);
}

async function modelIn(session: SqlSession, modelProvider: string, name: string): Promise<PricedModel | undefined> {
  const { rows } = await session.query<{ model: PricedModel }>('select model from weir_models where model_provider = $1 and name = $2', [modelProvider, name]);
  return rows[0]?.model;
}

async function foundIn(session: SqlSession, modelProvider: string, name: string): Promise<PricedModel> {
  const model = await modelIn(session, modelProvider, name);
  if (model === undefined) throw unknownModel(modelProvider, name);
  return model;
}

const DELETE_MODEL = 'delete from weir_models where model_provider = $1 and name = $2';

async function deleteProviderIn(session: SqlSession, name: string): Promise<void> {
  await providerIn(session, name);
  const { rows } = await session.query<{ model: Model }>('select model from weir_models where model_provider = $1 order by name', [name]);
  heed(refuseProviderDeletion(name, { models: rows.map(({ model }) => model) }));
  if ((await session.query('select from weir_model_credentials where model_provider = $1 limit 1', [name])).rows.length > 0) throw providerHasCredentials(name);
  await session.query('delete from weir_model_providers where name = $1', [name]);
}

async function saveModelIn(session: SqlSession, model: PricedModel): Promise<void> {
  await providerIn(session, model.modelProvider);
  const before = await modelIn(session, model.modelProvider, model.name);
  if (before !== undefined) heed(refuseModelChange(before, model, await usesIn(session)));
  await session.query(SAVE_MODEL, [model.modelProvider, model.name, model]);
}

async function renameModelIn(session: SqlSession, modelProvider: string, from: string, to: string): Promise<void> {
  const before = await foundIn(session, modelProvider, from);
  const after = goodModel({ ...before, name: to });
  if ((await modelIn(session, modelProvider, to)) !== undefined) throw modelExists(modelProvider, to);
  heed(refuseModelChange(before, after, await usesIn(session)));
  await session.query(DELETE_MODEL, [modelProvider, from]);
  await session.query(SAVE_MODEL, [modelProvider, to, after]);
}

/** What an older version or another hand wrote is no price: its model is not called (REV-30). */
function withReadPrice(model: Model): Model {
  const price = ModelPrice.safeParse(model.price);
  return { ...model, price: price.success ? price.data : null };
}

export function sqlModelConfigStore(database: SqlPort): ModelConfigStore {
  const write = (lock: string, work: (session: SqlSession) => Promise<unknown>): Promise<void> =>
    retryConflict(
      database,
      async session => {
        await session.query(lock);
        await work(session);
      },
      ATTEMPTS,
    );

  return {
    async rows() {
      const { rows } = await database.query<{ revision: string; providers: ModelProvider[]; models: Model[] }>(ROWS);
      const { revision, providers, models } = rows[0] ?? { revision: '', providers: [], models: [] };
      return { revision, providers, models: models.map(withReadPrice) };
    },
    async revision() {
      const { rows } = await database.query<{ revision: string }>('select revision from weir_model_revision');
      return rows[0]?.revision ?? '';
    },
    async saveProvider(provider) {
      const good = goodProvider(provider);
      await write(NEXT_REVISION, session => session.query(SAVE_PROVIDER, [good.name, good]));
    },
    deleteProvider: name => write(NEXT_REVISION, session => deleteProviderIn(session, name)),
    async saveModel(model) {
      const good = goodModel(model);
      await write(NEXT_REVISION, session => saveModelIn(session, good));
    },
    renameModel: (modelProvider, from, to) => write(NEXT_REVISION, session => renameModelIn(session, modelProvider, from, to)),
    deleteModel: (modelProvider, name) =>
      write(NEXT_REVISION, async session => {
        heed(refuseModelChange(await foundIn(session, modelProvider, name), undefined, await usesIn(session)));
        await session.query(DELETE_MODEL, [modelProvider, name]);
      }),
    hold: use =>
      write(HOLD_REVISION, async session => {
        await foundIn(session, use.modelProvider, use.model);
        await session.query(HOLD, [use.holder, use.modelProvider, use.model]);
      }),
    async release(holder) {
      await database.query('delete from weir_model_uses where holder = $1', [holder]);
    },
    uses: () => usesIn(database),
  };
}
