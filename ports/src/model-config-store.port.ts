import type { Model, ModelPrice, ModelProvider, ModelRows, ModelUse } from '@weir/contract';

/** All rows, and a text that changes with every write. */
export interface ModelSnapshot extends ModelRows {
  readonly revision: string;
}

/**
 * Model providers, models and their prices (page 40, REV-30), shared by all processes. Rows are held against their schemas here, so
 * that no way in goes around it. Throws AppError MODEL_INVALID, MODEL_UNPRICED, MODEL_UNKNOWN (no such provider or model) and
 * MODEL_IN_USE, and the failures of SqlPort.
 */
export interface ModelConfigStore {
  /** Providers and models by name. A price that cannot be read is null, so that its model is not called. */
  rows(): Promise<ModelSnapshot>;
  /** Only the revision, to see whether rows that are kept are still the newest. */
  revision(): Promise<string>;
  /** Adds or replaces. */
  saveProvider(provider: ModelProvider): Promise<void>;
  /** Refused while it has models or credentials. */
  deleteProvider(name: string): Promise<void>;
  /** Adds or replaces. Another exact id for a model that is used is refused, like a new name. */
  saveModel(model: Model & { readonly price: ModelPrice }): Promise<void>;
  renameModel(modelProvider: string, from: string, to: string): Promise<void>;
  deleteModel(modelProvider: string, name: string): Promise<void>;
  /** From here on the model keeps its name. What the holder used before is released. */
  hold(use: ModelUse): Promise<void>;
  release(holder: string): Promise<void>;
  uses(): Promise<readonly ModelUse[]>;
}
