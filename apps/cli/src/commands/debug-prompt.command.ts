/** `weir debug prompt`: exactly what a model would get for a change, slot by slot, with token counts (docs/reference/debug.md). */
import { EXIT, type ExitCode } from '@weir/contract';
import { estimateTokens } from '@weir/prompt';
import { planPrompts } from '@weir/review-workers';
import { type Flags, loadSettings, operatorSources, withRepository } from '../composition/load-settings.ts';
import { type ChangeRequest, openChange } from '../composition/open-change.ts';
import { planInput } from '../composition/plan-input.ts';
import { readChange } from '../composition/read-change.ts';
import { writeJson } from '../output.ts';

export async function runDebugPrompt(request: ChangeRequest, flags: Flags, signal: AbortSignal): Promise<ExitCode> {
  const sources = await operatorSources(flags);
  const first = loadSettings(sources);
  const base = { name: first.get<string | null>('review.base'), explicit: first.resolved.values['review.base'].origin === 'flag' };
  const { change } = await openChange(request, base);
  const settings = await withRepository(sources, change.readTarget);
  const { reviewed, ignored } = await readChange(change, settings, signal);
  const plans = planPrompts(await planInput(change, settings, reviewed));
  const calls = plans.flatMap(plan =>
    plan.prompts.map(({ source, prompt, paths, maxOutputTokens }) => ({
      specialist: source,
      files: paths,
      maxOutputTokens,
      systemTokens: estimateTokens(prompt.system),
      system: prompt.system,
      user: prompt.user,
      slots: prompt.slots,
    })),
  );
  await writeJson({
    calls,
    coverage: [...plans.flatMap(plan => plan.coverage), ...[...ignored].map(([file, reason]) => ({ path: file, reading: 'skipped', reason, byRule: true }))],
    notes: plans.flatMap(plan => plan.notes),
  });
  return EXIT.clean;
}
