/** Reads foreign JSON without trusting its shape: whatever is missing or of another type is undefined. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

export const stringField = (value: unknown, name: string): string | undefined => {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
};
