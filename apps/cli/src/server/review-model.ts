/** The model of reviews: a stored route of this deployment's gateway, so that each call is priced, capped and in the ledger (PRO-5). */
import { AppError } from '@weir/kernel';
import type { InternalPurpose, ModelGateway } from '@weir/model-gateway';
import type { ModelPort } from '@weir/ports';
import type { ModelLimits } from '@weir/review-workers';
import type { LoadedSettings } from '../composition/load-settings.ts';
import { modelLimits } from '../composition/round-settings.ts';

export interface ReviewModel {
  /** As the settings name it. */
  readonly name: string;
  readonly limits: ModelLimits;
  /** Asks on behalf of a review, for its charges. */
  readonly portFor: (purpose: Pick<InternalPurpose, 'capability'> & Partial<InternalPurpose>) => ModelPort;
}

/** Null where no model is named: then only the deterministic checks run. Throws CONFIG_INVALID for an endpoint of the settings, which nothing prices. */
export function reviewModel(settings: LoadedSettings, gateway: Pick<ModelGateway, 'modelPort'>): ReviewModel | null {
  const { get } = settings;
  if (get<string | null>('model.baseUrl') !== null) {
    throw new AppError('CONFIG_INVALID', 'model.baseUrl is for reviews on this machine: a server asks a stored route, whose price is known.', {
      next: 'Add the model once: weir models add <model> --provider <name> --base-url <url>; leave model.baseUrl out, and set model.name to it.',
    });
  }
  const name = get<string | null>('model.name');
  if (name === null) return null;
  const rules = {
    model: name,
    jsonMode: get<boolean>('model.jsonMode'),
    temperature: get<number | null>('model.temperature'),
    timeoutMs: get<number>('model.timeoutSeconds') * 1_000,
  };
  return { name, limits: modelLimits(settings), portFor: purpose => gateway.modelPort({ ...rules, purpose }) };
}
