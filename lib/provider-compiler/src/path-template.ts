/**
 * Path templates: reads the placeholders of a published path and turns the notations of GitLab's generator (splats `*path`,
 * optional groups `(-/)`, escaped brackets `\(\)`) into plain `{name}`.
 */

export interface PathTemplate {
  /** With `{name}` placeholders only. */
  readonly path: string;
  readonly names: readonly string[];
  /** Placeholders whose value may hold slashes: splats. */
  readonly splats: ReadonlySet<string>;
}

/** Longest path template. */
const MAX_PATH = 1_024;

/**
 * Reads a path. An optional group stays where it holds a parameter that must be given, and is left out otherwise, since the path without it is
 * served too. Undefined where braces don't pair, the path is too long or does not start with a slash.
 * @param required whether a parameter of this operation must be given.
 */
export function readPathTemplate(published: string, required: (name: string) => boolean): PathTemplate | undefined {
  if (!published.startsWith('/') || published.length > MAX_PATH || /[?#\s]/.test(published)) return undefined;
  const splats = new Set<string>();
  const path = withoutGroups(published, required)
    .replace(/\\([()])/g, '$1')
    .replace(/(?<=[/'])\*([A-Za-z_]\w*)/g, (_, name: string) => {
      splats.add(name);
      return `{${name}}`;
    });
  const names = [...path.matchAll(/\{([^{}/]+)\}/g)].map(match => match[1] ?? '');
  if (/[{}]/.test(path.replace(/\{[^{}/]+\}/g, ''))) return undefined;
  return { path, names, splats };
}

/** A group is `(…/)`, `(/…)` or `(*name)`; other brackets belong to the path. Groups that touch are one. */
const withoutGroups = (published: string, required: (name: string) => boolean): string =>
  published.replace(/(?<!\\)\)\(/g, '').replace(/(?<!\\)\(([^()\\]*\/[^()\\]*|\*\w+)\)/g, (_, inside: string) => {
    const names = [...inside.matchAll(/\{([^{}]+)\}|\*(\w+)/g)].map(match => match[1] ?? match[2] ?? '');
    return names.some(required) ? inside : '';
  });
