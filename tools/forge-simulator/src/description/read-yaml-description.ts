/**
 * Reads a Swagger 2 document in YAML by sections: the 47,000 lines of GitLab's take seconds to parse whole.
 * The file is a generator's: keys at two spaces, no anchors. A path is parsed when a request first needs it.
 */
import { parse } from 'yaml';
import { isRecord } from '../http/fields.ts';
import type { OperationRule, Schema } from './operation-rule.ts';
import { buildRule, type DescribedPath } from './read-description.ts';

const PATH = /^ {2}(?:\? )?"?(\/[^"]*?)"?:?$/;
const METHOD = /^(?: {4}| {2}: )(get|put|post|patch|delete):$/;

interface Section {
  readonly key: string;
  readonly lines: string[];
}

/** Throws when the document holds no path in the layout that it expects. */
export function readYamlDescription(source: string): readonly DescribedPath[] {
  const lines = source.split('\n');
  const definitions = new Map(sections(lines, 'definitions', /^ {2}"?([^ "].*?)"?:$/).map(section => [section.key, section]));
  const resolve = (reference: string): Schema => {
    const section = definitions.get(reference.replace('#/definitions/', ''));
    if (section === undefined) throw new Error(`the description holds no ${reference}`);
    return parsed(section);
  };
  const found = sections(lines, 'paths', PATH);
  if (found.length === 0) throw new Error('no paths in the layout of a generated description');
  return found.flatMap(section =>
    section.lines.flatMap(line => {
      const method = METHOD.exec(line)?.[1];
      if (method === undefined) return [];
      let rule: OperationRule | undefined;
      return [{ method: method.toUpperCase(), template: section.key, multiSegment: [], rule: () => (rule ??= ruleOf(section, method, resolve)) }];
    }),
  );
}

function sections(lines: readonly string[], name: string, key: RegExp): readonly Section[] {
  const found: Section[] = [];
  const start = lines.indexOf(`${name}:`);
  for (let at = start + 1; start >= 0 && at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\S/.test(line)) break;
    const opened = key.exec(line)?.[1];
    if (opened !== undefined) found.push({ key: opened, lines: [line] });
    else found[found.length - 1]?.lines.push(line);
  }
  return found;
}

/** What is under the section's one key. */
function parsed(section: Section): Schema {
  const document: unknown = parse(section.lines.join('\n'));
  const value = isRecord(document) ? Object.values(document)[0] : undefined;
  if (!isRecord(value)) throw new Error(`can't read ${section.key} of the description`);
  return value;
}

function ruleOf(section: Section, method: string, resolve: (reference: string) => Schema): OperationRule {
  const item = parsed(section);
  const operation = item[method] as Schema;
  const parameters = [...((item['parameters'] as Schema[] | undefined) ?? []), ...((operation['parameters'] as Schema[] | undefined) ?? [])];
  return buildRule(method.toUpperCase(), section.key, { document: {}, operation, parameters, resolve, follow: node => node }, 'swagger');
}
