/**
 * Loads a forge's description once per process: the published file from the specs folder when it is there,
 * the package's own facts otherwise. Large files are read only when a forge is first asked something.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TemplateIndex } from '../http/path-template.ts';
import { checkCall } from './check-call.ts';
import type { DescriptionSource } from './description-source.ts';
import type { OperationRule, Schema } from './operation-rule.ts';
import type { Problem } from './problem.ts';
import { type DescribedPath, readDescription } from './read-description.ts';
import { readFacts } from './read-facts.ts';
import { readYamlDescription } from './read-yaml-description.ts';
import type { Call } from '../http/call.ts';

export interface Description {
  readonly origin: 'published' | 'facts';
  readonly check: (call: Call) => { readonly known: boolean; readonly operation: string | null; readonly problems: readonly Problem[] };
}

const loaded = new Map<string, Description>();

/** The shared folder's `specs`, beside the repository unless WEIR_SHARED names it. */
export function specsFolder(): string {
  const root = path.resolve(import.meta.dirname, '../../../..');
  return path.join(path.resolve(root, process.env['WEIR_SHARED'] ?? '../shared'), 'specs');
}

/** `file` beats the source's own file; false takes the facts alone. */
export function loadDescription(source: DescriptionSource, file?: string | false): Description {
  const wanted = file === false ? null : (file ?? path.join(specsFolder(), source.file));
  const present = wanted !== null && existsSync(wanted);
  const key = `${source.file} ${present ? wanted : 'facts'}`;
  const known = loaded.get(key);
  if (known !== undefined) return known;
  if (file !== undefined && file !== false && !present) throw new Error(`no description at ${file}`);
  const described = present ? readFile(wanted, source.format) : [];
  const description = makeDescription(source, described, present ? 'published' : 'facts');
  loaded.set(key, description);
  return description;
}

/** Gitea publishes a Go template: its two placeholders become an empty prefix and a version. */
function readFile(file: string, format: DescriptionSource['format']): readonly DescribedPath[] {
  const source = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\{\{[^{}]*AppVer[^{}]*\}\}/g, '1.0.0')
    .replace(/\{\{[^{}]*AppSubUrl[^{}]*\}\}/g, '');
  return /\.ya?ml$/.test(file) ? readYamlDescription(source) : readDescription(JSON.parse(source) as Schema, format);
}

function makeDescription(source: DescriptionSource, described: readonly DescribedPath[], origin: Description['origin']): Description {
  const rows = new Map<string, { readonly method: string; readonly text: string; readonly target: () => OperationRule }>();
  const keyOf = (method: string, template: string): string => `${method} ${template.replace(/\{[^}]*\}/g, '{}')}`;
  for (const rule of readFacts(source.facts)) rows.set(keyOf(rule.method, rule.template), { method: rule.method, text: rule.template, target: () => rule });
  for (const one of described) {
    const template = one.template.startsWith(source.prefix) ? one.template.slice(source.prefix.length) : one.template;
    rows.set(keyOf(one.method, template), { method: one.method, text: starred(template, [...one.multiSegment, ...source.multiSegment]), target: one.rule });
  }
  for (const rule of readFacts(source.corrections))
    rows.set(keyOf(rule.method, rule.template), { method: rule.method, text: rule.template, target: () => rule });
  const index = new TemplateIndex([...rows.values()]);
  return {
    origin,
    check: call => {
      const found = index.find(call.method, call.path);
      if (found === undefined)
        return {
          known: false,
          operation: null,
          problems: [{ kind: 'unknown-operation', place: `${call.method} ${call.path}`, detail: 'is in no description' }],
        };
      const rule = found.target();
      const problems = checkCall(rule, call, found.params, source);
      const overlooked = (problem: Problem): boolean =>
        problem.kind === 'missing-field' && source.neverRequired?.includes(problem.place.split('.').pop() ?? '') === true;
      return { known: true, operation: rule.id, problems: problems.filter(problem => !overlooked(problem)) };
    },
  };
}

const starred = (template: string, names: readonly string[]): string =>
  template.replace(/\{([^}]*)\}/g, (whole, name: string) => (names.includes(name) ? `{${name}*}` : whole));
