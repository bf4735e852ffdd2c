/**
 * SARIF 2.1.0: every run's results, with the metadata of their rules.
 */
import { AppError } from '@weir/kernel';
import type { ImportBatch } from './import-batch.ts';
import { messageOf } from './import-sarif-message.ts';
import { artifactPath, regionLines } from './import-sarif-place.ts';
import { categoryOf, ownSeverity, severityOf, suggestionOf, whyNot } from './import-sarif-result.ts';
import { ownRule } from './imported-finding.ts';
import { asObject, at, field, listOf, textOf, wholeOf } from './json-reader.ts';

/** The name that Weir's own reports carry; their results say their severity exactly. */
const OWN_NAME = 'Weir';

interface Run {
  readonly value: unknown;
  readonly driver: unknown;
  readonly tool: string;
  readonly rules: readonly unknown[];
  /** Rules of the driver and of its extensions by id. */
  readonly byId: ReadonlyMap<string, unknown>;
}

function readRun(value: unknown): Run {
  const driver = at(value, 'tool', 'driver');
  const rules = listOf(field(driver, 'rules'));
  const extended = listOf(at(value, 'tool', 'extensions')).flatMap(extension => listOf(field(extension, 'rules')));
  const byId = new Map<string, unknown>();
  for (const rule of [...rules, ...extended]) {
    const id = textOf(field(rule, 'id'));
    if (id !== undefined && !byId.has(id)) byId.set(id, rule);
  }
  return { value, driver, tool: textOf(field(driver, 'name')) ?? 'sarif', rules, byId };
}

/** The rules that `rule.index` counts: an extension's when the reference names one. */
function rulesFor(result: unknown, run: Run): readonly unknown[] {
  const extension = wholeOf(at(result, 'rule', 'toolComponent', 'index'), 0);
  return extension === undefined ? run.rules : listOf(field(listOf(at(run.value, 'tool', 'extensions'))[extension], 'rules'));
}

interface NamedRule {
  readonly id: string | undefined;
  readonly rule: unknown;
}

/** By index first, since ids may be repeated; `CA1000/1` is a kind of rule `CA1000` (3.27.5). */
function ruleOf(result: unknown, run: Run): NamedRule {
  const id = textOf(field(result, 'ruleId')) ?? textOf(at(result, 'rule', 'id'));
  const index = wholeOf(field(result, 'ruleIndex'), 0) ?? wholeOf(at(result, 'rule', 'index'), 0);
  const indexed = index === undefined ? undefined : rulesFor(result, run)[index];
  const parent = id?.slice(0, id.lastIndexOf('/'));
  const rule = indexed ?? (id === undefined ? undefined : (run.byId.get(id) ?? run.byId.get(parent ?? '')));
  return { id: id ?? textOf(field(rule, 'id')), rule };
}

function addResult(result: unknown, run: Run, root: string | null, batch: ImportBatch): void {
  if (asObject(result) === undefined) return batch.tally.drop('it is not an entry of the format');
  const reason = whyNot(result);
  if (reason !== undefined) return batch.tally.drop(reason);
  const physical = field(listOf(field(result, 'locations'))[0], 'physicalLocation');
  const located = artifactPath(field(physical, 'artifactLocation'), run.value, root);
  const region = field(physical, 'region');
  const place = regionLines(region);
  const { id, rule } = ruleOf(result, run);
  batch.add(located, {
    ...(run.tool === OWN_NAME ? ownRule(id) : { tool: run.tool, rule: id }),
    line: place.line,
    endLine: place.endLine,
    severity: (run.tool === OWN_NAME ? ownSeverity(result) : undefined) ?? severityOf(result, rule),
    category: categoryOf(result, rule),
    message: messageOf(result, rule, run.driver) ?? '',
    ruleTitle: textOf(at(rule, 'shortDescription', 'text')),
    quote: textOf(at(region, 'snippet', 'text')) ?? null,
    suggestion: 'path' in located ? suggestionOf(result, { place, path: located.path, run: run.value, root }) : null,
  });
}

/**
 * Adds every result of every run.
 * @throws AppError IMPORT_INVALID for another version of SARIF.
 */
export function importSarif(log: unknown, name: string, root: string | null, batch: ImportBatch): void {
  const version = field(log, 'version');
  if (version !== '2.1.0') throw new AppError('IMPORT_INVALID', `${name} is SARIF, but not version 2.1.0.`, { next: 'Convert the file to SARIF 2.1.0.' });
  for (const value of listOf(field(log, 'runs'))) {
    const run = readRun(value);
    for (const result of listOf(field(value, 'results'))) addResult(result, run, root, batch);
  }
}
