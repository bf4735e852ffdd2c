/** Which worker does which work of a review, and what it is handed. */
import { AppError } from '@weir/kernel';
import { answerComment, fetchDiff, gatherContext, generateReview, type PanelModel, postRound, type StageForge, type StageParts } from '@weir/review-workers';
import { withRepository } from '../composition/load-settings.ts';
import { newFence } from '../composition/new-fence.ts';
import { roundSettings } from '../composition/round-settings.ts';
import { readCaps } from '../gateway/read-caps.ts';
import { sha256, sleep } from '../gateway/real-time.ts';
import { feedDiff } from '../read-diff.ts';
import { WEIR_VERSION } from '../version.ts';
import type { ReviewModel } from './review-model.ts';
import type { ServerWorld } from './server-world.ts';
import type { ReviewWorkers } from './start-reviewer.ts';

export function reviewWorkers(world: ServerWorld, model: ReviewModel | null): ReviewWorkers {
  const { settings, sources } = world;
  const parts = stageParts(world);
  const diffLimits = { maxFileBytes: settings.get<number>('review.maxFileBytes'), maxDiffBytes: settings.get<number>('review.maxDiffBytes') };
  return {
    FetchDiff: fetchDiff({ ...parts, diffLimits, changeLimits: readCaps(settings).change }),
    GatherContext: gatherContext(parts),
    GenerateReview: generateReview({
      ...parts,
      weir: WEIR_VERSION,
      feed: feedDiff,
      fence: newFence,
      settingsFor: async readTarget => roundSettings(await withRepository(sources, readTarget)),
      modelFor: async ({ row: { reviewId }, forge }) => (model === null ? null : panelModel(model, 'review', reviewId, forge)),
    }),
    PostRound: postRound(parts),
    AnswerComment: answerComment({
      ...parts,
      fence: newFence,
      model: async reviewId => {
        if (model === null) throw new AppError('MODEL_UNKNOWN', 'No model is named for this server.', { next: 'Set model.name to a stored route.' });
        return panelModel(model, 'conversation', reviewId, await parts.forge(reviewId));
      },
    }),
  };
}

/** Each call is charged to its review. */
function panelModel({ name, limits, portFor }: ReviewModel, capability: 'review' | 'conversation', review: string, { repository }: StageForge): PanelModel {
  const { forge, path } = repository;
  return { name, limits, port: portFor({ capability, forge, review, repository: `${path.owner}/${path.name}` }) };
}

function stageParts({ stores, providers, effect }: ServerWorld): StageParts {
  const { views, artifacts, claims, registry } = stores;
  return {
    ...{ views, artifacts, claims, effect, sleep },
    hash: sha256,
    now: Date.now,
    random: Math.random,
    async forge(reviewId) {
      const coordinates = (await views.get(reviewId))?.row.coordinates;
      if (coordinates === null || coordinates === undefined) throw new Error(`The views hold no review ${reviewId}.`);
      const { forge, origin, repositoryId, repository: path } = coordinates;
      const repository = await registry.findRepository({ forge, origin, repositoryId, path });
      if (repository === undefined) throw new AppError('REGISTRATION_INVALID', `${path.owner}/${path.name} is no longer registered.`);
      return providers.forgeOf(repository);
    },
  };
}
