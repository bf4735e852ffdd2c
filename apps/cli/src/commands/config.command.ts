/** `weir config print [--origin]`: every option's value, and where it comes from. Secrets are never printed. */
import { EXIT, type ExitCode, SETTINGS, type Setting, type SettingName } from '@weir/contract';
import { openRepository, openWorkingTree } from '@weir/git';
import { AppError } from '@weir/kernel';
import { type ResolvedSetting, resolveSettings } from '@weir/settings';
import { type Flags, operatorSources, repositorySource } from '../composition/load-settings.ts';
import { writeJson, writeOut } from '../output.ts';

/** A key can hide in the query or the user part of an address. */
const withoutCredentials = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(https?:\/\/)[^/@]*@/i, '$1…@').replace(/\?.*$/s, '?…') : value;

export const shownSetting = (setting: Setting, { value }: ResolvedSetting): unknown => {
  if (setting.secret && value !== null) return '(set, not shown)';
  return setting.name.endsWith('Url') ? withoutCredentials(value) : value;
};

const asText = (value: unknown): string => (value === null ? 'unset' : Array.isArray(value) ? `[${value.join(', ')}]` : String(value));

/** The repository's file as a review of uncommitted work would read it; none outside a repository. */
async function targetReader(folder: string): Promise<((path: string) => Promise<string | undefined>) | undefined> {
  try {
    return (await openWorkingTree(await openRepository(folder))).readTarget;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_A_REPOSITORY' || error.code === 'USAGE')) return undefined;
    throw error;
  }
}

export async function runConfigPrint(folder: string, flags: Flags, options: { readonly origin: boolean; readonly json: boolean }): Promise<ExitCode> {
  const { repository, refused } = await repositorySource(await targetReader(folder));
  const resolved = resolveSettings({ ...(await operatorSources(flags)), repository });
  const notObeyed = [...resolved.refused, ...refused];
  const rows = (SETTINGS as readonly Setting[]).map(setting => {
    const row = resolved.values[setting.name as SettingName];
    return { name: setting.name, value: shownSetting(setting, row), origin: row.origin, from: row.from };
  });
  if (options.json) {
    await writeJson({ settings: rows, refused: notObeyed, problems: resolved.problems });
    return resolved.problems.length > 0 ? EXIT.configuration : EXIT.clean;
  }
  const width = Math.max(...rows.map(row => row.name.length));
  for (const row of rows) {
    const origin = options.origin ? `   (${row.origin === 'default' ? 'default' : `${row.origin}: ${row.from}`})` : '';
    await writeOut(`${row.name.padEnd(width)}  ${asText(row.value)}${origin}\n`);
  }
  for (const sentence of notObeyed) await writeOut(`not obeyed: ${sentence}\n`);
  for (const sentence of resolved.problems) await writeOut(`wrong: ${sentence}\n`);
  return resolved.problems.length > 0 ? EXIT.configuration : EXIT.clean;
}
