/** The specialists of this installation, checked when they are loaded. */
import { AppError } from '@weir/kernel';
import type { Rule, Specialist } from '@weir/specialist-kit';
import { loadBuiltIn } from './specialists.generated.ts';

/** Loads the named specialists, or all. Throws CONFIG_INVALID on an unknown key. */
export async function loadSpecialists(keys: readonly string[]): Promise<readonly Specialist[]> {
  const unknown = keys.filter(key => !(key in loadBuiltIn));
  if (unknown.length > 0) {
    throw new AppError('CONFIG_INVALID', `there is no specialist ${unknown.join(', ')}`, { next: `Choose from: ${Object.keys(loadBuiltIn).join(', ')}.` });
  }
  const wanted = Object.entries(loadBuiltIn).filter(([key]) => keys.length === 0 || keys.includes(key));
  return Promise.all(wanted.map(async ([, load]) => (await load()).specialist));
}

export const rulesOf = (specialists: readonly Specialist[]): readonly Rule[] => specialists.flatMap(specialist => specialist.review?.rules ?? []);
