/**
 * Reads a report of another tool (REV-20b): SARIF 2.1.0, checkstyle XML, rdjson or rdjsonl, found out from the text itself.
 */
import { AppError } from '@weir/kernel';
import { type ImportedReport, newBatch } from './import-batch.ts';
import { importCheckstyle } from './import-checkstyle.ts';
import { importRdjson, importRdjsonl, isDiagnostic } from './import-rdjson.ts';
import { importSarif } from './import-sarif.ts';
import { field, parseJson } from './json-reader.ts';

/** UTF-16 units of one imported file (REV-20b). */
export const MAX_IMPORT_CHARS = 50_000_000;

export interface ImportOptions {
  /** Absolute path of the repository, for reports with absolute paths; null when there is none, then such findings are dropped and counted. */
  readonly root: string | null;
}

type Source = { readonly format: 'checkstyle' | 'rdjsonl'; readonly body: string } | { readonly format: 'sarif' | 'rdjson'; readonly value: unknown };

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** Which format a text is, by what it begins with and which lists it has. */
function recognised(body: string, name: string): Source {
  if (body.startsWith('<')) return { format: 'checkstyle', body };
  const whole = parseJson(body, name);
  const value = whole?.value;
  if (Array.isArray(field(value, 'runs'))) return { format: 'sarif', value };
  if (Array.isArray(field(value, 'diagnostics'))) return { format: 'rdjson', value };
  if (isDiagnostic(value)) return { format: 'rdjson', value: { diagnostics: [value] } };
  if (whole === undefined && isDiagnostic(parseJson(firstLine(body), name)?.value)) return { format: 'rdjsonl', body };
  throw new AppError('IMPORT_INVALID', `${name} is not SARIF, checkstyle or rdjson.`);
}

/**
 * The findings of the file, on the new side, in its order; what could not be taken is counted by reason.
 * A rule is `<tool>/<rule>` in lower case; a path is relative to the repository.
 * @param name how messages call the file.
 * @throws AppError INPUT_TOO_LARGE above MAX_IMPORT_CHARS, IMPORT_INVALID for anything that is no such report.
 */
export function importReport(text: string, name: string, { root }: ImportOptions): ImportedReport {
  if (text.length > MAX_IMPORT_CHARS) throw new AppError('INPUT_TOO_LARGE', `${name} is longer than ${MAX_IMPORT_CHARS} characters.`);
  // Removes a byte order mark too.
  const body = text.trimStart();
  // A tool that failed leaves an empty file too, so it is not taken for a clean report.
  if (body === '') throw new AppError('IMPORT_INVALID', `${name} is empty.`);
  const source = recognised(body, name);
  const batch = newBatch();
  switch (source.format) {
    case 'checkstyle':
      importCheckstyle(source.body, name, root, batch);
      break;
    case 'rdjsonl':
      importRdjsonl(source.body, name, root, batch);
      break;
    case 'sarif':
      importSarif(source.value, name, root, batch);
      break;
    case 'rdjson':
      importRdjson(source.value, root, batch);
  }
  return batch.report();
}
