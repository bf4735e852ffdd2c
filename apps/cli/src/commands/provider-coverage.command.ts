/** `weir provider coverage`: published and compiled operations, every gap and every verb that is not bound, by name. */
import { EXIT, type ExitCode } from '@weir/contract';
import { type ProviderCoverage, providerCoverage } from '@weir/provider-descriptor';
import { writeJson, writeOut } from '../output.ts';
import { loadTable } from '../provider/compile-provider.ts';
import { loadProvider, providerFile, providerNames, readTree } from '../provider/provider-files.ts';

async function coverageOf(name: string): Promise<ProviderCoverage> {
  const provider = await loadProvider(name);
  const { supplement } = provider.descriptor.spec;
  const tree = supplement === undefined ? undefined : await readTree(providerFile(provider, supplement));
  return providerCoverage(provider.descriptor, await loadTable(provider), tree);
}

export async function runProviderCoverage(names: readonly string[], json: boolean): Promise<ExitCode> {
  const chosen = names.length > 0 ? names : (await providerNames()).map(({ name }) => name);
  const providers: ProviderCoverage[] = [];
  for (const name of chosen) providers.push(await coverageOf(name));
  if (json) await writeJson({ providers });
  else for (const provider of providers) await writeOut(linesOf(provider).join('\n').concat('\n'));
  return EXIT.clean;
}

function linesOf({ name, apiVersion, published, supplemented, compiled, gaps, bound, unsupported, unbound, quirks }: ProviderCoverage): readonly string[] {
  const own = supplemented === 0 ? '' : ` + ${supplemented} of a supplement`;
  const counts = [`${bound.length} verbs bound`, `${Object.keys(unsupported).length} unsupported`, `${Object.keys(quirks).length} quirks`];
  return [
    `${name} ${apiVersion}: ${compiled} compiled of ${published} published${own}, ${gaps.length} gaps; ${counts.join(', ')}`,
    ...gaps.map(({ method, path, reason }) => `  gap: ${method} ${path}: ${reason}`),
    ...Object.entries(unsupported).map(([verb, instead]) => `  unsupported: ${verb}: ${instead}`),
    ...(unbound.length === 0 || bound.length === 0 ? [] : [`  not bound: ${unbound.join(', ')}`]),
    ...Object.entries(quirks).map(([verb, quirk]) => `  quirk: ${verb}: ${quirk}`),
  ];
}
