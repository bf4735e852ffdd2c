import { SETTINGS, type Setting } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveSettings, type SettingSources } from './resolve-settings.ts';

const nothing: SettingSources = { flags: {}, env: {}, secretFiles: {}, file: null, repository: null };
const repository = (tree: unknown) => ({ path: '.weir/config.yaml', tree });

describe('precedence', () => {
  test('flag, then environment, then file, then default', () => {
    const file = { path: 'config.yaml', tree: { model: { name: 'from-file' }, review: { maxFindings: 7 } } };
    expect(resolveSettings({ ...nothing, file }).values['model.name']).toEqual({ value: 'from-file', origin: 'file', from: 'config.yaml' });
    expect(resolveSettings({ ...nothing, file, env: { WEIR_MODEL: 'from-env' } }).values['model.name']).toMatchObject({
      value: 'from-env',
      from: 'WEIR_MODEL',
    });
    const all = resolveSettings({ ...nothing, file, env: { WEIR_MODEL: 'from-env' }, flags: { '--model': 'from-flag' } });
    expect(all.values['model.name']).toMatchObject({ value: 'from-flag', origin: 'flag' });
    expect(all.values['review.maxFindings'].value).toBe(7);
    expect(all.values['review.failOn']).toEqual({ value: 'blocker', origin: 'default', from: 'default' });
  });

  test('a secret comes from its file', () => {
    expect(resolveSettings({ ...nothing, secretFiles: { 'model.key': 'k-1\n' } }).values['model.key']).toEqual({
      value: 'k-1',
      origin: 'secret file',
      from: 'WEIR_MODEL_KEY_FILE',
    });
  });

  test('a wrong value is named without being printed', () => {
    const { problems } = resolveSettings({ ...nothing, env: { WEIR_MODEL_MAX_CALLS: 'hunter2' } });
    expect(problems).toEqual(['model.maxCalls (WEIR_MODEL_MAX_CALLS) has to be a whole number from 1 to 64.']);
  });

  test(`${verifies('REV-31')} a limit may be a number or a text, and one that makes no sense is no problem: whoever reads it finds none`, () => {
    const limitOf = (value: unknown) => resolveSettings({ ...nothing, file: { path: 'c.yaml', tree: { caps: { spend: value } } } });
    expect([50, '5.00', 'fifty', true, [1]].map(value => limitOf(value).values['caps.spend'].value)).toEqual(['50', '5.00', 'fifty', 'boolean', 'object']);
    expect(limitOf('fifty').problems).toEqual([]);
  });

  test('an unknown name in the operator file is a problem', () => {
    expect(resolveSettings({ ...nothing, file: { path: 'c.yaml', tree: { modle: { name: 'x' } } } }).problems).toEqual([
      'c.yaml: there is no option modle.name.',
    ]);
  });
});

describe('a repository narrows', () => {
  const resolve = (tree: unknown, env: Record<string, string> = {}) => resolveSettings({ ...nothing, env, repository: repository(tree) });

  test(`${verifies('REV-37', 'PRO-3')} excluded paths are added to the operator's`, () => {
    const { values, refused } = resolve({ review: { exclude: ['vendor/**'] } }, { WEIR_EXCLUDE: 'dist/**' });
    expect(values['review.exclude']).toEqual({ value: ['dist/**', 'vendor/**'], origin: 'repository', from: '.weir/config.yaml' });
    expect(refused).toEqual([]);
  });

  test(`${verifies('REV-37', 'PRO-3')} a stricter threshold is taken, a laxer one refused and reported`, () => {
    expect(resolve({ review: { failOn: 'minor' } }).values['review.failOn'].value).toBe('minor');
    const lax = resolve({ review: { failOn: 'never' } });
    expect(lax.values['review.failOn'].value).toBe('blocker');
    expect(lax.refused).toEqual(["config: review.failOn would widen the review; the operator's value stays (REV-37).".replace('config', '.weir/config.yaml')]);
  });

  test(`${verifies('REV-37', 'PRO-3')} a lower limit is taken, a higher one refused`, () => {
    expect(resolve({ review: { maxFileBytes: 5000 } }).values['review.maxFileBytes'].value).toBe(5000);
    expect(resolve({ review: { maxFileBytes: 900_000_000 } }).values['review.maxFileBytes'].value).toBe(1_000_000);
  });

  test(`${verifies('REV-37', 'PRO-3')} it never picks a model, an endpoint, a credential or a wider reach`, () => {
    const tree = { model: { baseUrl: 'https://evil.example', name: 'x', key: 'k' }, network: { allowOrigins: ['http://10.0.0.1'] }, state: { dir: '/tmp' } };
    const { values, refused } = resolve(tree);
    for (const name of ['model.baseUrl', 'model.name', 'model.key', 'state.dir'] as const) expect(values[name].value).toBeNull();
    expect(values['network.allowOrigins'].value).toEqual([]);
    expect(refused).toHaveLength(5);
  });

  test(`${verifies('REV-37')} whatever the file holds, operator options stay as they are`, () => {
    fc.assert(
      fc.property(fc.jsonValue(), tree => {
        const base = resolveSettings(nothing).values;
        const { values } = resolve(tree);
        for (const setting of SETTINGS as readonly Setting[]) {
          if (setting.scope === 'operator') expect(values[setting.name as keyof typeof values]).toEqual(base[setting.name as keyof typeof base]);
        }
      }),
    );
  });
});

describe('globs and patterns', () => {
  test('commas inside braces stay; empty and negated globs are refused', () => {
    expect(resolveSettings({ ...nothing, env: { WEIR_EXCLUDE: '{src,lib}/**, dist' } }).values['review.exclude']?.value).toEqual(['{src,lib}/**', 'dist']);
    for (const exclude of [[''], ['!src/keep.js'], ['a'.repeat(501)]]) {
      const { values, refused } = resolveSettings({ ...nothing, repository: repository({ review: { exclude } }) });
      expect(values['review.exclude']?.value).toEqual([]);
      expect(refused).toEqual([expect.stringContaining('review.exclude has to be a list of globs, none empty, none starting with !')]);
    }
  });

  test('a group with only comments is empty; a file that is no map is named', () => {
    expect(resolveSettings({ ...nothing, file: { path: 'c.yaml', tree: { review: null } }, repository: repository({ review: null }) })).toMatchObject({
      problems: [],
      refused: [],
    });
    expect(resolveSettings({ ...nothing, file: { path: 'c.yaml', tree: [1, 2] } }).problems).toEqual(['c.yaml has to be a map of options.']);
    expect(resolveSettings({ ...nothing, repository: repository('text') }).refused).toEqual(['.weir/config.yaml has to be a map of options.']);
  });
});

test('every repository option says how it narrows, and no other does', () => {
  for (const setting of SETTINGS as readonly Setting[]) expect(setting.narrows !== undefined, setting.name).toBe(setting.scope === 'repository');
});

test('names, variables and flags are unique', () => {
  for (const key of ['name', 'env', 'flag'] as const) {
    const values = SETTINGS.map(setting => setting[key]).filter(value => value !== null);
    expect(new Set(values).size).toBe(values.length);
  }
});
