/** Stores of one command that keeps nothing: they end with its process. */
import type { Artifact, ArtifactStore, PostingClaims } from '@weir/ports';

/** Bounded by what one round writes. Nothing expires before the process ends. */
export function passingArtifacts(): ArtifactStore {
  const kept = new Map<string, Artifact>();
  return {
    put: async artifact => {
      if (!kept.has(artifact.id)) kept.set(artifact.id, artifact);
    },
    get: async id => kept.get(id),
    sweep: async () => 0,
  };
}

/**
 * An earlier process may have begun any call and left no result here, so each is taken over: what stands on the forge is looked for
 * before anything is posted (REV-18).
 */
export function passingClaims(): PostingClaims {
  const results = new Map<string, unknown>();
  return {
    claim: async key => (results.has(key) ? { state: 'done', result: results.get(key) } : { state: 'taken_over' }),
    settle: async (key, _fence, result) => {
      results.set(key, result);
      return true;
    },
  };
}
