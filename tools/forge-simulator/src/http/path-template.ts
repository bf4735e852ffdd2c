/**
 * Path templates such as `/repos/{owner}/{repo}/contents/{path*}`: `*` marks a value that may hold slashes.
 * The template with the most fixed text is tried first, so `pulls/comments` beats `pulls/{number}`.
 */
export interface Template<T> {
  readonly text: string;
  readonly method: string;
  readonly target: T;
}

interface Compiled<T> extends Template<T> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly weight: number;
}

const PLACEHOLDER = /\{([^}]*)\}/g;

export class TemplateIndex<T> {
  readonly #byMethod = new Map<string, Compiled<T>[]>();

  constructor(templates: readonly Template<T>[]) {
    for (const template of templates) {
      const row = compile(template);
      this.#byMethod.set(row.method, [...(this.#byMethod.get(row.method) ?? []), row]);
    }
    for (const rows of this.#byMethod.values()) rows.sort((one, other) => other.weight - one.weight);
  }

  /** The target and the decoded path values, or undefined. A malformed escape matches nothing. */
  find(method: string, path: string): { readonly target: T; readonly text: string; readonly params: Record<string, string> } | undefined {
    for (const row of this.#byMethod.get(method) ?? []) {
      const match = row.pattern.exec(path);
      if (match === null) continue;
      const values = match.slice(1).map(decode);
      if (values.some(value => value === undefined)) return undefined;
      return { target: row.target, text: row.text, params: Object.fromEntries(row.names.map((name, at) => [name, values[at] ?? ''])) };
    }
    return undefined;
  }

  knowsPath(path: string): boolean {
    return [...this.#byMethod.keys()].some(method => this.find(method, path) !== undefined);
  }
}

function compile<T>(template: Template<T>): Compiled<T> {
  const names: string[] = [];
  const parts = template.text.split(PLACEHOLDER);
  let weight = 0;
  const pattern = parts.map((part, at) => {
    if (at % 2 === 0) {
      weight += part.length * 10;
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    }
    names.push(part.replace(/\*$/, ''));
    weight -= part.endsWith('*') ? 2 : 1;
    return part.endsWith('*') ? '(.+?)' : '([^/]+)';
  });
  return { ...template, names, weight, pattern: new RegExp(`^${pattern.join('')}/?$`) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
