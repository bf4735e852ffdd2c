/** The rest of an address's search when some of its names are taken away. */

export const without = <Search extends object, Name extends keyof Search>(search: Search, ...names: readonly Name[]): Omit<Search, Name> =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !names.some(one => one === name))) as Omit<Search, Name>;
