/** Lists of people on the command line, and in the registry: by stable id, since a login can pass to somebody else (REV-9, REV-27). */
import { AppError } from '@weir/kernel';
import type { ForgePort } from '@weir/ports';
import type { Options } from '../action.ts';

/** Undefined where the flags leave the list as it is. Throws USAGE for people and the flag `none` at once. */
export function peopleOf(options: Options, name: string, none: string): readonly string[] | undefined {
  const people = options[name] as readonly string[] | undefined;
  if (options[none] !== true) return people;
  if (people !== undefined) throw new AppError('USAGE', `--${name} names people, and another flag empties the list`);
  return [];
}

/** People as `id:<stable id>`, or by the login that they have now, which is looked up once. Throws AppError FORGE_*. */
export async function stableIds(port: ForgePort, people: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  const { signal } = new AbortController();
  for (const person of people) ids.push(person.startsWith('id:') ? person.slice('id:'.length) : (await port.ask('user.get', { login: person }, signal)).id);
  return [...new Set(ids)];
}

/** As the commands take them. */
export const peopleText = (ids: readonly string[]): string => ids.map(id => `id:${id}`).join(', ');
