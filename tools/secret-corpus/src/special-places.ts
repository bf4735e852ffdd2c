/** Secrets whose place tells them: private keys, headers, netrc, npmrc, pgpass, Docker settings, command lines. */
import type { Random } from './random.ts';

export interface SpecialPlace {
  readonly rule: string;
  readonly path: string;
  /** Lines that hold the secret; all of them belong to it. */
  readonly lines: (random: Random) => readonly string[];
}

const dashes = '-'.repeat(5);
const armour = (edge: 'BEGIN' | 'END', kind: string): string => `${dashes}${edge} ${kind}${dashes}`;
const body = (random: Random, lines: number): readonly string[] => Array.from({ length: lines }, () => random.text('base64', 64));
const pem = (kind: string, size: number) => (random: Random) => [
  armour('BEGIN', kind),
  `MII${random.text('base64', 61)}`,
  ...body(random, size),
  armour('END', kind),
];
const key = (kind: string): string => `${kind} ${'PRIVATE'} KEY`.trim();

export const specialPlaces: readonly SpecialPlace[] = [
  { rule: 'private-key', path: 'deploy/server.key', lines: pem(key('RSA'), 24) },
  { rule: 'private-key', path: 'deploy/id_ed25519', lines: pem(key('OPENSSH'), 5) },
  { rule: 'private-key', path: 'certs/client.pem', lines: pem(key('EC'), 2) },
  { rule: 'private-key', path: 'certs/pkcs8.pem', lines: pem(key(''), 20) },
  {
    rule: 'private-key',
    path: 'src/signer.ts',
    lines: random => pem(key('RSA'), 12)(random).map((line, index) => (index === 0 ? `const pem = \`${line}` : line)),
  },
  { rule: 'private-key', path: 'app/keys.py', lines: random => pem(key(''), 8)(random).map(line => `    "${line}\\n"`) },
  { rule: 'private-key', path: 'deploy/tls.yaml', lines: random => pem(key('EC'), 3)(random).map(line => `    ${line}`) },
  { rule: 'private-key', path: 'config/apple.json', lines: random => [`  "privateKey": "${pem(key(''), 3)(random).join('\\n')}\\n"`] },
  {
    rule: 'google-service-account',
    path: 'deploy/gcp.json',
    lines: random => [`{ "type": "service_account", "private_key": "${pem(key(''), 20)(random).join('\\n')}\\n" }`],
  },
  {
    rule: 'putty-private-key',
    path: 'deploy/host.ppk',
    lines: random => [
      'PuTTY-User-Key-File-3: ssh-rsa',
      'Encryption: none',
      'Comment: ci',
      'Public-Lines: 4',
      ...body(random, 4),
      'Private-Lines: 8',
      ...body(random, 8),
      `Private-MAC: ${random.text('hex', 64)}`,
    ],
  },
  { rule: 'npmrc-credential', path: '.npmrc', lines: random => [`//npm.shop.io/:_authToken=${random.text('base62', 40)}`] },
  { rule: 'npmrc-credential', path: 'packages/web/.npmrc', lines: random => [`//npm.shop.io/:_password="${btoa(random.text('base62', 18))}"`] },
  { rule: 'netrc-password', path: 'ci/.netrc', lines: random => [`machine git.shop.io login ci password ${random.text('base62', 20)}`] },
  { rule: 'netrc-password', path: '.netrc', lines: random => [`  password ${random.text('base62', 16)}`] },
  { rule: 'pgpass-password', path: '.pgpass', lines: random => [`db.shop.io:5432:orders:shop:${random.text('base62', 14)}`] },
  { rule: 'docker-config-auth', path: 'ci/config.json', lines: random => [`    "registry.shop.io": { "auth": "${btoa(`ci:${random.text('base62', 22)}`)}" }`] },
  {
    rule: 'authorization-header',
    path: 'scripts/sync.sh',
    lines: random => [`curl -s -H "Authorization: Bearer ${random.text('url64', 40)}" https://api.shop.io/orders`],
  },
  {
    rule: 'authorization-header',
    path: 'src/http-client.ts',
    lines: random => [`  headers: { Authorization: 'Basic ${btoa(`svc-orders:${random.text('base62', 16)}`)}' },`],
  },
  { rule: 'authorization-header', path: 'app/api.py', lines: random => [`    headers = {"Authorization": "Bearer ${random.text('hex', 40)}"}`] },
  { rule: 'command-line-password', path: 'scripts/load.sh', lines: random => [`curl -u deploy:${random.text('base62', 16)} https://files.shop.io/upload`] },
  { rule: 'generic-secret', path: 'scripts/call.sh', lines: random => [`curl -H "X-Api-Key: ${random.text('hex', 32)}" https://api.shop.io/v1`] },
  { rule: 'generic-secret', path: 'src/feed.ts', lines: random => [`const feed = 'https://api.shop.io/v1?api_key=${random.text('base62', 32)}&page=2';`] },
  {
    rule: 'url-password',
    path: 'package-lock.json',
    lines: random => [`      "resolved": "https://ci:${random.text('base62', 20)}@npm.shop.io/pkg/-/pkg-1.0.0.tgz",`],
  },
  { rule: 'url-password', path: '.gitmodules', lines: random => [`  url = https://bot:${random.text('base62', 20)}@git.shop.io/libs/core.git`] },
  {
    rule: 'aws-secret-access-key',
    path: 'src/upload.js',
    lines: random => [`new Credentials('${['AK', 'IA'].join('')}${random.text('base32', 16)}', '${random.text('base64', 40)}')`],
  },
];
