/** `weir debug prompt`: exactly what a model would get for a change, slot by slot, with token counts (docs/reference/debug.md). */
import { EXIT, type ExitCode } from '@weir/contract';
import { estimateTokens } from '@weir/prompt';
import { planPrompts, promptInput, readChange } from '@weir/review-workers';
import { type Flags, loadSettings, operatorSources, withRepository } from '../composition/load-settings.ts';
import { type ChangeRequest, openChange } from '../composition/open-change.ts';
import { newFence } from '../composition/new-fence.ts';
import { modelLimits, roundSettings } from '../composition/round-settings.ts';
import { writeJson } from '../output.ts';
import { feedDiff } from '../read-diff.ts';

export async function runDebugPrompt(request: ChangeRequest, flags: Flags, signal: AbortSignal): Promise<ExitCode> {
  const sources = await operatorSources(flags);
  const first = loadSettings(sources);
  const base = { name: first.get<string | null>('review.base'), explicit: first.resolved.values['review.base'].origin === 'flag' };
  const { change } = await openChange(request, base);
  const loaded = await withRepository(sources, change.readTarget);
  const settings = await roundSettings(loaded);
  const read = await readChange({ change, settings, feed: feedDiff }, signal);
  const plans = planPrompts(await promptInput({ change, settings, fence: newFence }, read, modelLimits(loaded)));
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
    coverage: [
      ...plans.flatMap(plan => plan.coverage),
      ...[...read.ignored].map(([file, reason]) => ({ path: file, reading: 'skipped', reason, byRule: true })),
    ],
    notes: plans.flatMap(plan => plan.notes),
  });
  return EXIT.clean;
}
