/** Places that hold credentials whatever their form: URLs, headers, netrc, pgpass, Docker settings, JSON web tokens. */
import { isLiveToken } from '../json-web-token.ts';
import { judgeBasic, judgeBearer } from '../header-credential.ts';
import { isStrongPassword } from '../password-strength.ts';
import { isRandomText } from '../random-text.ts';
import { type SecretRule, secretRule, startsWith } from '../secret-rule.ts';
import { judgeUrlPassword } from '../url-password.ts';

export const placeRules: readonly SecretRule[] = [
  secretRule('url-password', {
    severity: 'major',
    tier: 'structure',
    what: 'password inside a URL',
    grants: 'Whoever reads it signs in to the server or database that the URL names.',
    revoke: 'Change the password at the server',
    bad: 'DATABASE_URL=postgres://shop:<password>@db.shop.io:5432/orders',
    good: 'DATABASE_URL=postgres://shop:${DB_PASSWORD}@db.shop.io:5432/orders',
    limits: 'Left out: local hosts and reserved names (localhost, example.com, *.test, *.local), passwords equal to the user name, and common stand-ins.',
    equivalent: [
      'trufflehog/uri*',
      'trufflehog/postgres*',
      'trufflehog/mongodb*',
      'secretlint/secretlint-rule-basicauth*',
      'secretlint/secretlint-rule-database-connection-string*',
      'detect-secrets/basicauthdetector',
      'semgrep/*detected-username-and-password-in-uri*',
    ],
    detect: [
      {
        kind: 'format',
        anchors: ['://'],
        pattern: /:\/\/[^\s:@/?#'"`<>\\]{0,80}:(?<secret>[^\s@/?#'"`<>\\]{3,200})@[^\s:@/?#'"`<>\\,;)]{1,253}/y,
        minEntropy: 0,
        judge: judgeUrlPassword,
      },
    ],
  }),
  secretRule('authorization-header', {
    severity: 'major',
    tier: 'structure',
    what: 'literal Authorization header',
    grants: 'Whoever reads it makes the same calls.',
    revoke: 'Revoke the credential at the service that takes it',
    bad: 'curl -H "Authorization: Bearer <the token itself>" https://api.shop.io/orders',
    good: 'curl -H "Authorization: Bearer $API_TOKEN" https://api.shop.io/orders',
    limits: 'A Basic header counts when it decodes to user:password; a Bearer token when it looks random.',
    equivalent: ['gitleaks/curl-auth-header', 'gitleaks/curl-auth-user', 'detect-secrets/basicauthdetector', 'semgrep/*detected-bearer*'],
    detect: [
      {
        ...startsWith(
          ['Bearer ', 'bearer ', 'BEARER ', 'Token ', 'token '],
          /(?:bearer|(?<=uthorization["']?\s{0,2}[:=,]\s{0,4}["'`]?)token) {1,4}(?<secret>[\w~+/.=-]{20,2000})(?=$|["'`\s,;)\\])/iy,
          3,
        ),
        judge: judgeBearer,
      },
      { ...startsWith(['Basic ', 'basic '], /basic {1,4}(?<secret>[A-Za-z0-9+/]{8,400}={0,2})(?=$|["'`\s,;)\\])/iy, 2.5), judge: judgeBasic },
    ],
  }),
  secretRule('command-line-password', {
    severity: 'major',
    tier: 'structure',
    what: 'password on a command line',
    grants: 'Whoever reads it signs in with it; on a shared machine the process list shows it too.',
    revoke: 'Change the password',
    bad: 'curl -u admin:<password> https://api.shop.io/orders',
    good: 'curl --netrc https://api.shop.io/orders',
    equivalent: ['gitleaks/curl-auth-user', 'semgrep/*detected-username-and-password*'],
    detect: [
      startsWith(
        ['curl ', 'wget '],
        /(?:curl|wget) [^\n]{0,300}?(?:-u|--user)[ =]["']?(?=[^\s"'$]{1,80}:)[\w.@+-]{1,80}:(?<secret>[^\s"'${}<>]{6,200})(?=$|["'\s])/y,
        2.5,
      ),
      {
        ...startsWith(
          ['mysql', 'mariadb'],
          /(?:mysql|mariadb)(?:dump|admin|import|check)? [^\n]{0,200}?-p(?<quote>["']?)(?<secret>[^\s"'$]{8,100})\k<quote>(?=$|[\s"'`])/y,
          2.5,
        ),
        judge: password => (isStrongPassword(password) || isRandomText(password) ? 'likely' : 'no'),
      },
      startsWith(['sshpass '], /sshpass -p ?["']?(?<secret>[^\s"'${}<>]{6,200})(?=$|["'\s])/y, 2.5),
    ],
  }),
  secretRule('netrc-password', {
    severity: 'blocker',
    tier: 'structure',
    what: 'password of a netrc file',
    grants: 'Whoever reads it signs in to the machine that the line names.',
    revoke: 'Change the password at that machine',
    bad: 'machine git.shop.io login ci password <password>',
    good: '# write ~/.netrc in the job, from the secret store',
    equivalent: ['trufflehog/netrc*', 'semgrep/*detected-netrc*'],
    detect: [
      startsWith(['machine '], /machine [\w.-]{1,253}[ \t]{1,8}login [^\s"']{1,100}[ \t]{1,8}password (?<secret>[^\s"'${}<>]{6,200})(?=$|["'\s\\])/y, 2),
      { ...startsWith(['password '], /password (?<secret>[^\s"'${}<>]{6,200})$/y, 2), path: /(?:^|\/)[._]netrc$/ },
    ],
  }),
  secretRule('pgpass-password', {
    severity: 'blocker',
    tier: 'structure',
    what: 'password of a pgpass file',
    grants: 'Whoever reads it signs in to the database that the line names.',
    revoke: 'Change the password of the database user',
    bad: 'db.shop.io:5432:orders:shop:<password>',
    good: '# write ~/.pgpass in the job, from the secret store',
    equivalent: ['trufflehog/postgres*'],
    detect: [
      {
        kind: 'format',
        anchors: [':'],
        path: /(?:^|\/)\.?pgpass(?:\.conf)?$/,
        pattern: /(?<=^[^:#\s]{1,253}):(?:\d{1,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:(?<secret>[^\s${}<>]{4,200})$/y,
        minEntropy: 1.5,
      },
    ],
  }),
  secretRule('docker-config-auth', {
    severity: 'blocker',
    tier: 'structure',
    what: 'registry login of a Docker settings file',
    grants: 'Whoever reads it pulls your private images and pushes changed ones.',
    revoke: 'Change the password or token at the registry',
    bad: '"auths": { "registry.shop.io": { "auth": "<base64 of user:password>" } }',
    good: '"credHelpers": { "registry.shop.io": "ecr-login" }',
    equivalent: ['trufflehog/dockerhub*', 'secretlint/secretlint-rule-docker*'],
    detect: [
      { ...startsWith(['"auth"', '\\"auth\\"'], /\\?"auth\\?"[ \t]{0,4}:[ \t]{0,4}\\?"(?<secret>[A-Za-z0-9+/]{12,2000}={0,2})\\?"/y, 2.5), judge: judgeBasic },
    ],
  }),
  secretRule('json-web-token', {
    severity: 'minor',
    tier: 'structure',
    what: 'signed JSON web token',
    grants: 'Until it expires, whoever reads it is the user that it names; some never expire.',
    revoke: 'End the session or rotate the signing key',
    bad: 'const token = "eyJ<header>.eyJ<payload>.<signature>";',
    good: 'const token = await session.accessToken();',
    limits: 'Demo tokens (John Doe, subject 1234567890, supabase-demo) are left out; the expiry is not judged: the check has no clock.',
    equivalent: ['gitleaks/jwt*', 'trufflehog/jwt*', 'detect-secrets/jwttokendetector', 'semgrep/*detected-jwt*'],
    detect: [{ ...startsWith(['eyJ'], /eyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}(?![\w-])/y, 3.5), judge: isLiveToken }],
  }),
];
