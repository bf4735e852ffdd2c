/**
 * The text of a SARIF message: given in full, or by id from the rule or the tool, with its placeholders filled
 * (SARIF 2.1.0, 3.11).
 */
import { at, field, listOf, textOf } from './json-reader.ts';

/** Placeholders that are filled; further ones stay as they are. */
const MAX_PLACEHOLDERS = 100;

/** `{0}` takes the first argument, `{{` and `}}` are braces. */
function fill(template: string, values: readonly unknown[]): string {
  if (values.length === 0) return template;
  let filled = 0;
  return template.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (whole, index: string | undefined) => {
    if (index === undefined) return whole.charAt(0);
    return ++filled > MAX_PLACEHOLDERS ? whole : (textOf(values[Number(index)]) ?? whole);
  });
}

/** @returns undefined when the result has no text of its own and names none. */
export function messageOf(result: unknown, rule: unknown, driver: unknown): string | undefined {
  const message = field(result, 'message');
  const id = textOf(field(message, 'id'));
  const stored = id === undefined ? undefined : (at(rule, 'messageStrings', id) ?? at(driver, 'globalMessageStrings', id));
  const template =
    textOf(field(message, 'text')) ??
    textOf(field(stored, 'text')) ??
    textOf(field(message, 'markdown')) ??
    textOf(at(rule, 'shortDescription', 'text')) ??
    textOf(at(rule, 'fullDescription', 'text'));
  return template === undefined ? undefined : fill(template, listOf(field(message, 'arguments')));
}
