/**
 * Sample values of parameters and fields for contract cases, with the text that each has in a request. The texts are made of
 * characters that no encoding changes, so that an expected request is written down without the encoder that it tests.
 */
import type { BodyField, OperationParameter, ValueType } from './operation-row.ts';

export interface Sample {
  readonly value: unknown;
  /** One text for each entry of a list, else one text. */
  readonly texts: readonly string[];
}

const SCALARS: Readonly<Record<Exclude<ValueType, 'array' | 'object'>, string | number | boolean>> = {
  string: 'text1',
  integer: 7,
  number: 7,
  boolean: true,
  any: 'any1',
};

type Sampled = Pick<OperationParameter, 'type' | 'items' | 'enum' | 'minimum' | 'maximum'>;

function scalar(type: ValueType, { enum: allowed, minimum, maximum }: Sampled): string | number | boolean {
  const chosen = allowed?.find(one => /^[\w.-]+$/.test(String(one))) ?? allowed?.[0];
  if (chosen !== undefined) return chosen;
  const usual = SCALARS[type === 'array' || type === 'object' ? 'any' : type];
  return typeof usual === 'number' ? Math.min(maximum ?? usual, Math.max(minimum ?? usual, usual)) : usual;
}

/** A value that the parameter takes. Texts of a value of several segments keep their slash. */
export const sampleParameter = (parameter: OperationParameter): Sample => {
  if (
    (parameter.style === 'segments' || parameter.style === 'encoded-segments') &&
    (parameter.type === 'string' || parameter.type === 'any') &&
    parameter.enum === undefined
  )
    return { value: 'dir1/file1', texts: ['dir1/file1'] };
  if (parameter.style === 'json') {
    const value = sampleField(parameter);
    return { value, texts: [JSON.stringify(value)] };
  }
  if (parameter.type !== 'array') {
    const value = scalar(parameter.type, parameter);
    return { value, texts: [String(value)] };
  }
  const entry = scalar(parameter.items ?? 'any', parameter);
  return { value: [entry, entry], texts: [String(entry), String(entry)] };
};

/** A value that the field takes. */
export const sampleField = (field: BodyField | Sampled): unknown => {
  if (field.type === 'object') return { member1: 'text1' };
  if (field.type !== 'array') return scalar(field.type, field);
  if (field.items === 'object') return [{ member1: 'text1' }];
  if (field.items === 'array') return [['text1']];
  return [scalar(field.items ?? 'any', field)];
};

/** A value of another type; undefined where every value has the type. */
export const wrongType = (type: ValueType): unknown => {
  if (type === 'any') return undefined;
  return type === 'object' ? ['text1'] : { member1: 'text1' };
};
