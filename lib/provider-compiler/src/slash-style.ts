/**
 * Whether a slash in a path value is kept or encoded (PRV-4): a fact of each parameter, from the description, its overlay or the
 * descriptor.
 */
import type { OperationParameter, ParameterStyle } from '@weir/operation-table';
import type { OperationReading } from './operation-reading.ts';

/** Path parameters, by name, whose slashes are kept or encoded wherever the description does not say it of one. */
export interface SlashNames {
  readonly keep: readonly string[];
  readonly encode: readonly string[];
}

export const NO_SLASHES: SlashNames = { keep: [], encode: [] };

/** Words of `x-multi-segment` that an overlay may use; vendors write `true`, which says nothing of how. */
const STATED: ReadonlyMap<unknown, ParameterStyle> = new Map([
  ['keep', 'segments'],
  ['encode', 'encoded-segments'],
]);

interface PathValue extends Pick<OperationParameter, 'name' | 'type'> {
  /** Its `x-multi-segment`. */
  readonly stated?: unknown;
}

/** The style of a path value that may hold slashes; undefined for one that may not. A number holds none. */
export function slashStyle(reading: OperationReading, { name, type, stated }: PathValue, names: SlashNames): ParameterStyle | undefined {
  const exact = STATED.get(stated);
  if (exact !== undefined) return exact;
  const text = type === 'string' || type === 'any';
  if (text && names.encode.includes(name)) return 'encoded-segments';
  const several = stated === true || reading.published.template.splats.has(name) || endsThePath(reading, name);
  return several || (text && names.keep.includes(name)) ? 'segments' : undefined;
}

/** A placeholder that follows a word at the end of the path (`…/diff{path}`) stands for the rest of the path. */
const endsThePath = (reading: OperationReading, name: string): boolean => {
  const { path } = reading.published.template;
  return path.endsWith(`{${name}}`) && /[A-Za-z0-9]/.test(path.charAt(path.length - name.length - 3));
};
