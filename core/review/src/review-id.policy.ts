/**
 * The id of a review (REV-1): a hash over coordinates that do not change. Each part is length-prefixed, so that no two lists of
 * parts read alike, and the list begins with a version.
 */
import type { ReviewCoordinates } from '@weir/contract';
import type { Hash } from './fingerprint.ts';

const VERSION = 'weir/review/1';

/** Where the forge gives a stable id, the path is left out: a renamed or transferred repository keeps its reviews. */
export function reviewIdOf({ forge, origin, repositoryId, repository, change }: ReviewCoordinates, hash: Hash): string {
  const place = repositoryId === null ? ['path', repository.owner, repository.name] : ['id', repositoryId];
  return hash([VERSION, forge, origin, ...place, String(change)].map(part => `${part.length}:${part}`).join(''));
}
