/**
 * PRO-4 and PRV-15: the code of the rooms names no forge, tracker, harness or container runtime. A forge is a descriptor; what
 * names one anyway stands below with its reason. Comments may name one, as the source of a fact.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { verifies } from './requirements.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Anywhere in a word, or as a word of its own where the name stands inside others (`pi` is in `api`). */
const NAMES: readonly RegExp[] = [
  /github|gitlab|gitea|forgejo|bitbucket|codeberg|azure[ -]?devops/i,
  /\bjira\b|youtrack|\bshortcut\.com\b/i,
  /\bcodex\b|claude[ -]?code|opencode|\bpi\b/i,
  /bubblewrap|\bbwrap\b|\bdocker\b|kubernetes|\bpodman\b/i,
];
const names = (text: string): boolean => NAMES.some(name => name.test(text));

/** Rooms that are scanned; tests, suites and test data may name what they test. */
const ROOMS = /^(contract|ports|lib|core|engine|workers|adapters|apps)\/.+\.tsx?$/;
const TEST_CODE = /\.(test|suite|fixture)\.tsx?$|\/(tests|fixtures)\//;
/** Made of what the descriptors and the simulators are; a demonstration shows a forge. */
const OWN_ROOMS = /^apps\/demo\//;

/** File -> why it names a forge. An entry whose file names none any more fails. */
const ALLOWED: Readonly<Record<string, string>> = {
  'contract/src/settings.ts': 'the output format of workflow commands is called after the vendor whose format it is (REV-20a)',
  'lib/report/src/github.ts': 'renders that format',
  'lib/report/src/index.ts': 'exports that format',
  'lib/report/src/severity-row.ts': "that format's words for severities",
  'lib/provider-compiler/src/compile-row.ts': "reads the vendor's own extension keys of a published description (PRV-3)",
  'lib/provider-compiler/src/prune-description.ts': 'keeps the same keys when prose is stripped (PRV-2)',
  'lib/provider-compiler/src/select-operations.ts': 'selects by the category that stands in the same keys',
  'apps/cli/src/present-report.ts': 'chooses that format',
  'apps/cli/src/commands/help-topics.ts': 'explains that format and gives examples for people',
  'apps/cli/src/registration/change-address.ts': 'how each product writes the address of a change; the descriptors have no field for it yet',
  'apps/cli/src/provider/description-address.ts': 'the host that serves files of a pinned commit (PRV-2)',
  'lib/provider-descriptor/src/check-bindings.ts': 'refuses the names of credential headers that vendors use, so that a binding can set none (PRV-12)',
};

/** Tokens of a source file, without comments. */
function codeOf(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const tokens: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isToken(node) || ts.isLiteralExpression(node)) tokens.push(text.slice(node.getStart(source, false), node.end));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return tokens;
}

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(file => existsSync(path.join(root, file)) && !OWN_ROOMS.test(file));
const scanned = files.filter(file => ROOMS.test(file) && !TEST_CODE.test(file));
const manifests = files.filter(file => /^(contract|ports|(lib|core|engine|workers|adapters|apps)\/[^/]+)\/package\.json$/.test(file));
/** The packages that the files belong to: the scan has to have reached each. */
const packagesOf = (list: readonly string[]): readonly string[] =>
  [...new Set(list.map(file => /^(?:contract|ports|[^/]+\/[^/]+)/.exec(file)?.[0] ?? file))].sort();

const naming = scanned.filter(file => names(file) || codeOf(file).some(names));

test(`${verifies('PRO-4', 'PRV-15')} no code outside its own room names a forge, tracker, harness or runtime`, () => {
  expect(packagesOf(scanned)).toEqual(packagesOf(manifests));
  expect(naming.filter(file => ALLOWED[file] === undefined)).toEqual([]);
});

test(`${verifies('PRO-4')} an exception that is no longer needed is deleted`, () => {
  expect(Object.keys(ALLOWED).filter(file => !naming.includes(file))).toEqual([]);
});
