/** All rules of this specialist, most specific first: of two rules that match one string, the earlier one reports it. */
import { aiRules } from './rules/ai-rules.ts';
import { cloudRules } from './rules/cloud-rules.ts';
import { forgeRules } from './rules/forge-rules.ts';
import { genericRules } from './rules/generic-rules.ts';
import { keyRules } from './rules/key-rules.ts';
import { messagingRules } from './rules/messaging-rules.ts';
import { operationsRules } from './rules/operations-rules.ts';
import { paymentRules } from './rules/payment-rules.ts';
import { placeRules } from './rules/place-rules.ts';
import { registryRules } from './rules/registry-rules.ts';
import { workspaceRules } from './rules/workspace-rules.ts';
import type { SecretRule } from './secret-rule.ts';

export const secretRules: readonly SecretRule[] = [
  ...keyRules,
  ...forgeRules,
  ...cloudRules,
  ...aiRules,
  ...messagingRules,
  ...paymentRules,
  ...operationsRules,
  ...workspaceRules,
  ...registryRules,
  ...placeRules,
  ...genericRules,
];
