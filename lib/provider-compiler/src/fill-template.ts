/**
 * Go-template placeholders (`{{.SwaggerAppVer}}`) of a description that is kept as a template (Gitea, Forgejo), filled from
 * given values. Nothing of the template language is run: a placeholder is a name.
 */
import { type CompileProblem } from './compile-problem.ts';

/** Longest text between the braces of a placeholder. */
const MAX_PLACEHOLDER = 128;

export interface FilledTemplate {
  readonly text: string;
  readonly problems: readonly CompileProblem[];
}

/**
 * Text with a leading BOM dropped and every placeholder replaced. Values are keyed by the text between the braces, trimmed (`.SwaggerAppVer`), and are
 * escaped as the inside of a JSON string. A placeholder without a value is a problem, once for each name.
 */
export function fillTemplate(source: string, values: Readonly<Record<string, string>> | undefined): FilledTemplate {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  // Without given values a description is no template: `{{` may stand in a vendor's prose.
  if (values === undefined) return { text, problems: [] };
  const missing = new Set<string>();
  const filled = text.replace(/\{\{([^{}\n]{1,128})\}\}/g, (whole, inside: string) => {
    const name = inside.trim();
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) missing.add(name.slice(0, MAX_PLACEHOLDER));
    return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
  });
  return { text: filled, problems: [...missing].sort().map(missingValue) };
}

const missingValue = (name: string): CompileProblem => ({
  operation: '',
  place: '',
  reason: `the placeholder {{${name}}} has no value`,
  mend: `add "${name}" to spec.template_values of the descriptor`,
});
