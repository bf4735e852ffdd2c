/** The files of rules that a model is shown, from the target branch (REV-20c, REV-36). */
import type { LocalChange } from '@weir/ports';
import type { LoadedSettings } from './load-settings.ts';

export interface RulesFile {
  readonly path: string;
  readonly text: string;
}

export async function readRules(change: LocalChange, settings: LoadedSettings): Promise<readonly RulesFile[]> {
  const found: RulesFile[] = [];
  for (const path of settings.get<readonly string[]>('review.rulesFiles')) {
    const text = await change.readTarget?.(path);
    if (text !== undefined && text.trim() !== '') found.push({ path, text });
  }
  return found;
}
