/** What is generated from the option table: the reference page and the JSON Schema of the settings file. */
import { SETTINGS, type Setting, type SettingType } from '@weir/contract';
import { expectedForm } from './setting-value.ts';

const shown = (value: Setting['default']): string =>
  value === null ? 'unset' : Array.isArray(value) ? (value.length === 0 ? 'none' : value.join(', ')) : String(value);

const NARROWS: Readonly<Record<NonNullable<Setting['narrows']>, string>> = {
  'adds-entries': 'may add entries',
  lowers: 'may lower it',
  stricter: 'may make it stricter',
};

const section = (setting: Setting): string =>
  [
    `## ${setting.name}`,
    '',
    setting.description,
    '',
    `- Value: ${expectedForm(setting.type)}${setting.secret ? ' (secret, never printed)' : ''}`,
    `- Default: ${shown(setting.default)}`,
    `- Environment: \`${setting.env}\`${setting.secret ? `, or \`${setting.env}_FILE\` with the path of a file` : ''}`,
    ...(setting.flag === null ? [] : [`- Flag: \`${setting.flag}\``]),
    `- Repository: ${setting.narrows ? NARROWS[setting.narrows] : 'may not set it'}`,
    '',
  ].join('\n');

/** docs/reference/settings.md. */
export const settingsReference = (): string =>
  [
    '# Settings',
    '',
    'Generated from `contract/src/settings.ts` by `npm run generate`.',
    'Precedence: flag, environment, file (`$XDG_CONFIG_HOME/weir/config.yaml`), default. A repository narrows the result with',
    '`.weir/config.yaml`, read from the target branch. `weir config print --origin` shows each value and where it comes from.',
    '',
    ...SETTINGS.map(section),
  ].join('\n');

function schemaOf(type: SettingType): Readonly<Record<string, unknown>> {
  switch (type.kind) {
    case 'string':
      return { type: 'string', minLength: 1 };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', minimum: type.min, maximum: type.max };
    case 'number':
      return { type: 'number', minimum: type.min, maximum: type.max };
    case 'choice':
      return { enum: type.values };
    case 'list':
      return { type: 'array', items: { type: 'string' } };
    case 'globs':
      return { type: 'array', items: { type: 'string', pattern: '^[^!]' } };
    case 'patterns':
      return { type: 'array', items: { type: 'string', minLength: 1 } };
    case 'limit':
      return { type: ['string', 'number'] };
  }
}

/** JSON Schema (draft 2020-12) of the operator's file, or of a repository's `.weir/config.yaml`. */
export function settingsSchema(scope: Setting['scope']): Readonly<Record<string, unknown>> {
  const groups = new Map<string, Record<string, unknown>>();
  for (const setting of SETTINGS as readonly Setting[]) {
    if (scope === 'repository' && setting.scope !== 'repository') continue;
    const [group = '', key = ''] = setting.name.split('.');
    const properties = groups.get(group) ?? {};
    properties[key] = { ...schemaOf(setting.type), description: setting.description };
    groups.set(group, properties);
  }
  const properties = Object.fromEntries([...groups].map(([group, members]) => [group, { type: 'object', additionalProperties: false, properties: members }]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Weir settings (${scope})`,
    type: 'object',
    additionalProperties: false,
    properties,
  };
}
