/**
 * One value for each option, with its origin: flag > environment > operator's file > default, and then the repository,
 * which may only narrow what came out (REV-37). Nothing here reads a file or the environment.
 */
import { FAIL_ON, SETTINGS, type Setting, type SettingName } from '@weir/contract';
import { checkValue, type SettingValue } from './setting-value.ts';

export interface SettingSources {
  /** Values by long flag (`--fail-on`); only those given. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Contents of the files that `<ENV>_FILE` names, by setting name; secrets only. */
  readonly secretFiles: Readonly<Partial<Record<SettingName, string>>>;
  /** Parsed operator's settings file (a tree), and its path for messages. */
  readonly file: { readonly path: string; readonly tree: unknown } | null;
  /** Parsed `.weir/config.yaml` of the target branch. */
  readonly repository: { readonly path: string; readonly tree: unknown } | null;
}

export type Origin = 'flag' | 'environment' | 'secret file' | 'file' | 'repository' | 'default';

export interface ResolvedSetting {
  readonly value: SettingValue;
  readonly origin: Origin;
  /** Name of the flag, the variable or the file. */
  readonly from: string;
}

export interface ResolvedSettings {
  readonly values: Readonly<Record<SettingName, ResolvedSetting>>;
  /** Values of the operator that are not allowed; each a sentence. The command ends with CONFIG_INVALID. */
  readonly problems: readonly string[];
  /** What the repository asked for and did not get; each a sentence. Reported, never an error. */
  readonly refused: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty file is an empty map. */
const isMap = (tree: unknown): boolean => tree === null || tree === undefined || isTree(tree);

/** Deepest dotted name; a settings file has two levels. */
const MAX_DEPTH = 4;

const known = new Map<string, Setting>(SETTINGS.map(setting => [setting.name, setting]));

/** A group of options that holds only comments is null in YAML: it has no entries. */
const isEmptyGroup = (name: string, value: unknown): boolean => value === null && [...known.keys()].some(option => option.startsWith(`${name}.`));

/** Flattens a settings file to dotted names. An empty file has no entries. */
function entriesOf(tree: unknown, prefix = '', depth = 0): readonly Entry[] {
  if (!isTree(tree)) return [];
  return Object.entries(tree).flatMap(([key, value]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (isEmptyGroup(name, value)) return [];
    return isTree(value) && depth < MAX_DEPTH ? entriesOf(value, name, depth + 1) : [{ name, value }];
  });
}

function operatorValue(setting: Setting, sources: SettingSources, file: ReadonlyMap<string, unknown>, problems: string[]): ResolvedSetting {
  const name = setting.name as SettingName;
  const candidates: readonly { raw: unknown; origin: Origin; from: string }[] = [
    { raw: setting.flag === null ? undefined : sources.flags[setting.flag], origin: 'flag', from: setting.flag ?? '' },
    { raw: sources.env[setting.env] === '' ? undefined : sources.env[setting.env], origin: 'environment', from: setting.env },
    { raw: sources.secretFiles[name]?.trim(), origin: 'secret file', from: `${setting.env}_FILE` },
    { raw: file.get(setting.name) ?? undefined, origin: 'file', from: sources.file?.path ?? '' },
  ];
  for (const { raw, origin, from } of candidates) {
    if (raw === undefined) continue;
    const checked = checkValue(setting, raw);
    if (checked.ok) return { value: checked.value, origin, from };
    problems.push(`${setting.name} (${from}) has to be ${checked.expected}.`);
  }
  return { value: setting.default, origin: 'default', from: 'default' };
}

/** The narrower of two values, or undefined when the repository's does not narrow. */
function narrowed(setting: Setting, current: SettingValue, wanted: SettingValue): SettingValue | undefined {
  switch (setting.narrows) {
    case 'adds-entries':
      return [...new Set([...(current as readonly string[]), ...(wanted as readonly string[])])];
    case 'lowers':
      return (wanted as number) <= (current as number) ? wanted : undefined;
    case 'stricter': {
      // FAIL_ON runs from the level that fails least often to `never`; stricter means failing at a lower severity.
      const order: readonly string[] = ['never', ...FAIL_ON.filter(level => level !== 'never')];
      return order.indexOf(wanted as string) >= order.indexOf(current as string) ? wanted : undefined;
    }
    case undefined:
      return undefined;
  }
}

/** Applies one entry of the repository's file, or says why not. */
function applyRepository(values: Record<string, ResolvedSetting>, entry: Entry, path: string): string | null {
  const setting = known.get(entry.name);
  if (!setting) return `${path}: there is no option ${entry.name}.`;
  if (setting.scope !== 'repository') return `${path}: ${entry.name} is the operator's to set; a repository may only narrow a review (REV-37).`;
  const checked = checkValue(setting, entry.value);
  if (!checked.ok) return `${path}: ${entry.name} has to be ${checked.expected}.`;
  const current = values[entry.name] as ResolvedSetting;
  const value = narrowed(setting, current.value, checked.value);
  if (value === undefined) return `${path}: ${entry.name} would widen the review; the operator's value stays (REV-37).`;
  values[entry.name] = { value, origin: 'repository', from: path };
  return null;
}

/**
 * Resolves every option. Never throws: the operator's mistakes are `problems`, the repository's are `refused`.
 * Unknown names in the operator's file are problems too, so that a typing error does not pass in silence.
 */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const problems: string[] = [];
  if (sources.file !== null && !isMap(sources.file.tree)) problems.push(`${sources.file.path} has to be a map of options.`);
  const fileEntries = entriesOf(sources.file?.tree);
  for (const { name } of fileEntries) if (!known.has(name)) problems.push(`${sources.file?.path}: there is no option ${name}.`);
  const file = new Map(fileEntries.map(entry => [entry.name, entry.value]));
  const values: Record<string, ResolvedSetting> = {};
  for (const setting of SETTINGS) values[setting.name] = operatorValue(setting, sources, file, problems);
  const repository = sources.repository;
  if (repository !== null && !isMap(repository.tree))
    return { values: values as Record<SettingName, ResolvedSetting>, problems, refused: [`${repository.path} has to be a map of options.`] };
  const refused = repository === null ? [] : entriesOf(repository.tree).flatMap(entry => applyRepository(values, entry, repository.path) ?? []);
  return { values: values as Record<SettingName, ResolvedSetting>, problems, refused };
}
