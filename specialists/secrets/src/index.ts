/** The specialist `secrets`: leaked credentials on added lines. */
import type { Rule, Specialist } from '@weir/specialist-kit';
import { checkSecrets } from './check-secrets.ts';
import { secretRules } from './rule-table.ts';

export { findSecrets, type SecretPlace } from './find-secrets.ts';

/** Tools that borrow one another's rule names, so that the name alone says the matter: `github-pat`, `…detected-github-token…`. */
const BORROWED = /^(?:gitleaks\/(?!generic)[a-z0-9-]+|semgrep\/\*(?!.*generic).+)$/;

/** A row with its names for any tool, and with the mark that its lines must not be quoted. */
const complete = (rule: Rule): Rule => {
  const borrowed = rule.equivalent.filter(name => BORROWED.test(name)).map(name => name.replace(/^[a-z]+\//, '*/').replace('*/*', '*'));
  return { ...rule, secret: true, equivalent: [...new Set([...rule.equivalent, ...borrowed])] };
};

export const specialist: Specialist = {
  key: 'secrets',
  title: 'Leaked secrets',
  routingHint: 'Credentials in a change: keys, tokens, passwords and private keys on added lines, by known formats and by entropy.',
  review: { dimensions: ['leaked secrets'], appliesTo: () => true, rules: secretRules.map(complete), check: checkSecrets },
};
