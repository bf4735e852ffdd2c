/** The page of the built-in providers, from their descriptors and compiled tables. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { readTable } from '@weir/operation-table';
import { coveragePage, type ProviderCoverage, providerCoverage, readDescriptor } from '@weir/provider-descriptor';
import { parse } from 'yaml';

type Tree = Readonly<Record<string, unknown>>;

const readYaml = async (file: string): Promise<Tree> => parse(await readFile(file, 'utf8')) as Tree;

/** The descriptor of a provider, merged with what it extends. Throws with every problem. */
async function descriptorOf(folder: string, name: string) {
  const tree = await readYaml(path.join(folder, name, 'provider.yaml'));
  const base = tree['extends'];
  const reading = readDescriptor(tree, typeof base === 'string' ? { parent: (await descriptorOf(folder, base)).tree } : {});
  if (!reading.ok) throw new Error(`${name}: ${JSON.stringify(reading.problems)}`);
  return reading;
}

async function coverageOf(folder: string, name: string): Promise<ProviderCoverage> {
  const { descriptor } = await descriptorOf(folder, name);
  const read = readTable(await readFile(path.join(folder, name, 'optable.json'), 'utf8'));
  if (!read.ok) throw new Error(`${name}: ${read.problem}`);
  const { supplement } = descriptor.spec;
  return providerCoverage(descriptor, read.table, supplement === undefined ? undefined : await readYaml(path.join(folder, name, supplement)));
}

/** Markdown. @param root folder of the repository. */
export async function providersPage(root: string): Promise<string> {
  const folder = path.join(root, 'descriptors/providers');
  const names = (await readdir(folder, { withFileTypes: true })).filter(entry => entry.isDirectory()).map(entry => entry.name);
  return coveragePage(await Promise.all(names.sort().map(name => coverageOf(folder, name))));
}
