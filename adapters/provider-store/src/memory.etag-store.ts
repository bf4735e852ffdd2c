/** Answers to conditional GETs in the memory of one process, bounded; what was used longest ago goes first. */
import type { EtagBounds, EtagEntry, EtagKey, EtagStore } from '@weir/ports';

/** The lengths in front keep the parts apart, at a third of the cost of writing them as JSON. */
const nameOf = ({ provider, credential, url, accept }: EtagKey): string =>
  `${provider.length} ${credential.length} ${accept.length} ${provider}${credential}${accept}${url}`;

export function memoryEtagStore(bounds: EtagBounds): EtagStore {
  // A Map keeps the order of insertion: taking out and putting in again makes an entry the newest.
  const entries = new Map<string, { readonly key: EtagKey; readonly entry: EtagEntry }>();
  let bytes = 0;

  function drop(name: string): void {
    bytes -= entries.get(name)?.entry.body.length ?? 0;
    entries.delete(name);
  }

  return {
    get(key) {
      const name = nameOf(key);
      const found = entries.get(name);
      if (found !== undefined) {
        entries.delete(name);
        entries.set(name, found);
      }
      return Promise.resolve(found?.entry);
    },
    put(key, entry) {
      const name = nameOf(key);
      drop(name);
      if (entry.body.length > bounds.maxEntryBytes) return Promise.resolve(false);
      entries.set(name, { key, entry });
      bytes += entry.body.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.maxEntries && bytes <= bounds.maxBytes) break;
        drop(oldest);
      }
      return Promise.resolve(true);
    },
    forget({ provider, credential }) {
      for (const [name, { key }] of entries) {
        if (key.provider === provider && key.credential === credential) drop(name);
      }
      return Promise.resolve();
    },
  };
}
