export { ACKNOWLEDGEMENT_MIGRATIONS, sqlAcknowledgements } from './acknowledgements.ts';
export { DELIVERY_MIGRATIONS, type SqlDeliveries, sqlDeliveries } from './deliveries.ts';
export { REVIEW_STORE_MIGRATIONS } from './migrations.ts';
export { type SqlArtifacts, sqlArtifacts, type SqlArtifactsParts } from './sql.artifacts.ts';
export { sqlPostingClaims } from './sql.posting-claims.ts';
export { type SqlReviewRegistry, sqlReviewRegistry } from './sql.review-registry.ts';
export { sqlReviewViews, type SqlReviewViewsParts } from './sql.review-views.ts';
