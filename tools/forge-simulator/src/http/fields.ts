/** Reads typed values out of a request's body without trusting it: a value of another type is as good as absent. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(body: unknown) {
    this.#values = isRecord(body) ? body : {};
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  value(name: string): unknown {
    return this.#values[name];
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#values[name];
    if (typeof value === 'number') return value;
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.#values[name];
    if (typeof value === 'boolean') return value;
    return value === 'true' ? true : value === 'false' ? false : undefined;
  }

  array(name: string): readonly unknown[] | undefined {
    const value = this.#values[name];
    return Array.isArray(value) ? value : undefined;
  }

  texts(name: string): readonly string[] | undefined {
    return this.array(name)?.filter(value => typeof value === 'string');
  }

  object(name: string): Fields | undefined {
    const value = this.#values[name];
    return isRecord(value) ? new Fields(value) : undefined;
  }

  objects(name: string): readonly Fields[] {
    return (this.array(name) ?? []).filter(isRecord).map(value => new Fields(value));
  }

  all(): Readonly<Record<string, unknown>> {
    return this.#values;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
