import { addedFile, createRandom } from '@weir/secret-corpus';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { specialist } from './index.ts';

const random = createRandom(31);
const secret = (length = 40) => random.text('base62', length);
const hex = (length: number) => random.text('hex', length);
const strong = () => `Vq7${random.text('base62', 7)}!x9`;
const encodedKey = (kind: string) => btoa(`-----BEGIN ${kind}-----\n${random.text('base64', 240)}\n-----END ${kind}-----\n`);
const keyBody = () => Array.from({ length: 12 }, () => random.text('base64', 64));
const sas = () => `${random.text('base64', 40).replace(/[+/]/g, 'a')}abc%3D`;
const awsId = () =>
  [
    'AK',
    'IA',
    random
      .text('hex', 16)
      .toUpperCase()
      .replace(/[0189]/g, 'Q'),
  ].join('');

const found = async (path: string, text: string) =>
  ((await specialist.review?.check?.({ files: [addedFile(path, text.split('\n'))], signal: { aborted: false } }))?.findings ?? []).map(
    finding => `${finding.rule.slice(8)} ${finding.line}`,
  );

test.each<readonly [string, string, string, ...string[]]>([
  ['a value on the line below its name', 'src/a.ts', `const apiKey =\n  '${secret()}';`, 'generic-secret 2'],
  ['a key of an object with its value below', 'src/a.ts', `  clientSecret:\n    '${secret()}',`, 'generic-secret 2'],
  ['a fallback behind an environment variable', 'src/a.ts', `const key = process.env.API_SECRET || '${secret()}';`, 'generic-secret 1'],
  ['a nullish fallback', 'src/a.ts', `const key = settings.apiSecret ?? '${secret()}';`, 'generic-secret 1'],
  ['a Terraform default', 'a.tf', `variable "api_token" {\n  type    = string\n  default = "${secret()}"\n}`, 'generic-secret 3'],
  ['a connection string', 'appsettings.json', `"Db": "Server=db.shop.io;User Id=sa;Password=${strong()};"`, 'hardcoded-password 1'],
  ['a database user', 'a.sql', `CREATE USER 'svc'@'%' IDENTIFIED BY '${strong()}';`, 'hardcoded-password 1'],
  ['a password of the mysql client', 'a.sh', `mysqldump -h db.shop.io -u svc -p'${strong()}' shop`, 'command-line-password 1'],
  ['aligned calls', 'wp-config.php', `define('AUTH_KEY',         '${secret()}');`, 'generic-secret 1'],
  ['a key of a kubeconfig', 'kube.yaml', `    client-key-data: ${encodedKey('RSA PRIVATE KEY')}`, 'private-key 1'],
  ['an encoded key in an environment file', '.env', `SIGNING_B64=${encodedKey('PRIVATE KEY')}`, 'private-key 1'],
  [
    'a key put together with plus',
    'A.java',
    [`String k = "-----BEGIN RSA PRIVATE KEY-----\\n"`, ...keyBody().map(line => `    + "${line}\\n"`)].join('\n'),
    'private-key 1',
  ],
  ['a key of a two-letter file', 'sa.json', `{"key": "-----BEGIN PRIVATE KEY-----\\n${keyBody().join('\\n')}\\n-----END PRIVATE KEY-----"}`, 'private-key 1'],
  ['an AWS id in a list of keys', 'rootkey.csv', `AWSAccessKeyId=${awsId()}`, 'aws-access-key-id 1'],
  ['a name and its vendor token on two lines, once', 'k8s/d.yaml', `- name: GITHUB_TOKEN\n  value: ${['gh', 'p_', secret(36)].join('')}`, 'github-token 2'],
  ['a folder whose name ends in test as a word', 'latest/a.env', `API_TOKEN=${secret()}`, 'generic-secret 1'],
  ['a file of ordinary comments', 'src/a.ts', ` * const apiKey = '${secret()}';`, 'generic-secret 1'],
  ['a password to a server inside the network', 'compose.yml', `URL: postgres://app:${secret(20)}9a@db:5432/app`, 'url-password 1'],
])(`${verifies('SPEC-6')} %s is flagged`, async (_, path, text, ...expected) => {
  expect(await found(path, text)).toEqual(expected);
});

test.each<readonly [string, string, string]>([
  ['a variable on the line below', 'src/a.ts', `const apiKey =\n  settings.apiKeyOfTheShop2;`],
  ['a line below something else', 'src/a.ts', `const label =\n  '${secret()}';`],
  ['another attribute of a Terraform variable', 'a.tf', `variable "api_token" {\n  description = "${secret()}"\n}\nlocals {\n  default = "${secret()}"\n}`],
  ['a fallback that is a word', 'src/a.ts', `const key = process.env.API_SECRET || 'development-only-secret';`],
  ['a search-only key', 'src/a.ts', `searchOnlyApiKey: '${hex(32)}',`],
  ['the search key of a documentation site', 'docusaurus.config.ts', `      apiKey: '${hex(32)}',`],
  ['a default that is shipped to everybody', 'src/a.ts', `const defaultApiKey = '${secret()}';`],
  ['page tokens', 'src/a.ts', `nextToken: '${secret()}', pagingToken: '${secret()}', clientToken: '${secret()}'`],
  ['an address on a chain', 'src/a.ts', `const tokenAddress = '0x${hex(40)}', USDC_TOKEN = '0x${hex(40)}';`],
  ['a container image', 'a.yml', `secret_store: ghcr.io/shop/secrets:v1.2.3-${hex(7)}@sha256:${hex(64)}`],
  ['an encrypted environment file', '.env', `API_KEY="encrypted:${random.text('base64', 120)}"`],
  ['a cipher text of the settings server', 'a.yml', `password: '{cipher}${hex(128)}'`],
  ['a property that Jasypt decrypts', 'a.properties', `db.password=ENC(${random.text('base64', 40)})`],
  ['an interface text', 'src/locales/de.json', `"password": "Kennwort9!ändern", "token": "${secret()}"`],
  ['a password that everybody writes', '.env', `PASSWORD=${['P@ss', 'w0rd!1'].join('')}\nDB_PASSWORD=${['Gauss', 'db@123'].join('')}`],
  ['examples of an API', 'apis/kms.examples.json', `"RawSecretAccessKey": "${random.text('base64', 40)}"`],
  [
    'a JSON web token in examples',
    'apis/oidc.examples.json',
    `"assertion": "${btoa('{"alg":"RS256"}').replace(/=/g, '')}.${btoa('{"sub":"u","iss":"i"}').replace(/=/g, '')}.${secret(60)}"`,
  ],
  ['an id in a presigned address', 'src/a.json', `"https://b.s3.amazonaws.com/a?X-Amz-Credential=${awsId()}%2F20190509"`],
  ['a documentation comment that shows an example', 'a.d.ts', `   * A token looks something like this: sp=r&sv=2021-06-08&sr=c&sig=${sas()}`],
  ['a key in a folder of test keys', 'testcerts/a.key', ['-----BEGIN PRIVATE KEY-----', ...keyBody()].join('\n')],
  ['a key in a Go test package', 'caddytest/a.pem', ['-----BEGIN PRIVATE KEY-----', ...keyBody()].join('\n')],
  [
    'a short key with which a library tries an algorithm',
    'src/a.js',
    `const key =\n  '-----BEGIN PRIVATE KEY-----\\r\\n${random.text('base64', 32)}'\n  + '${random.text('base64', 32)}\\r\\n-----END PRIVATE KEY-----';`,
  ],
  ['a key for the own machine', 'certs/localhost.key', ['-----BEGIN PRIVATE KEY-----', ...keyBody()].join('\n')],
  ['a certificate in base64', 'kube.yaml', `certificate-authority-data: ${encodedKey('CERTIFICATE')}`],
  ['a toy password inside the network', 'setup.cfg', 'mssql = mssql+pyodbc://scott:tiger5Hc@mssql2017:1433/test'],
  ['a port of the mysql client', 'a.sh', 'mysql -u svc -p"$MYSQL_PASSWORD" -P3306 shop && mysql -p shop'],
])('%s is not flagged', async (_, path, text) => {
  expect(await found(path, text)).toEqual([]);
});

test('a name on a context line counts for the added value below it', async () => {
  const file = addedFile('k8s/d.yaml', ['- name: API_TOKEN', `  value: ${secret()}`]);
  const [hunk] = file.hunks;
  const lines = (hunk?.lines ?? []).map((line, index) => (index === 0 ? { ...line, kind: 'context' as const, old: 1 } : line));
  const changed = { ...file, hunks: [{ ...hunk, lines }] } as typeof file;
  const result = await specialist.review?.check?.({ files: [changed], signal: { aborted: false } });
  expect(result?.findings.map(finding => `${finding.rule} ${finding.line}`)).toEqual(['secrets/generic-secret 2']);
});
