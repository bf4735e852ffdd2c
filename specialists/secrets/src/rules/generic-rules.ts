/** The last resort: a name that says secret, and a value that looks random. */
import { isStrongPassword } from '../password-strength.ts';
import { isRandomText } from '../random-text.ts';
import { type SecretRule, secretRule } from '../secret-rule.ts';

export const genericRules: readonly SecretRule[] = [
  secretRule('generic-secret', {
    severity: 'major',
    tier: 'generic',
    what: 'random value under a secret’s name',
    grants: 'If it is a credential, whoever reads it can use it.',
    revoke: 'If it is a credential, make it invalid where it was issued',
    bad: 'const apiKey = "<32 random letters and digits>";',
    good: 'const apiKey = process.env.SHOP_API_KEY;',
    limits:
      'Needs a name such as password, token, api_key or client_secret, at least 16 characters, and entropy above what names and words have. Left out: UUIDs, hashes by name, placeholders, test folders, prose, lock files, lines over 10,000 characters.',
    equivalent: [
      'gitleaks/generic-api-key',
      'detect-secrets/keyworddetector',
      'detect-secrets/base64highentropystring',
      'detect-secrets/hexhighentropystring',
      'semgrep/*detected-generic-api-key*',
      'semgrep/*detected-generic-secret*',
    ],
    detect: [{ kind: 'assigned', name: /./, value: /^.{16,512}$/, minEntropy: 2.8, judge: value => (isRandomText(value) ? 'likely' : 'no') }],
  }),
  secretRule('hardcoded-password', {
    severity: 'minor',
    tier: 'generic',
    what: 'written-out password',
    grants: 'If it is used anywhere, whoever reads it can sign in.',
    revoke: 'If it is used anywhere, change it there',
    bad: 'spring.datasource.password=<a password with letters, digits and signs>',
    good: 'spring.datasource.password=${DB_PASSWORD}',
    limits: 'Weak evidence, hence minor: a password-like name, 8 to 64 characters, three kinds of characters. Words and simple passwords are left out.',
    equivalent: ['detect-secrets/keyworddetector', 'semgrep/*hardcoded-password*', 'gitleaks/generic-api-key'],
    detect: [
      {
        kind: 'assigned',
        name: /pass(?:word|wd|phrase|wrd)?$|pwd$|secret$|^identified by$/i,
        value: /^[!-~]{8,64}$/,
        minEntropy: 2.5,
        judge: value => (isStrongPassword(value) ? 'likely' : 'no'),
      },
    ],
  }),
];
