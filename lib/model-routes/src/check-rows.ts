/** Holds rows of model providers and models against their schemas, before they are stored (REV-30, MOD-18a). */
import { type CapabilityFacts, FACT_KEYS, Model, type ModelPrice, ModelProvider } from '@weir/contract';
import { nearestName } from '@weir/operation-table';
import type { RowCheck, RowProblem } from './row-check.ts';

interface Schema<Row> {
  safeParse(value: unknown): { success: true; data: Row } | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
}

export function checkModelProvider(value: unknown): RowCheck<ModelProvider> {
  const checked = check(ModelProvider, value);
  return checked.ok ? withFacts(checked.row, checked.row.facts) : checked;
}

/** A model without rates and without the word that it is unmetered is refused here, and once more before each call. */
export function checkModel(value: unknown): RowCheck<Model & { readonly price: ModelPrice }> {
  const checked = check(Model, value);
  if (!checked.ok) return checked;
  const { price } = checked.row;
  if (price === null) {
    const message = `${checked.row.name} has neither rates (above zero, for input and output) nor the word that it is unmetered`;
    return { ok: false, problems: [{ path: 'price', message }] };
  }
  return withFacts({ ...checked.row, price }, checked.row.facts ?? {});
}

function check<Row>(schema: Schema<Row>, value: unknown): RowCheck<Row> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, row: parsed.data };
  return { ok: false, problems: parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message })) };
}

function withFacts<Row>(row: Row, facts: CapabilityFacts): RowCheck<Row> {
  const problems: RowProblem[] = Object.keys(facts)
    .filter(key => !(FACT_KEYS as readonly string[]).includes(key))
    .map(key => {
      const nearest = nearestName(key, FACT_KEYS);
      return { path: `facts.${key}`, message: `there is no such fact${nearest === undefined ? '' : `; did you mean ${nearest}?`}` };
    });
  return problems.length === 0 ? { ok: true, row } : { ok: false, problems };
}
