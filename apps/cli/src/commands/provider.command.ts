/** `weir provider …`: what the providers of this installation are, and what their tables hold. None of these verbs uses the network. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, type ExitCode, type Verb, VERBS } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { findOperation, type OperationRow, type OperationTable } from '@weir/operation-table';
import { checkBindings, explainVerb } from '@weir/provider-descriptor';
import { writeJson, writeOut } from '../output.ts';
import { checkDocuments, documentLine } from '../provider/check-documents.ts';
import { compileFromSpec, compileProvider, loadTable, PRUNED_FILE, TABLE_FILE, tableText, writeArtifacts } from '../provider/compile-provider.ts';
import { assertWritable, loadProvider, type ProviderFiles, providerNames } from '../provider/provider-files.ts';
import { parseDescription } from '../provider/read-description.ts';
import { searchOperations } from '../provider/search-operations.ts';

/** Operations that a search prints. */
const MAX_FOUND = 10;

const operationOf = (table: OperationTable, id: string): OperationRow => {
  const found = findOperation(table, id);
  if (found.kind === 'found') return found.row;
  throw new AppError(
    'OPERATION_UNKNOWN',
    `${table.provider} has no operation ${id}${found.suggestion === undefined ? '' : `; did you mean ${found.suggestion}?`}`,
  );
};

export async function runProviderList(json: boolean): Promise<ExitCode> {
  const rows = [];
  for (const { name, builtIn } of await providerNames()) {
    const provider = await loadProvider(name);
    const compiled = existsSync(path.join(provider.folder, TABLE_FILE));
    const operations = compiled ? (await loadTable(provider)).operations.length : null;
    const { spec, capabilities, unsupported, product } = provider.descriptor;
    rows.push({
      name,
      builtIn,
      product: product ?? null,
      apiVersion: spec.api_version,
      operations,
      bound: Object.keys(capabilities).length,
      unsupported: Object.keys(unsupported).length,
    });
  }
  if (json) await writeJson({ providers: rows });
  else
    for (const row of rows) {
      const size = row.operations === null ? 'not compiled' : `${row.operations} operations`;
      await writeOut(
        `${row.name.padEnd(18)} ${row.apiVersion.padEnd(14)} ${size.padEnd(16)} ${row.bound} verbs bound, ${row.unsupported} unsupported${row.builtIn ? '' : ' (your own)'}\n`,
      );
    }
  return EXIT.clean;
}

/** What a compile made, in lines for people. */
export function describeCompiled({ provider, operations, gaps }: OperationTable, text: string): string {
  const published = operations.length + gaps.length;
  const lines = gaps.map(gap => `  gap: ${gap.method} ${gap.path}: ${gap.reason}\n`);
  return `${provider}: ${operations.length} of ${published} operations compiled, ${text.length} bytes\n${lines.join('')}`;
}

export async function runProviderCompile(name: string, specs: string | undefined): Promise<ExitCode> {
  const provider = await loadProvider(name);
  assertWritable(provider);
  const compiled = await compileFromSpec(provider, specs);
  if (compiled === undefined) {
    throw new AppError('COMPILE_FAILED', `the pinned description of ${name} (${provider.descriptor.spec.digest}) is not at hand`, {
      next: `Fetch it: weir provider pin ${name}. Or name the folder that holds it: --specs <folder>.`,
    });
  }
  const documents = await checkDocuments(provider, specs);
  await writeOut(`${describeCompiled(compiled.table, await writeArtifacts(provider, compiled))}${documentLine(documents)}`);
  return EXIT.clean;
}

type Verification = 'same' | 'different' | 'not verifiable here';

/** Recompiles from the committed description, the folder or the cache, and compares to the byte (PRV-5). */
async function verifyOne(provider: ProviderFiles, specs: string | undefined): Promise<Verification> {
  const pruned = path.join(provider.folder, PRUNED_FILE);
  const compiled = existsSync(pruned)
    ? await compileProvider(provider, parseDescription(provider.name, await readFile(pruned), undefined))
    : await compileFromSpec(provider, specs);
  if (compiled === undefined) return 'not verifiable here';
  const table = path.join(provider.folder, TABLE_FILE);
  return existsSync(table) && tableText(compiled.table) === (await readFile(table, 'utf8')) ? 'same' : 'different';
}

/** Exit code 1 where a table differs; 6 where none does and one can't be checked. */
export async function runProviderVerify(names: readonly string[], specs: string | undefined): Promise<ExitCode> {
  const outcomes: Verification[] = [];
  for (const name of names.length > 0 ? names : (await providerNames()).map(provider => provider.name)) {
    const provider = await loadProvider(name);
    const outcome = await verifyOne(provider, specs);
    outcomes.push(outcome);
    await writeOut(`${name.padEnd(18)} ${outcome}\n${documentLine(await checkDocuments(provider, specs))}`);
  }
  const count = (wanted: Verification): number => outcomes.filter(outcome => outcome === wanted).length;
  await writeOut(`${outcomes.length} providers: ${count('same')} same, ${count('different')} different, ${count('not verifiable here')} not verifiable here\n`);
  if (outcomes.includes('not verifiable here')) await writeOut('Where a description is missing: weir provider pin <provider>, or --specs <folder>.\n');
  if (outcomes.includes('different')) return EXIT.findings;
  return outcomes.includes('not verifiable here') ? EXIT.incomplete : EXIT.clean;
}

export async function runProviderDoctor(names: readonly string[], json: boolean): Promise<ExitCode> {
  const reports = [];
  for (const name of names.length > 0 ? names : (await providerNames()).map(provider => provider.name)) {
    const provider = await loadProvider(name);
    const findings = checkBindings(provider.descriptor, await loadTable(provider), { today: new Date().toISOString().slice(0, 10) });
    const quirks = Object.values(provider.descriptor.capabilities).filter(binding => binding.quirk !== undefined).length;
    reports.push({ name, quirks, findings });
  }
  if (json) await writeJson({ providers: reports });
  else
    for (const { name, quirks, findings } of reports) {
      const errors = findings.filter(finding => finding.severity === 'error').length;
      await writeOut(`${name}: ${errors} errors, ${findings.length - errors} warnings, ${quirks} quirks\n`);
      for (const { severity, verb, call, message } of findings) await writeOut(`  ${severity}: ${[verb, call].filter(Boolean).join(' ')}: ${message}\n`);
    }
  return reports.some(({ findings }) => findings.some(finding => finding.severity === 'error')) ? EXIT.findings : EXIT.clean;
}

export async function runProviderExplain(name: string, verb: string, json: boolean): Promise<ExitCode> {
  const known = VERBS.find(candidate => candidate === verb) as Verb | undefined;
  if (known === undefined) throw new AppError('USAGE', `there is no verb ${verb}`, { next: `Choose from: ${VERBS.join(', ')}.` });
  const provider = await loadProvider(name);
  const explanation = explainVerb(provider.descriptor, await loadTable(provider), known);
  if (json) await writeJson(explanation);
  else if (explanation.kind === 'unsupported') await writeOut(`${name} does not support ${verb}: ${explanation.instead}\n`);
  else if (explanation.kind === 'unbound') await writeOut(`${name} does not bind ${verb}\n`);
  else {
    await writeOut(`${verb} on ${name} (policy: ${explanation.policy})\n`);
    for (const { name: step, target, operation, args, when } of explanation.calls) {
      await writeOut(`  ${step}: ${target}${operation === null ? '' : `  ${operation}`}${when === null ? '' : `  when ${when}`}\n`);
      for (const [argument, expression] of Object.entries(args)) await writeOut(`      ${argument} = ${expression}\n`);
    }
    if (explanation.note !== null) await writeOut(`  note: ${explanation.note}\n`);
  }
  return EXIT.clean;
}

export async function runProviderDescribe(name: string, id: string, json: boolean): Promise<ExitCode> {
  const row = operationOf(await loadTable(await loadProvider(name)), id);
  if (json) {
    await writeJson(row);
    return EXIT.clean;
  }
  await writeOut(`${row.id}\n${row.method} ${row.path}${row.deprecated ? '  deprecated' : ''}\n`);
  for (const parameter of row.parameters)
    await writeOut(
      `  ${parameter.in.padEnd(6)} ${parameter.name}${parameter.required ? ' (required)' : ''}: ${parameter.type}${parameter.enum ? `, one of ${parameter.enum.join(', ')}` : ''}\n`,
    );
  for (const field of row.body?.fields ?? [])
    await writeOut(`  body   ${field.name}${field.required ? ' (required)' : ''}: ${field.type}${field.enum ? `, one of ${field.enum.join(', ')}` : ''}\n`);
  if (row.docs !== undefined) await writeOut(`docs: ${row.docs}\n`);
  return EXIT.clean;
}

export async function runProviderSearch(name: string, words: readonly string[], json: boolean): Promise<ExitCode> {
  const found = searchOperations(await loadTable(await loadProvider(name)), words.join(' '), MAX_FOUND);
  if (json) await writeJson({ operations: found.map(({ id, method, path: place }) => ({ id, method, path: place })) });
  else for (const row of found) await writeOut(`${row.id.padEnd(48)} ${row.method.padEnd(6)} ${row.path}\n`);
  return found.length > 0 ? EXIT.clean : EXIT.findings;
}
