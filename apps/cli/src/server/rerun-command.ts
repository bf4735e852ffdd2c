/** The command of an operator who asks for another round of a review at its head (REV-5). */
import type { ReviewCommandOf } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { RegisteredRepository } from '@weir/ports';
import type { ReviewListRow } from '@weir/review';

type Coordinates = NonNullable<ReviewListRow['coordinates']>;

/** By stable id where the forge gave one, else by path. */
const isOf =
  ({ forge, origin, repositoryId, repository }: Coordinates) =>
  (one: RegisteredRepository): boolean =>
    one.forge === forge &&
    one.origin === origin &&
    (repositoryId === null ? one.path.owner === repository.owner && one.path.name === repository.name : one.repositoryId === repositoryId);

export const registeredOf = (repositories: readonly RegisteredRepository[], coordinates: Coordinates): RegisteredRepository | undefined =>
  repositories.find(isOf(coordinates));

/** Throws USAGE for a review that has had no round, REGISTRATION_INVALID where its repository is gone. */
export function rerunCommand(row: ReviewListRow, repositories: readonly RegisteredRepository[], by: string): ReviewCommandOf<'RequestRound'> {
  const { reviewId, head, coordinates, change } = row;
  const name = coordinates === null ? reviewId : `${coordinates.repository.owner}/${coordinates.repository.name}#${coordinates.change}`;
  if (head === null || coordinates === null || change === null) throw new AppError('USAGE', `${name} has had no round; push, or comment /review there.`);
  const repository = registeredOf(repositories, coordinates);
  if (repository === undefined)
    throw new AppError('REGISTRATION_INVALID', `The repository of ${name} is not registered.`, { next: 'Register it: weir repo add <url>.' });
  const aim = { reviewId, head, coordinates, change, at: new Date().toISOString() };
  return { ...aim, type: 'RequestRound', cause: 'rerun', by, forced: true, observe: repository.observe };
}
