/** Every generated file of the repository, by path. `npm run generate` writes them; a test compares them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openApiDocument } from '@weir/contract';
import { descriptorJsonSchema } from '@weir/provider-descriptor';
import { settingsReference, settingsSchema } from '@weir/settings';
import { errorsPage } from './errors-page.ts';
import { findSpecialists, type FoundSpecialist } from './find-specialists.ts';
import { providersPage } from './providers-page.ts';
import { rulePage, rulePagePath, rulesIndex } from './rule-page.ts';
import { REGISTRY_PATH, specialistRegistry } from './specialist-registry.ts';

const CLI_MANIFEST = 'apps/cli/package.json';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The manifest of the program with each built-in specialist among its dependencies, and no other. */
async function cliManifest(root: string, found: readonly FoundSpecialist[]): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(root, CLI_MANIFEST), 'utf8')) as { version: string; dependencies: Record<string, string> };
  const others = Object.entries(manifest.dependencies).filter(([name]) => !name.startsWith('@weir/specialist-') || name === '@weir/specialist-kit');
  const all = [...others, ...found.map(({ packageName }) => [packageName, manifest.version] as const)];
  return json({ ...manifest, dependencies: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) });
}

/** Builds all documents. @param root folder of the repository. */
export async function generateDocuments(root: string): Promise<ReadonlyMap<string, string>> {
  const found = await findSpecialists(root);
  const specialists = found.map(({ specialist }) => specialist);
  const pages = specialists.flatMap(specialist => (specialist.review?.rules ?? []).map(rule => [rulePagePath(rule), rulePage(rule, specialist)] as const));
  const { version } = JSON.parse(await readFile(path.join(root, CLI_MANIFEST), 'utf8')) as { version: string };
  return new Map<string, string>([
    ['docs/reference/openapi.json', json(openApiDocument(version))],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/settings.md', settingsReference()],
    ['docs/reference/settings.schema.json', json(settingsSchema('operator'))],
    ['docs/reference/repository-settings.schema.json', json(settingsSchema('repository'))],
    ['docs/reference/provider-descriptor.schema.json', json(descriptorJsonSchema())],
    ['docs/reference/providers.md', await providersPage(root)],
    ['docs/reference/rules/README.md', rulesIndex(specialists)],
    [REGISTRY_PATH, specialistRegistry(found)],
    [CLI_MANIFEST, await cliManifest(root, found)],
    ...pages,
  ]);
}
