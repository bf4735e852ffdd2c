export { buildCorpus, type Corpus, type Planted } from './build-corpus.ts';
export { addedFile } from './added-file.ts';
export { measure, type Measurement } from './measure.ts';
export { createRandom, type Random } from './random.ts';
export { type SecretFormat, secretFormats } from './secret-formats.ts';
