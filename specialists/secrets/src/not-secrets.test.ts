import { addedFile, createRandom } from '@weir/secret-corpus';
import { expect, test } from 'vitest';
import { specialist } from './index.ts';

const found = async (path: string, line: string) =>
  ((await specialist.review?.check?.({ files: [addedFile(path, [line])], signal: { aborted: false } }))?.findings ?? []).map(finding => finding.rule);
const random = createRandom(11);
const hex = (length: number) => random.text('hex', length);
const base64 = (length: number) => random.text('base64', length);

/** Lines of real-world shapes that look like secrets and are none; the parts are joined so that no line here looks like one. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['documented AWS id', '.env', `AWS_ACCESS_KEY_ID=${['AKIA', 'IOSFODNN7EXAMPLE'].join('')}`],
  ['documented AWS secret', '.env', `AWS_SECRET_ACCESS_KEY=${['wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join('')}`],
  ['documented GitHub token', 'src/a.ts', `const t = '${['gh', 'p_16C7e42F292c6912E7710c838347Ae178B4a'].join('')}';`],
  [
    'jwt.io token',
    'src/a.ts',
    `const t = '${['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ', 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'].join('.')}';`,
  ],
  [
    'Azurite key',
    'docker-compose.yml',
    `AccountKey=${['Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/', 'KBHBeksoGMGw=='].join('')}`,
  ],
  ['masked token', 'src/a.ts', `const t = '${['gh', `p_${'x'.repeat(36)}`].join('')}';`],
  ['sequence', '.env', `STRIPE_KEY=${['sk_', 'live_abcdefghijklmnopqrstuvwx'].join('')}`],
  ['words', '.env', 'API_KEY=your-api-key-goes-here-123456'],
  ['angle brackets', '.env', 'API_KEY=<paste the key of the console here>'],
  ['shell variable', 'a.sh', 'export API_KEY="${SHOP_API_KEY_V2}"'],
  ['command', 'a.sh', 'TOKEN=$(vault read -field=token secret/ci9x8)'],
  ['workflow secret', '.github/workflows/a.yml', '          token: ${{ secrets.RELEASE_TOKEN_V2 }}'],
  ['template', 'values.yaml', 'password: {{ .Values.db.password2 }}'],
  ['environment of node', 'src/a.ts', 'const secret = process.env.SESSION_SECRET_V2!;'],
  ['environment of python', 'a.py', 'SECRET_KEY = os.environ["SECRET_KEY_2024"]'],
  ['lookup of go', 'a.go', 'token := os.Getenv("SHOP_TOKEN_V2")'],
  ['secret manager', 'a.tf', 'password = data.aws_secretsmanager_secret_version.db1.secret_string'],
  ['vault path', 'a.yml', 'db_password: "vault:kv/data/shop1#password"'],
  ['lock file hash', 'package-lock.json', `      "integrity": "sha512-${base64(86)}==",`],
  ['git commit', '.gitlab-ci.yml', `COMMIT=${hex(40)}`],
  ['action pin', '.github/workflows/a.yml', `      - uses: actions/checkout@${hex(40)}`],
  ['image digest', 'Dockerfile', `FROM node@sha256:${hex(64)}`],
  ['checksum by name', 'a.properties', `token.checksum=${hex(64)}`],
  ['uuid', '.env', `CLIENT_SECRET_REF=${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['uuid under a telling name', '.env', `SESSION_TOKEN=${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['data uri', 'src/a.css', `background: url(data:image/png;base64,${base64(400)})`],
  ['base64 asset', 'src/a.ts', `export const logo = '${base64(800)}';`],
  ['certificate', 'certs/ca.pem', '-----BEGIN CERTIFICATE-----'],
  ['public key', 'id.pub', `ssh-rsa AAAAB3NzaC1yc2E${base64(300)} me@host`],
  ['public key by name', 'src/a.ts', `const publicKey = '${base64(44)}';`],
  ['label', 'src/a.ts', `const passwordLabel = 'Password9Field7Name3Xk2q';`],
  ['placeholder prop', 'src/a.tsx', `<input passwordPlaceholder="aB3$kd9Lm2xQ" />`],
  ['error code', 'src/a.ts', `const tokenError = 'E7f9X2k8Lm4Qp1Zt';`],
  ['header name', 'src/a.ts', `const tokenHeader = 'X-Shop-Token-V2-1a2b3c';`],
  ['address', 'src/a.ts', `const tokenUrl = 'https://login.shop.io/oauth2/v2.0/token';`],
  ['token kind', 'src/lexer.ts', `tokenType: 'identifierOrKeyword42name',`],
  ['identifier value', 'src/a.ts', `const secretKey = 'userPreferencesStorageKey2';`],
  ['message', 'src/i18n.ts', `password: 'Use at least 8 characters!',`],
  ['css', 'src/a.css', '.token.keyword { color: #0077aa; }'],
  ['type', 'src/a.ts', 'password: string | undefined;'],
  ['call', 'src/a.ts', 'const token = createToken2(request, 30);'],
  ['property', 'src/a.ts', 'const secret = settings.auth2.secretKey1;'],
  ['function argument', 'src/a.ts', `setToken(nextToken, "page2");`],
  ['local database', '.env', 'DATABASE_URL=postgres://postgres:Xk9mQ2vL@localhost:5432/app'],
  ['compose database', 'docker-compose.yml', '  url: postgres://app:app@db:5432/app'],
  ['example host', '.env', 'URL=https://user:Xk9mQ2vL@git.example.com/x'],
  ['url variable', '.env', 'URL=https://ci:${TOKEN}@git.shop.io/x'],
  ['url without a password', 'a.ts', `const u = 'https://git.shop.io:8443/a@b';`],
  ['url with a scoped package', 'a.ts', `const u = 'https://cdn.shop.io/npm/@scope/pkg@1.2.3';`],
  ['bearer variable', 'a.sh', 'curl -H "Authorization: Bearer $API_TOKEN_2024_PRODUCTION"'],
  ['bearer prose', 'src/a.ts', '// Bearer authenticationIsRequiredForThisRoute'],
  ['basic prose', 'src/a.ts', '// Basic authentication is used'],
  ['basic of the RFC', 'src/a.ts', `Authorization: Basic ${btoa(['Aladdin', 'open sesame'].join(':'))}`],
  ['npmrc variable', '.npmrc', '//registry.npmjs.org/:_authToken=${NPM_TOKEN}'],
  ['slack example', '.env', `SLACK=${['xo', 'xb-your-token-here-0000'].join('')}`],
  ['sentry address', 'src/a.ts', `Sentry.init({ dsn: 'https://${hex(32)}@o1.ingest.sentry.io/2' });`],
  ['kms cipher text', 'a.yml', `encryptedPassword: ${base64(60)}`],
  ['sops value', 'a.yaml', `password: ENC[AES256_GCM,data:${base64(20)},iv:${base64(20)}]`],
  ['recaptcha site key', 'src/a.ts', `const recaptchaKey = siteKey;`],
  ['pagination', 'src/a.ts', `nextPageToken: '${base64(32)}',`],
  ['minified', 'dist/a.js', `${'var a=function(b){return b.token="x1"};'.repeat(400)}password="${base64(40)}"`],
  ['jwt without a signature', 'src/a.ts', `'${btoa('{"alg":"none"}').replace(/=+$/, '')}.${btoa('{"sub":"u1"}').replace(/=+$/, '')}.'`],
  ['npm docs', 'README.md', `client_secret: "${base64(32)}"`],
];

test.each(CASES)('%s is not flagged', async (_, path, line) => {
  expect(await found(path, line)).toEqual([]);
});

test.each([
  ['assignment', 'src/a.ts', `const apiSecret = '${random.text('base62', 32)}';`],
  ['object key', 'src/a.ts', `  client_secret: "${random.text('base62', 32)}",`],
  ['typed', 'src/a.ts', `private readonly apiKey: string = '${random.text('base62', 32)}';`],
  ['go', 'a.go', `const apiToken = "${random.text('base62', 32)}"`],
  ['go typed', 'a.go', `var apiToken string = "${random.text('base62', 32)}"`],
  ['java setter', 'A.java', `props.setProperty("api.token", "${random.text('base62', 32)}");`],
  ['xml element', 'pom.xml', `<password>${random.text('base62', 20)}</password>`],
  ['xml attribute', 'web.config', `<add key="ApiKey" value="${random.text('base62', 32)}" />`],
  ['ecs definition', 'task.json', `{ "name": "API_TOKEN", "value": "${random.text('base62', 32)}" }`],
  ['command flag', 'deploy.sh', `deploy --token=${random.text('base62', 32)} --yes`],
  ['command flag with a space', 'deploy.sh', `deploy --token ${random.text('base62', 32)} --yes`],
  ['build argument', 'Dockerfile', `ARG API_TOKEN=${random.text('base62', 32)}`],
  ['old docker form', 'Dockerfile', `ENV API_TOKEN ${random.text('base62', 32)}`],
  ['escaped json', 'src/a.ts', `const body = "{\\"api_key\\":\\"${random.text('base62', 32)}\\"}";`],
  ['php array', 'a.php', `'api_secret' => '${random.text('base62', 32)}',`],
  ['ruby symbol', 'a.rb', `api_secret: '${random.text('base62', 32)}'`],
  ['terraform', 'a.tf', `  api_token = "${random.text('base62', 32)}"`],
  ['ini', 'a.ini', `api_token = ${random.text('base62', 32)}`],
  ['c sharp', 'A.cs', `public const string ApiSecret = "${random.text('base62', 32)}";`],
  ['rust', 'a.rs', `const API_SECRET: &str = "${random.text('base62', 32)}";`],
  ['swift', 'a.swift', `let apiSecret = "${random.text('base62', 32)}"`],
  ['powershell', 'a.ps1', `$apiToken = "${random.text('base62', 32)}"`],
])('a random value in the form of %s is flagged', async (_, path, line) => {
  expect(await found(path, line)).toEqual(['secrets/generic-secret']);
});
