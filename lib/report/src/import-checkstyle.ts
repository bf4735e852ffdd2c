/**
 * Checkstyle's XML, which many linters print: `<checkstyle><file name><error line severity message source/></file></checkstyle>`.
 */
import type { Severity } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ImportBatch } from './import-batch.ts';
import { locatePath } from './repository-path.ts';
import { type XmlTag, xmlTags } from './xml-reader.ts';

const SEVERITY: ReadonlyMap<string, Severity> = new Map([
  ['error', 'major'],
  ['warning', 'minor'],
  ['info', 'note'],
]);
/** Checkstyle's own default is error. */
const DEFAULT_SEVERITY: Severity = 'major';
/** First part of a Java class name, which is how Checkstyle names its own checks. */
const JAVA_PACKAGES: ReadonlySet<string> = new Set(['com', 'org', 'net', 'io']);

/** `eslint.rules.no-var` is rule `no-var` of eslint; a Java class is a check of Checkstyle; a bare name has no tool. */
export function ruleOfSource(source: string | undefined): { readonly tool: string; readonly rule: string | undefined } {
  const dot = source?.indexOf('.') ?? -1;
  if (source === undefined || dot <= 0) return { tool: 'checkstyle', rule: source };
  const head = source.slice(0, dot);
  if (JAVA_PACKAGES.has(head)) return { tool: 'checkstyle', rule: source.slice(source.lastIndexOf('.') + 1) };
  return { tool: head, rule: source.slice(dot + 1).replace(/^rules\./, '') };
}

/** Line numbers are digits; anything else is a finding about the whole file. */
const lineOf = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0);

function addError({ attributes }: XmlTag, file: string | undefined, root: string | null, batch: ImportBatch): void {
  const severity = attributes.get('severity')?.toLowerCase() ?? '';
  if (severity === 'ignore') return batch.tally.drop('its severity is ignore');
  if (file === undefined || file === '') return batch.tally.drop('it names no file');
  const line = lineOf(attributes.get('line'));
  batch.add(locatePath(file, root), {
    ...ruleOfSource(attributes.get('source')),
    line,
    endLine: line,
    severity: SEVERITY.get(severity) ?? DEFAULT_SEVERITY,
    category: null,
    message: attributes.get('message') ?? '',
    quote: null,
    suggestion: null,
  });
}

/**
 * Adds every error of the document to the batch.
 * @throws AppError IMPORT_INVALID when the text is no well-formed XML or its root is not `checkstyle`.
 */
export function importCheckstyle(text: string, name: string, root: string | null, batch: ImportBatch): void {
  let outermost: string | undefined;
  let file: string | undefined;
  for (const tag of xmlTags(text)) {
    outermost ??= tag.name;
    if (outermost !== 'checkstyle') throw new AppError('IMPORT_INVALID', `${name} is XML, but not a checkstyle report.`);
    if (tag.name === 'file') file = tag.kind === 'open' ? (tag.attributes.get('name') ?? '') : undefined;
    if (tag.name === 'error' && tag.kind === 'open') addError(tag, file, root, batch);
  }
  if (outermost === undefined) throw new AppError('IMPORT_INVALID', `${name} is XML without an element.`);
}
