import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Finding } from '@weir/contract';
import { addedFile, buildCorpus, createRandom, measure, secretFormats } from '@weir/secret-corpus';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { specialist } from './index.ts';

const review = specialist.review;
const check = async (files: readonly ReturnType<typeof addedFile>[]) => {
  const result = await review?.check?.({ files, signal: { aborted: false } });
  return result ?? { findings: [], partial: [] };
};
const rulesOf = async (file: string, ...lines: readonly string[]) =>
  (await check([addedFile(file, lines)])).findings.map(finding => `${finding.severity} ${finding.rule}`);
const random = createRandom(20);
const secretOf = (rule: string, index = 0): string => secretFormats.filter(format => format.rule === rule)[index]?.make(random) ?? '';

const RECALL_BOUND = 0.98;
const PRECISION_BOUND = 0.99;

test(`${verifies('SPEC-6')} more than 300 planted secrets of every format and file shape are found, and little else`, async () => {
  const seeds = [1, 2, 3];
  const corpora = seeds.map(seed => buildCorpus(seed, 4));
  for (const corpus of corpora) {
    const result = measure(corpus.planted, (await check(corpus.files)).findings);
    expect(result.planted).toBeGreaterThan(300);
    expect(result.missed.length / result.planted, result.missed.map(secret => `${secret.rule} ${secret.path}`).join('\n')).toBeLessThanOrEqual(
      1 - RECALL_BOUND,
    );
    expect(result.precision).toBeGreaterThanOrEqual(PRECISION_BOUND);
    expect(result.named).toBeGreaterThanOrEqual(0.95);
  }
});

test('every rule reports at least one secret of the corpus, and its id, severity and texts are whole', async () => {
  const corpus = buildCorpus(5, 3);
  const reported = new Set((await check(corpus.files)).findings.map(finding => finding.rule));
  for (const rule of review?.rules ?? []) {
    expect(rule.id).toMatch(/^secrets\/[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const text of [rule.title, rule.why, rule.fix, rule.bad, rule.good, rule.limits]) expect(text.length, rule.id).toBeGreaterThan(10);
    expect(
      rule.equivalent.every(id => /^(?:[a-z0-9-]+|\*)\/[a-z0-9*./-]+$|^\*[a-z0-9*./-]{8,}$/.test(id)),
      rule.equivalent.join(),
    ).toBe(true);
    expect(reported.has(rule.id), rule.id).toBe(true);
  }
  expect(new Set(review?.rules.map(rule => rule.id)).size).toBe(review?.rules.length);
});

test('no finding shows its secret: at most its first four and last two characters', async () => {
  const corpus = buildCorpus(9, 2);
  const { findings } = await check(corpus.files);
  const byPath = new Map(corpus.planted.map(secret => [secret.path, secret]));
  expect(findings.length).toBeGreaterThan(200);
  for (const finding of findings) {
    expect(Finding.safeParse(finding).success).toBe(true);
    const shown = JSON.stringify({ ...finding, path: '', evidence: finding.evidence.map(({ note }) => note) });
    const secret = byPath.get(finding.path)?.secret ?? '';
    const runs = (secret.match(/[A-Za-z0-9+/_-]{12,}/g) ?? []).filter(run => /\d/.test(run) && /[A-Za-z]/.test(run) && !run.startsWith('PuTTY-User-Key'));
    for (const run of runs) expect(shown.includes(run.slice(3)), `${finding.rule} ${run.slice(0, 4)}`).toBe(false);
  }
});

test('the quote of one secret is the same wherever it stands, so its fingerprint can be too', async () => {
  const secret = secretOf('github-token');
  const one = (await check([addedFile('src/a.ts', [`const t = '${secret}';`])])).findings[0];
  const two = (await check([addedFile('src/a.ts', ['', '', `    call("x", "${secret}")`])])).findings[0];
  expect(one?.quote).toBe(two?.quote);
  expect(one?.quote).toBe(`${secret.slice(0, 4)}…${secret.slice(-2)}`);
});

test('only added lines count', async () => {
  const line = `token = "${secretOf('gitlab-token')}"`;
  const file = addedFile('src/a.ts', ['a']);
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 1 };
  const lines = [
    { kind: 'context' as const, old: 1, new: 1, text: line },
    { kind: 'removed' as const, old: 2, new: null, text: line },
  ];
  expect((await check([{ ...file, hunks: [{ ...hunk, lines }] }])).findings).toEqual([]);
});

test('a key block is one finding from its first to its last line, in PEM, escaped and quoted form', async () => {
  const corpus = buildCorpus(3, 1);
  const keys = corpus.planted.filter(secret => /private-key|service-account/.test(secret.rule));
  expect(keys.length).toBeGreaterThan(8);
  const { findings } = await check(corpus.files);
  for (const key of keys) {
    const found = findings.filter(finding => finding.path === key.path);
    expect(
      found.map(({ rule, line, endLine }) => ({ rule, line, endLine })),
      key.path,
    ).toEqual([{ rule: key.rule, line: key.line, endLine: key.endLine }]);
  }
});

test('a key block whose body alone is added counts from its first added line', async () => {
  const key =
    buildCorpus(3, 1)
      .planted.find(secret => secret.path.endsWith('deploy/server.key'))
      ?.secret.split('\n') ?? [];
  const lines = key.map((text, index) => ({ kind: index === 0 || index > 20 ? ('context' as const) : ('added' as const), old: null, new: index + 1, text }));
  const file = { ...addedFile('deploy/server.key', []), hunks: [{ oldStart: 1, oldLines: 6, newStart: 1, newLines: key.length, lines }] };
  expect((await check([file])).findings.map(({ line, endLine, rule }) => [line, endLine, rule])).toEqual([[2, 21, 'secrets/private-key']]);
});

test('a private key is not flagged as a bare header, in a documentation comment, in prose or in a test folder; an encrypted one is major', async () => {
  const key =
    buildCorpus(3, 1)
      .planted.find(secret => secret.path.endsWith('deploy/server.key'))
      ?.secret.split('\n') ?? [];
  const header = key[0] ?? '';
  expect(
    await rulesOf(
      'src/pem.ts',
      `const BEGIN = '${header}';`,
      'const certificateAuthorityBundleName = readCertificateAuthorityBundle();',
      ...Array<string>(30).fill('call();'),
    ),
  ).toEqual([]);
  expect(await rulesOf('src/key.d.ts', '/**', ...key.map(line => ` * ${line}`), ' */')).toEqual([]);
  expect(await rulesOf('test/fixtures/server.key', ...key)).toEqual([]);
  expect(await rulesOf('README.md', ...key)).toEqual([]);
  expect(await rulesOf('deploy/a.key', header, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,00', '', ...key.slice(1))).toEqual([
    'major secrets/private-key',
  ]);
});

test('a wrong checksum does not clear a token, a right one is said, and in test folders only a right one is reported, as minor', async () => {
  const issued = secretOf('github-token', 0);
  const madeUp = secretOf('github-token', 3);
  expect(await rulesOf('src/a.ts', `const a = '${issued}';`, `const b = '${madeUp}';`)).toEqual([
    'blocker secrets/github-token',
    'blocker secrets/github-token',
  ]);
  expect((await check([addedFile('src/a.ts', [issued])])).findings[0]?.message).toContain('checksum is right');
  expect(await rulesOf('test/fixtures/a.json', `"${issued}"`, `"${madeUp}"`)).toEqual(['minor secrets/github-token']);
});

test('one string is one finding, by the most specific rule; two strings on a line are two', async () => {
  const token = secretOf('github-token');
  expect(await rulesOf('.env', `GITHUB_TOKEN=${token}`)).toEqual(['blocker secrets/github-token']);
  expect(await rulesOf('.npmrc', `//r.shop.io/:_authToken=${secretOf('npm-token')}`)).toEqual(['blocker secrets/npm-token']);
  expect(await rulesOf('a.sh', `curl -H "Authorization: Bearer ${token}" https://api.github.com`)).toEqual(['blocker secrets/github-token']);
  expect(await rulesOf('.env', `AWS="${secretOf('aws-access-key-id')} ${secretOf('stripe-live-key')}"`)).toEqual([
    'blocker secrets/aws-access-key-id',
    'blocker secrets/stripe-live-key',
  ]);
});

test('where a known token stands decides: prose and templates full, samples minor, tests none; weak rules only in ordinary files', async () => {
  const token = `key: ${secretOf('digitalocean-token')}`;
  const generic = `api_key: "${secretOf('generic-secret', 0)}"`;
  expect(await rulesOf('README.md', token, generic)).toEqual(['blocker secrets/digitalocean-token']);
  expect(await rulesOf('.env.example', token, generic)).toEqual(['blocker secrets/digitalocean-token']);
  expect(await rulesOf('docs/setup.yml', token, generic)).toEqual(['minor secrets/digitalocean-token']);
  for (const file of ['test/a.yml', 'src/__tests__/a.ts', 'a.test.ts', 'pkg/a_test.go', 'spec/a.rb', 'testdata/a.json', 'tests/test_a.py'])
    expect(await rulesOf(file, token, generic), file).toEqual([]);
  expect(await rulesOf('package-lock.json', token, generic)).toEqual(['blocker secrets/digitalocean-token']);
});

test('a name on the line before its value is read', async () => {
  const lines = ['        - name: SHOP_API_KEY', `          value: "${secretOf('generic-secret', 1)}"`];
  expect(await rulesOf('deploy/pod.yaml', ...lines)).toEqual(['major secrets/generic-secret']);
});

test('hostile lines end soon and are answered with what was not read', async () => {
  const long = 'x'.repeat(2_000_001);
  const result = await check([
    addedFile('src/a.js', [long]),
    addedFile(
      'dump.env',
      Array.from({ length: 300 }, () => `A=${secretOf('stripe-live-key')}`),
    ),
  ]);
  expect(result.partial.map(part => part.path)).toEqual(['src/a.js', 'dump.env']);
  expect(result.findings).toHaveLength(200);
});

test('a stopped review names the files that were not searched', async () => {
  const result = await review?.check?.({ files: [addedFile('a.ts', ['x'])], signal: { aborted: true } });
  expect(result).toEqual({ findings: [], partial: [{ path: 'a.ts', reason: 'the review was stopped before this file was searched for secrets' }] });
});

test('the sources of this specialist and of its corpus raise no finding', async () => {
  const roots = [path.resolve(import.meta.dirname, '..'), path.resolve(import.meta.dirname, '../../../tools/secret-corpus')];
  const files = roots.flatMap(root =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.parentPath.includes('node_modules'))
      // Under names of product files, so that no path rule hides anything.
      .map(entry =>
        addedFile(
          `src/${entry.name.replace(/\.test|\.heavy/g, '').replace('.md', '.txt')}`,
          readFileSync(path.join(entry.parentPath, entry.name), 'utf8').split('\n'),
        ),
      ),
  );
  expect(files.length).toBeGreaterThan(40);
  expect((await check(files)).findings.map(finding => `${finding.path}:${finding.line} ${finding.rule}`)).toEqual([]);
});
