/**
 * One operation while it is compiled: what it is, where it stands, and what was found wrong or odd so far.
 */
import type { OperationRow } from '@weir/operation-table';
import type { CompileNote, CompileProblem } from './compile-problem.ts';
import { asObject, asString, type JsonObject } from './json-value.ts';
import { type Located, lookUp, MEND_REFERENCE } from './look-up.ts';
import type { Description } from './open-description.ts';
import type { PathTemplate } from './path-template.ts';

/** An operation as published. */
export interface PublishedOperation {
  readonly method: OperationRow['method'];
  /** Key under `paths`. */
  readonly publishedPath: string;
  readonly template: PathTemplate;
  /** False where the path is no template; `template` then holds it as published. */
  readonly readable: boolean;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  /** Pointers to the path item and to the operation. */
  readonly itemPlace: string;
  readonly place: string;
  /** `GET /path`, as the table writes it. */
  readonly label: string;
}

export interface OperationReading {
  readonly description: Description;
  readonly published: PublishedOperation;
  readonly problems: CompileProblem[];
  readonly notes: CompileNote[];
}

export function refuse(reading: OperationReading, place: string, reason: string, mend: string): void {
  reading.problems.push({ operation: reading.published.label, place, reason, mend });
}

export function remark(reading: OperationReading, place: string, note: string): void {
  reading.notes.push({ operation: reading.published.label, place, note });
}

/** Longest chain of references, and deepest nesting of a schema (PRV-4). */
export const MAX_DEPTH = 32;

/** Follows `$ref` from a value to what it names. Refuses references that leave the description, lead nowhere or go round. */
export function follow(reading: OperationReading, value: unknown, place: string): Located | undefined {
  let here: Located | undefined = located(value, place);
  for (let step = 0; here !== undefined; step += 1) {
    const reference = asString(here.value['$ref']);
    if (reference === undefined) return here;
    if (step >= MAX_DEPTH) {
      refuse(reading, place, `the reference ${reference} goes round`, 'break the circle with an overlay entry');
      return undefined;
    }
    here = target(reading, reference, here.place);
  }
  return undefined;
}

const located = (value: unknown, place: string): Located | undefined => {
  const object = asObject(value);
  return object === undefined ? undefined : { value: object, place };
};

/** What a reference names; refused with a reason where that is nothing in this description. */
function target(reading: OperationReading, reference: string, place: string): Located | undefined {
  const found = lookUp(reading.description, reference);
  if (typeof found !== 'string') return found;
  refuse(reading, `${place}/$ref`, found, MEND_REFERENCE);
  return undefined;
}
