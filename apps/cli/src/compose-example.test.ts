/** The Compose file and the Dockerfile of examples/compose as data: this machine need not have Docker. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '@weir/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildProgram } from './program.ts';
import { readRoles, ROLES } from './server/roles.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = parse(read('examples/compose/compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.startsWith('weir:'));
const roleOf = ({ command = [] }: Service): string | undefined => (command.includes('--role') ? command[command.indexOf('--role') + 1] : undefined);

/** Throws where the command line does not know a word of it. */
const parseWords = (words: readonly string[]): unknown => buildProgram(() => () => undefined).parse([...words], { from: 'user' });

describe('the Compose file', () => {
  test.each(ours)('%s: its command line is one of the program, its environment of the settings', (_, { command, environment }) => {
    parseWords(command ?? []);
    const known = SETTINGS.flatMap(({ env, secret }) => (secret ? [env, `${env}_FILE`] : [env]));
    expect(Object.keys(environment).filter(name => !known.includes(name))).toEqual([]);
  });

  test('every role runs once', () => {
    const roles = ours.flatMap(([, service]) => (roleOf(service) === undefined ? [] : [...readRoles(roleOf(service))]));
    expect(roles.sort()).toEqual([...ROLES].sort());
  });

  test.each(services)('%s: what it names is declared, its image has a version, and no secret stands in the file', (_, service) => {
    const { image, secrets = [], volumes = [], depends_on: needs = {}, environment } = service;
    expect(secrets.filter(name => !(name in compose.secrets))).toEqual([]);
    expect(volumes.map(volume => volume.split(':')[0] ?? '').filter(name => !(name in compose.volumes))).toEqual([]);
    expect(Object.keys(needs).filter(name => !(name in compose.services))).toEqual([]);
    expect(image).toMatch(/:\d+\.\d+/);
    const named = Object.entries(environment).filter(([name]) => /PASSWORD|KEY|DATABASE$|TOKEN/.test(name.replace(/_FILE$/, '')));
    expect(named.filter(([name]) => !name.endsWith('_FILE'))).toEqual([]);
    for (const [, file] of named) expect(secrets).toContain(path.basename(file));
  });
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  test('copies what is there, and starts the program', () => {
    const copied = lines.flatMap(line => /^COPY --from=build \/src\/(\S+) \/opt\/weir\/(\S+)$/.exec(line)?.slice(1, 3) ?? []);
    expect(copied.length).toBeGreaterThan(8);
    // A copy keeps its place, and only the bundle is made by the build.
    for (const [index, file] of copied.entries()) {
      expect(file).toBe(copied[index - (index % 2)]);
      if (file !== 'apps/cli/dist') expect(existsSync(path.join(root, file)), file).toBe(true);
    }
    const [entry, start] = ['ENTRYPOINT ', 'CMD '].map(word => JSON.parse((lines.find(line => line.startsWith(word)) ?? '').slice(word.length)) as string[]);
    expect(entry).toEqual(['node', '/opt/weir/apps/cli/bin/weir.js']);
    parseWords(start ?? []);
  });

  test('builds and runs on a Node that the program takes', () => {
    const versions = lines.flatMap(line => /^FROM node:(\d+\.\d+)/.exec(line)?.[1] ?? []);
    expect(new Set(versions)).toEqual(new Set(['20.20']));
  });
});

test('the commands of the guide to running are commands of the program', () => {
  const blocks = [...read('docs/guides/running.md').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const commands = blocks
    .flatMap(block => block.split('\n'))
    .flatMap(line => /^(?:\w+=\S+ )*(?:docker compose run --rm (?:-T )?)?weir ([^#|<>]*)/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) expect(() => parseWords(command.trim().split(/\s+/)), command).not.toThrow();
});
