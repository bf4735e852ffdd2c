/** The files of rules that a model is shown, from the target branch (REV-20c, REV-36). */
import type { LocalChange } from '@weir/ports';
import type { RulesFile } from '@weir/prompt';

export async function readRules(change: Pick<LocalChange, 'readTarget'>, paths: readonly string[]): Promise<readonly RulesFile[]> {
  const found: RulesFile[] = [];
  for (const path of paths) {
    const text = await change.readTarget?.(path);
    if (text !== undefined && text.trim() !== '') found.push({ path, text });
  }
  return found;
}
