/**
 * Which parts of a description an operation reaches through references, and whether all of them can be walked: every
 * reference local and leading somewhere, no schema beyond the bounds (PRV-4). An own iterative walk over schema positions only.
 */
import { pointer } from './json-pointer.ts';
import { asObject, asString, type JsonObject } from './json-value.ts';
import { lookUp, MEND_REFERENCE, type Referable } from './look-up.ts';
import { MAX_DEPTH, type PublishedOperation } from './operation-reading.ts';
import { forThingsAt, type PositionKind, positionOf } from './schema-positions.ts';

/** Most nodes of one schema, references not followed (PRV-4). */
export const MAX_SCHEMA_NODES = 4_096;

export interface Fault {
  readonly place: string;
  readonly reason: string;
  readonly mend: string;
}

/** What one part of the description refers to directly. */
interface PartLinks {
  readonly references: ReadonlyMap<string, PositionKind>;
  readonly faults: readonly Fault[];
}

export interface Reach {
  /** References (`#/…`) that are reached, each with the kind of thing that it names. */
  readonly references: ReadonlyMap<string, PositionKind>;
  readonly faults: readonly Fault[];
}

/** A part of the description from which references are followed. */
export interface Part {
  readonly thing: unknown;
  readonly kind: PositionKind;
  readonly place: string;
}

/** The parts of an operation: itself, and the parameters of its path. */
export const partsOf = ({ operation, place, item, itemPlace }: PublishedOperation): readonly Part[] => [
  { thing: operation, kind: 'operation', place },
  { thing: { parameters: item['parameters'] }, kind: 'operation', place: itemPlace },
];

export interface ReferenceGraph {
  /** Everything that is reached from some parts. */
  reach(parts: readonly Part[]): Reach;
}

/** A graph over one description. What it learns of a part is kept, so that many operations cost one walk. */
export function createReferenceGraph(description: Referable): ReferenceGraph {
  const known = new Map<PositionKind, Map<string, PartLinks>>();
  const linksOf = (reference: string, kind: PositionKind): PartLinks => {
    const ofKind = known.get(kind) ?? new Map<string, PartLinks>();
    known.set(kind, ofKind);
    const before = ofKind.get(reference);
    if (before !== undefined) return before;
    const found = lookUp(description, reference);
    const links = typeof found === 'string' ? NOTHING : scanPart({ thing: found.value, kind, place: found.place }, description);
    ofKind.set(reference, links);
    return links;
  };
  return {
    reach: parts =>
      reachFrom(
        parts.map(part => scanPart(part, description)),
        linksOf,
      ),
  };
}

const NOTHING: PartLinks = { references: new Map(), faults: [] };

function reachFrom(starts: readonly PartLinks[], linksOf: (reference: string, kind: PositionKind) => PartLinks): Reach {
  const reached = new Map<string, PositionKind>(starts.flatMap(start => [...start.references]));
  const faults: Fault[] = starts.flatMap(start => start.faults);
  // A map may grow while it is walked: the walk then meets what was added.
  for (const [reference, kind] of reached) {
    const links = linksOf(reference, kind);
    faults.push(...links.faults);
    for (const [next, nextKind] of links.references) if (!reached.has(next)) reached.set(next, nextKind);
  }
  return { references: reached, faults };
}

/** How a walk came to a spot; written out as a place only where a fault is. */
interface Trail {
  readonly up: Trail | undefined;
  /** The place of a part at the start, else a member and the key below it. */
  readonly step: string;
  readonly key: string | undefined;
}

function placeOf(trail: Trail): string {
  const steps: string[] = [];
  for (let here: Trail | undefined = trail; here !== undefined; here = here.up) {
    const step = here.up === undefined ? here.step : pointer(here.step);
    steps.push(here.key === undefined ? step : step + pointer(here.key));
  }
  return steps.reverse().join('');
}

interface Spot {
  readonly thing: unknown;
  readonly kind: PositionKind;
  readonly trail: Trail;
  /** Nesting inside the schema that it belongs to; 0 outside of schemas. */
  readonly depth: number;
  readonly schema: { nodes: number } | undefined;
}

/** Walks one part without following references. */
function scanPart({ thing, kind, place }: Part, description: Referable): PartLinks {
  const references = new Map<string, PositionKind>();
  const faults: Fault[] = [];
  const start = { up: undefined, step: place, key: undefined };
  const waiting: Spot[] = [{ thing, kind, trail: start, depth: 0, schema: kind === 'schema' ? { nodes: 0 } : undefined }];
  for (let spot = waiting.pop(); spot !== undefined; spot = waiting.pop()) {
    const object = asObject(spot.thing);
    if (object === undefined) continue;
    const excess = excessOf(spot);
    if (excess !== undefined) {
      faults.push({ place: placeOf(spot.trail), reason: excess, mend: 'cut the schema with an overlay entry' });
      continue;
    }
    const reference = asString(object['$ref']);
    if (reference !== undefined) {
      const found = lookUp(description, reference);
      if (typeof found === 'string') faults.push({ place: `${placeOf(spot.trail)}/$ref`, reason: found, mend: MEND_REFERENCE });
      else references.set(reference, spot.kind);
    }
    pushInside(spot, object, waiting);
  }
  return { references, faults };
}

/** Counts a node of a schema; a sentence where it is one too many, said once. */
function excessOf({ depth, schema }: Spot): string | undefined {
  if (schema === undefined) return undefined;
  schema.nodes += 1;
  if (depth > MAX_DEPTH) return `the schema nests deeper than ${MAX_DEPTH}`;
  return schema.nodes === MAX_SCHEMA_NODES + 1 ? `the schema has more than ${MAX_SCHEMA_NODES} nodes` : undefined;
}

function pushInside(spot: Spot, object: JsonObject, waiting: Spot[]): void {
  if (spot.schema !== undefined && spot.schema.nodes > MAX_SCHEMA_NODES) return;
  for (const member of Object.keys(object)) {
    const position = positionOf(spot.kind, member);
    if (position === undefined) continue;
    const { kind } = position;
    const nested = kind === 'schema' && spot.kind === 'schema';
    forThingsAt(position, object[member], (thing, key) => {
      const schema = nested ? spot.schema : kind === 'schema' ? { nodes: 0 } : undefined;
      waiting.push({ thing, kind, trail: { up: spot.trail, step: member, key }, depth: nested ? spot.depth + 1 : 0, schema });
    });
  }
}
