/**
 * Three small histories with a known answer: one with planted secrets, renames and a conflict marker, one with workflow,
 * dependency and migration risks, and one that is clean though it looks risky at a glance.
 */
import path from 'node:path';
import { accessKeyId, databasePassword, privateKey, slackToken } from './made-up-secrets.ts';
import { createSampleRepository, type SampleRepository } from './sample-git.ts';

export interface PlantedFinding {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
}

export interface SampleHistory {
  readonly name: 'secrets' | 'pipeline' | 'clean';
  readonly folder: string;
  /** The commits to review. */
  readonly range: string;
  /** Every finding that a review has to report, and no other. */
  readonly planted: readonly PlantedFinding[];
}

const PINNED = 'actions/checkout@11bd71901bbe5b1630ceea73d97597364c9af683';

const service = [
  'export function total(lines: readonly { price: number; count: number }[]): number {',
  '  let sum = 0;',
  '  for (const line of lines) sum += line.price * line.count;',
  '  return sum;',
  '}',
];
const client = [
  "import { request } from 'node:https';",
  '',
  'export function send(path: string, body: string): void {',
  '  const call = request({ host: "api.example.com", path, method: "POST" });',
  '  call.end(body);',
  '}',
  '',
  'export const RETRIES = 3;',
  'export const TIMEOUT_MS = 5_000;',
];

function secrets(repository: SampleRepository): readonly PlantedFinding[] {
  repository.write('src/billing.ts', service);
  repository.write('src/http/client.ts', client);
  repository.write('README.md', ['# Billing', '', 'Sends invoices.']);
  repository.commit('start');
  repository.move('src/http/client.ts', 'src/net/api-client.ts');
  repository.write('src/net/api-client.ts', [...client.slice(0, 7), `const ACCESS_KEY = '${accessKeyId('history')}';`, ...client.slice(7)]);
  repository.write('deploy/slack.env', ['CHANNEL=alerts', `SLACK_TOKEN=${slackToken('history')}`]);
  repository.write('deploy/id_rsa', privateKey('history'));
  repository.write('config/database.yaml', ['production:', `  url: postgres://billing:${databasePassword('history')}@db.billing.internal:5432/billing`]);
  repository.write('src/billing.ts', [
    ...service.slice(0, 2),
    '<<<<<<< HEAD',
    '  for (const line of lines) sum += line.price * line.count;',
    '=======',
    '  for (const { price, count } of lines) sum += price * count;',
    '>>>>>>> feature/rounding',
    ...service.slice(3),
  ]);
  repository.commit('move the client, add deployment');
  return [
    { rule: 'secrets/aws-access-key-id', path: 'src/net/api-client.ts', line: 8 },
    { rule: 'secrets/slack-token', path: 'deploy/slack.env', line: 2 },
    { rule: 'secrets/private-key', path: 'deploy/id_rsa', line: 1 },
    { rule: 'secrets/url-password', path: 'config/database.yaml', line: 2 },
    { rule: 'leftovers/conflict-marker', path: 'src/billing.ts', line: 3 },
  ];
}

const manifest = (dependencies: Readonly<Record<string, string>>, scripts: Readonly<Record<string, string>>): readonly string[] =>
  JSON.stringify({ name: 'shop', version: '1.0.0', private: true, scripts, dependencies }, null, 2).split('\n');

const lockfile = (dependencies: Readonly<Record<string, string>>): readonly string[] =>
  JSON.stringify(
    { name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': { name: 'shop', version: '1.0.0', dependencies } } },
    null,
    2,
  ).split('\n');

const workflow = (trigger: string, steps: readonly string[]): readonly string[] => [
  'name: ci',
  `on: ${trigger}`,
  'permissions:',
  '  contents: read',
  'jobs:',
  '  build:',
  '    runs-on: ubuntu-24.04',
  '    steps:',
  ...steps,
];

function pipeline(repository: SampleRepository): readonly PlantedFinding[] {
  const files = { workflow: '.github/workflows/ci.yml', manifest: 'package.json', migration: 'migrations/0002_orders.sql' };
  repository.write(files.workflow, workflow('push', [`      - uses: ${PINNED}`, '      - run: npm ci']));
  repository.write(files.manifest, manifest({ fastify: '5.0.0' }, { test: 'node --test' }));
  repository.write('package-lock.json', lockfile({ fastify: '5.0.0' }));
  repository.write('migrations/0001_orders.sql', ['CREATE TABLE orders (id bigint PRIMARY KEY, total bigint NOT NULL);']);
  repository.write('src/cart.test.ts', ["import { test } from 'node:test';", "test('adds', () => {});"]);
  repository.commit('start');
  repository.write(
    files.workflow,
    workflow('pull_request_target', [
      `      - uses: ${PINNED}`,
      '        with:',
      '          ref: ${{ github.event.pull_request.head.sha }}',
      '      - uses: some-vendor/setup-tool@v3',
      '      - env:',
      '          TITLE: ${{ github.event.pull_request.title }}',
      '        run: |',
      '          npm ci',
      '          echo "reviewing ${{ env.TITLE }}"',
    ]),
  );
  repository.write(
    files.manifest,
    manifest({ fastify: '5.1.0', 'left-helper': 'git+https://git.example.com/left-helper.git' }, { test: 'node --test', postinstall: 'node scripts/setup.js' }),
  );
  repository.write(files.migration, ['ALTER TABLE orders ADD COLUMN customer bigint NOT NULL;', 'DROP TABLE order_drafts;']);
  repository.write('src/cart.test.ts', ["import { test } from 'node:test';", "test.only('adds', () => {});"]);
  repository.commit('faster pipeline');
  return [
    { rule: 'workflows/pull-request-target-checkout', path: files.workflow, line: 11 },
    { rule: 'workflows/unpinned-action', path: files.workflow, line: 12 },
    { rule: 'workflows/script-injection', path: files.workflow, line: 17 },
    { rule: 'dependencies/manifest-without-lockfile', path: files.manifest, line: 10 },
    { rule: 'dependencies/git-or-url-dependency', path: files.manifest, line: 11 },
    { rule: 'dependencies/install-script', path: files.manifest, line: 7 },
    { rule: 'migrations/not-null-without-default', path: files.migration, line: 1 },
    { rule: 'migrations/drop-table', path: files.migration, line: 2 },
    { rule: 'leftovers/focused-test', path: 'src/cart.test.ts', line: 2 },
  ];
}

function clean(repository: SampleRepository): readonly PlantedFinding[] {
  repository.write('src/format.ts', service);
  repository.write('.github/workflows/ci.yml', workflow('pull_request', [`      - uses: ${PINNED}`, '      - run: npm ci']));
  repository.write('package.json', manifest({ fastify: '5.0.0' }, { test: 'node --test' }));
  repository.write('package-lock.json', lockfile({ fastify: '5.0.0' }));
  repository.write('README.md', ['Title', '=======', '', 'Text.']);
  repository.commit('start');
  repository.move('src/format.ts', 'src/money/total.ts');
  repository.write('src/money/total.ts', [...service.slice(0, 3), '  // Prices are in cents.', ...service.slice(3)]);
  repository.write(
    '.github/workflows/ci.yml',
    workflow('pull_request', [
      `      - uses: ${PINNED}`,
      '      - env:',
      '          TITLE: ${{ github.event.pull_request.title }}',
      '        run: |',
      '          npm ci',
      '          echo "reviewing $TITLE"',
    ]),
  );
  repository.write('package.json', manifest({ fastify: '5.1.0' }, { test: 'node --test', build: 'tsc' }));
  repository.write('package-lock.json', lockfile({ fastify: '5.1.0' }));
  repository.write('.env.example', [
    'API_KEY=your-api-key-here',
    'DATABASE_URL=postgres://user:password@localhost:5432/app',
    'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
  ]);
  repository.write('migrations/0001_items.sql', [
    'CREATE TABLE items (id bigint PRIMARY KEY, name text NOT NULL);',
    'CREATE INDEX items_name ON items (name);',
  ]);
  repository.write('src/money/total.test.ts', [
    "import { test } from 'node:test';",
    "import { total } from './total.ts';",
    "test('sums', () => {",
    '  if (total([]) !== 0) throw new Error("not zero");',
    '});',
  ]);
  repository.write('README.md', ['Title', '=======', '', 'More text.', '', 'Heading', '-------']);
  repository.commit('rename, document, update');
  return [];
}

const BUILDERS = { secrets, pipeline, clean } as const;

/** Builds all three below `folder`, replacing what is there. */
export function buildHistories(folder: string): readonly SampleHistory[] {
  return (Object.keys(BUILDERS) as SampleHistory['name'][]).map(name => {
    const repository = createSampleRepository(path.join(folder, name));
    const planted = BUILDERS[name](repository);
    return { name, folder: repository.folder, range: 'HEAD~1..HEAD', planted };
  });
}
