/** The failures that both stores name alike. */
import type { Model, ModelPrice, ModelProvider, NewVirtualKey } from '@weir/contract';
import { NewVirtualKey as NewVirtualKeySchema } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type ChangeRefusal, checkModel, checkModelProvider, type RowCheck, type RowProblem } from '@weir/model-routes';

export type PricedModel = Model & { readonly price: ModelPrice };

const sentence = (problems: readonly RowProblem[]): string =>
  problems
    .slice(0, 5)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');

function rowOf<Row>(check: RowCheck<Row>, code: 'MODEL_INVALID' | 'MODEL_UNPRICED'): Row {
  if (check.ok) return check.row;
  throw new AppError(code, `The row is not allowed: ${sentence(check.problems)}.`);
}

export const goodProvider = (provider: ModelProvider): ModelProvider => rowOf(checkModelProvider(provider), 'MODEL_INVALID');

export const goodModel = (model: Model): PricedModel => rowOf(checkModel(model), model.price === null ? 'MODEL_UNPRICED' : 'MODEL_INVALID');

export function goodKey(key: NewVirtualKey): NewVirtualKey {
  const parsed = NewVirtualKeySchema.safeParse(key);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  throw new AppError('KEY_INVALID', `The virtual key is not allowed: ${sentence(problems)}.`);
}

export const keyExists = (id: string): AppError => new AppError('KEY_INVALID', `The virtual key ${id} exists, or another one has its hash.`);

export const unknownProvider = (name: string): AppError => new AppError('MODEL_UNKNOWN', `There is no model provider ${name}.`);
export const unknownModel = (modelProvider: string, name: string): AppError =>
  new AppError('MODEL_UNKNOWN', `The model provider ${modelProvider} has no model ${name}.`);
export const unknownCredential = (ref: string): AppError => new AppError('MODEL_UNKNOWN', `There is no model credential ${ref}.`);
export const modelExists = (modelProvider: string, name: string): AppError =>
  new AppError('MODEL_INVALID', `The model provider ${modelProvider} has a model ${name} already.`);
export const credentialExists = (ref: string): AppError => new AppError('MODEL_INVALID', `There is a model credential ${ref} already.`);
export const providerHasCredentials = (name: string): AppError =>
  new AppError('MODEL_IN_USE', `The model provider ${name} cannot be deleted: it has credentials.`, { next: 'Remove its credentials first.' });

/** Throws what the rules refuse. */
export function heed(refusal: ChangeRefusal | undefined): void {
  if (refusal !== undefined) throw new AppError(refusal.code, refusal.message);
}
