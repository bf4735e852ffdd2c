/** A model by the name that a person gives: its own where only one provider has it, or provider/model. */
import type { Model, ModelProvider, ModelRows } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { refOf, resolveRoute } from '@weir/model-routes';

export interface FoundModel {
  readonly model: Model;
  readonly provider: ModelProvider;
}

/** Throws MODEL_UNKNOWN, with the nearest name. A model without a price is found too. */
export function findModel(name: string, rows: ModelRows): FoundModel {
  const resolution = resolveRoute(name, { ...rows, models: rows.models.map(model => ({ ...model, price: { mode: 'unmetered' } })) });
  if (!resolution.ok) throw new AppError('MODEL_UNKNOWN', resolution.message);
  const model = rows.models.find(candidate => refOf(candidate) === resolution.route.ref);
  const provider = rows.providers.find(candidate => candidate.name === model?.modelProvider);
  if (model === undefined || provider === undefined) throw new AppError('MODEL_UNKNOWN', `There is no model ${name}.`);
  return { model, provider };
}
