/** Private keys: PEM, OpenSSH, PGP, PuTTY and age; keys inside a Google service account file have a rule of their own. */
import { type SecretRule, secretRule, startsWith } from '../secret-rule.ts';

const PEM_BEGIN = /-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|SSH2|ENCRYPTED|ANY) )?PRIVATE KEY(?: BLOCK)?-----|-----BEGIN PGP PRIVATE KEY BLOCK-----/;
const PEM_END = /-----END [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----/;
/** `-----BEGIN … PRIVATE KEY` in base64, as kubeconfig and environment variables hold it: plain, RSA, EC, OpenSSH, encrypted. */
const ENCODED_BEGINS = [
  'LS0tLS1CRUdJTiBQUklWQVRFIEtFW',
  'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRV',
  'LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFW',
  'LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ',
  'LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBLRV',
];
const KEY_LIMITS =
  'The block needs a body that looks like a key: a bare header line, a key in a documentation comment, in prose or in a test folder is left out. Only added lines count.';

export const keyRules: readonly SecretRule[] = [
  secretRule('google-service-account', {
    severity: 'blocker',
    what: 'Google service account key',
    grants: 'Whoever reads it acts as the service account until the key is deleted.',
    revoke: 'Delete the key in Google Cloud IAM under Service accounts',
    bad: '{ "type": "service_account", "private_key": "-----BEGIN <PRIVATE KEY and its body>" }',
    good: 'workload_identity_provider: projects/<number>/locations/global/workloadIdentityPools/ci',
    limits: KEY_LIMITS,
    equivalent: [
      'trufflehog/gcp*',
      'secretlint/secretlint-rule-gcp*',
      'gitleaks/private-key',
      'detect-secrets/privatekeydetector',
      'semgrep/*detected-google-cloud*',
    ],
    detect: [{ kind: 'block', begin: PEM_BEGIN, end: PEM_END, near: /"service_account"|iam\.gserviceaccount\.com/ }],
  }),
  secretRule('private-key', {
    severity: 'blocker',
    what: 'private key',
    grants: 'Whoever reads it signs, decrypts or signs in as its owner.',
    revoke: 'Replace the key pair and withdraw the old public key or certificate',
    bad: '-----BEGIN <RSA, EC, OPENSSH, …> PRIVATE KEY-----  followed by the body',
    good: 'key: process.env.TLS_KEY_FILE',
    limits: KEY_LIMITS,
    equivalent: [
      'gitleaks/private-key',
      'trufflehog/privatekey',
      'secretlint/secretlint-rule-privatekey*',
      'detect-secrets/privatekeydetector',
      'semgrep/*detected-private-key*',
      'semgrep/*detected-pgp-private-key*',
    ],
    detect: [
      { kind: 'block', begin: PEM_BEGIN, end: PEM_END },
      startsWith(ENCODED_BEGINS, /LS0tLS1CRUdJTi[A-Za-z0-9+/]{150,20000}={0,2}(?![A-Za-z0-9+/])/y, 4),
    ],
  }),
  secretRule('putty-private-key', {
    severity: 'blocker',
    what: 'PuTTY private key',
    grants: 'Whoever reads it signs in to every server that trusts the key.',
    revoke: 'Replace the key pair and remove the public key from the servers',
    bad: 'PuTTY-User-Key-File-3: <algorithm>  with the lines of Private-Lines',
    good: '# keep .ppk files out of the repository',
    limits: KEY_LIMITS,
    equivalent: ['detect-secrets/privatekeydetector', 'trufflehog/privatekey'],
    detect: [{ kind: 'block', begin: /PuTTY-User-Key-File-\d: /, end: /^.{0,40}Private-MAC: / }],
  }),
  secretRule('age-secret-key', {
    severity: 'blocker',
    what: 'age secret key',
    grants: 'Whoever reads it decrypts everything that was encrypted for it, sops files included.',
    revoke: 'Make another key and encrypt the files again',
    bad: 'AGE-SECRET-KEY-1<58 characters>',
    good: 'SOPS_AGE_KEY_FILE=/run/secrets/age.key',
    equivalent: ['gitleaks/age-secret-key', 'trufflehog/age*'],
    detect: [startsWith(['AGE-SECRET-KEY-1'], /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}(?![A-Z0-9])/y)],
  }),
];
