import type { Specialist } from '@weir/specialist-kit';
import { checkSecrets } from './check-secrets.ts';
import { secretRules } from './rule-table.ts';

export const specialist: Specialist = {
  key: 'secrets',
  title: 'Leaked secrets',
  routingHint: 'Credentials in a change: keys, tokens, passwords and private keys on added lines, by known formats and by entropy.',
  review: { dimensions: ['leaked secrets'], appliesTo: () => true, rules: secretRules.map(rule => ({ ...rule, secret: true })), check: checkSecrets },
};
