/** The workers of a server's reviews for one round in this process (REV-20a): the same, over stores that end with it. */
import { type FetchParts, fetchDiff, gatherContext, generateReview, postRound, type StageForge, type StageParts } from '@weir/review-workers';
import type { LoadedSettings } from '../composition/load-settings.ts';
import { newFence } from '../composition/new-fence.ts';
import type { ConfiguredModel } from '../composition/open-model.ts';
import { modelLimits, roundSettings } from '../composition/round-settings.ts';
import { readCaps } from '../gateway/read-caps.ts';
import { sha256, sleep } from '../gateway/real-time.ts';
import { feedDiff } from '../read-diff.ts';
import { runEffect } from '../server/run-effect.ts';
import type { ReviewWorkers } from '../server/start-reviewer.ts';
import { WEIR_VERSION } from '../version.ts';
import { passingArtifacts, passingClaims } from './passing-stores.ts';
import type { PassingReview } from './passing-review.ts';

export const passingParts = (forge: StageForge, { views }: PassingReview): StageParts => ({
  ...{ views, sleep, hash: sha256, now: Date.now, random: Math.random, effect: runEffect },
  forge: async () => forge,
  artifacts: passingArtifacts(),
  claims: passingClaims(),
  unattended: true,
});

/** @param settings with what the target branch narrows (REV-36, REV-37). */
export function roundWorkers(parts: StageParts, settings: LoadedSettings, model: ConfiguredModel | null): ReviewWorkers {
  const diffLimits: FetchParts['diffLimits'] = {
    maxFileBytes: settings.get<number>('review.maxFileBytes'),
    maxDiffBytes: settings.get<number>('review.maxDiffBytes'),
  };
  return {
    FetchDiff: fetchDiff({ ...parts, diffLimits, changeLimits: readCaps(settings).change }),
    GatherContext: gatherContext(parts),
    GenerateReview: generateReview({
      ...parts,
      ...{ weir: WEIR_VERSION, feed: feedDiff, fence: newFence },
      settingsFor: () => roundSettings(settings),
      modelFor: async () => (model === null ? null : { name: model.name, port: model.port, limits: modelLimits(settings) }),
    }),
    PostRound: postRound(parts),
  };
}
