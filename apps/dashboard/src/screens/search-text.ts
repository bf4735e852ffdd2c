/** Reads texts of an address: what is no short text is not there. */

const MAX_TEXT = 300;

export function readText<const Name extends string>(search: Readonly<Record<string, unknown>>, names: readonly Name[]): { [name in Name]?: string } {
  const found = names.flatMap(name => {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text !== '' && text.length <= MAX_TEXT ? [[name, text] as const] : [];
  });
  return Object.fromEntries(found) as { [name in Name]?: string };
}
