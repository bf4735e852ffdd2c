/** Reads flags, environment, the operator's file and secret files into resolved settings. */
import { readFile } from 'node:fs/promises';
import { SETTINGS, type SettingName } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type ResolvedSettings, resolveSettings, type SettingSources, type SettingValue } from '@weir/settings';
import { parse } from 'yaml';
import { configFile } from '../paths.ts';

/** Bytes of a settings file. */
const MAX_SETTINGS_BYTES = 256 * 1024;

export const REPOSITORY_FILE = '.weir/config.yaml';

export type Flags = Readonly<Record<string, unknown>>;

/** Parses a settings file; aliases are bounded by the parser. Throws CONFIG_INVALID with the parser's sentence. */
export function parseSettingsFile(path: string, text: string): unknown {
  if (text.length > MAX_SETTINGS_BYTES) throw new AppError('CONFIG_INVALID', `${path} is larger than ${MAX_SETTINGS_BYTES} bytes`);
  try {
    return parse(text, { logLevel: 'error' }) ?? {};
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `${path} is not YAML: ${cause instanceof Error ? cause.message.split('\n')[0] : 'cannot be read'}`, { cause });
  }
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError('CONFIG_INVALID', `${path} cannot be read`, { cause: error });
  }
}

async function secretFiles(env: NodeJS.ProcessEnv): Promise<Partial<Record<SettingName, string>>> {
  const found: Partial<Record<SettingName, string>> = {};
  for (const { name, env: variable, secret } of SETTINGS) {
    const file = env[`${variable}_FILE`];
    if (!secret || !file) continue;
    const text = await readOptional(file);
    if (text === undefined) throw new AppError('CONFIG_INVALID', `${variable}_FILE names ${file}, which does not exist`);
    found[name] = text;
  }
  return found;
}

/** The operator's part of the sources; the repository's file is added by the caller, who knows the target branch. */
export async function operatorSources(flags: Flags, env: NodeJS.ProcessEnv = process.env): Promise<SettingSources> {
  const path = configFile(env);
  const text = await readOptional(path);
  return { flags, env, secretFiles: await secretFiles(env), file: text === undefined ? null : { path, tree: parseSettingsFile(path, text) }, repository: null };
}

export interface LoadedSettings {
  readonly resolved: ResolvedSettings;
  get<T extends SettingValue>(name: SettingName): T;
}

/** Resolves the sources. Throws CONFIG_INVALID with every problem of the operator's, one a line. */
export function loadSettings(sources: SettingSources): LoadedSettings {
  const resolved = resolveSettings(sources);
  if (resolved.problems.length > 0) throw new AppError('CONFIG_INVALID', resolved.problems.join('\n'));
  return { resolved, get: <T extends SettingValue>(name: SettingName) => resolved.values[name].value as T };
}

/** The repository's file as a source. One that is not YAML narrows nothing and is reported: a repository must not be able to stop its own review. */
export async function repositorySource(
  readTarget: ((path: string) => Promise<string | undefined>) | undefined,
): Promise<{ readonly repository: SettingSources['repository']; readonly refused: readonly string[] }> {
  const text = await readTarget?.(REPOSITORY_FILE);
  if (text === undefined) return { repository: null, refused: [] };
  try {
    return { repository: { path: REPOSITORY_FILE, tree: parseSettingsFile(REPOSITORY_FILE, text) }, refused: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { repository: null, refused: [`${error.message}.`] };
  }
}

/** Adds the repository's file, read from the target branch (REV-36). */
export async function withRepository(
  sources: SettingSources,
  readTarget: ((path: string) => Promise<string | undefined>) | undefined,
): Promise<LoadedSettings> {
  const { repository, refused } = await repositorySource(readTarget);
  const settings = loadSettings({ ...sources, repository });
  return { ...settings, resolved: { ...settings.resolved, refused: [...settings.resolved.refused, ...refused] } };
}
