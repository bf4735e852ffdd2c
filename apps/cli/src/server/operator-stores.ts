/** The stores of an operator over the open database, for the commands of this machine and for the server that runs theirs. */
import { sqlApiTokens, sqlSignInLinks } from '@weir/identity';
import type { DeadLetters, SecretBox } from '@weir/ports';
import type { Storage } from '../composition/open-storage.ts';
import type { OperatorStores } from '../gateway/operator-calls.ts';
import { operatorReviews } from './operator-reviews.ts';
import { openReviewStores } from './review-stores.ts';

/** @param deadLetters of the bus of this deployment, so that a replay goes where its consumers read. */
export function operatorStores({ models, sql, auditStore }: Storage, box: SecretBox, deadLetters: DeadLetters): OperatorStores {
  const stores = openReviewStores(sql, box);
  const { registry, artifacts, deliveries, views, acknowledgements } = stores;
  return {
    ...models,
    ...{ registry, views, deadLetters, deliveries, acknowledgements },
    reviews: operatorReviews({ stores, sql, box }),
    audit: auditStore,
    signInLinks: sqlSignInLinks(sql, Date.now),
    tokens: sqlApiTokens(sql, Date.now),
    secrets: [models.credentials.secrets, artifacts.secrets, deliveries.secrets, ...registry.secrets],
  };
}
