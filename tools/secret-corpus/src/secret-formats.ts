/**
 * Made-up secrets of every known format, built from parts at run time so that no file of this repository holds one.
 * Written from the vendors' descriptions, apart from the patterns of the specialist, to measure them.
 */
import type { Alphabet, Random } from './random.ts';

export interface SecretFormat {
  /** Rule that is expected to report it, without `secrets/`. */
  readonly rule: string;
  /** Name of the variable that usually holds it. */
  readonly variable: string;
  readonly make: (random: Random) => string;
}

type Part = string | readonly [Alphabet, number];

const joined = (random: Random, parts: readonly Part[]): string => parts.map(part => (typeof part === 'string' ? part : random.text(...part))).join('');

/** `parts` are fixed texts and [alphabet, length]; a prefix comes in two parts, so that scanners of this repository see none. */
const format = (rule: string, variable: string, ...parts: readonly Part[]): SecretFormat => ({ rule, variable, make: random => joined(random, parts) });

/** CRC-32 in base 62, bit by bit: slower than a table and independent of the one that is measured. */
function checksum(body: string): string {
  let crc = 0xffffffff;
  for (const char of body) {
    crc ^= char.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let text = '';
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (let index = 0; index < 6; index++, rest = Math.floor(rest / 62)) text = digits.charAt(rest % 62) + text;
  return text;
}

const checked = (rule: string, variable: string, prefix: string): SecretFormat => ({
  rule,
  variable,
  make: random => {
    const body = random.text('base62', 30);
    return `${prefix}${body}${checksum(body)}`;
  },
});

const encode = (value: unknown): string => btoa(JSON.stringify(value)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const webToken = (random: Random): string =>
  `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: `u_${random.text('lower', 12)}`, iat: 1_700_000_000 + random.below(9_999_999) })}.${random.text('url64', 43)}`;

const OPENAI = ['T3', 'BlbkFJ'].join('');

export const secretFormats: readonly SecretFormat[] = [
  format('aws-access-key-id', 'AWS_ACCESS_KEY_ID', 'AK', 'IA', ['base32', 16]),
  format('aws-access-key-id', 'AWS_ACCESS_KEY_ID', 'AS', 'IA', ['base32', 16]),
  format('aws-secret-access-key', 'AWS_SECRET_ACCESS_KEY', ['base64', 40]),
  checked('github-token', 'GITHUB_TOKEN', 'ghp_'),
  checked('github-token', 'GH_TOKEN', 'gho_'),
  checked('github-token', 'GH_TOKEN', 'ghs_'),
  format('github-token', 'GITHUB_PAT', 'gh', 'p_', ['base62', 36]),
  { rule: 'github-token', variable: 'INSTALLATION_TOKEN', make: random => `ghs_${webToken(random)}` },
  format('github-fine-grained-token', 'GITHUB_TOKEN', 'github', '_pat_', ['base62', 22], '_', ['base62', 59]),
  format('gitlab-token', 'GITLAB_TOKEN', 'gl', 'pat-', ['url64', 20]),
  format('gitlab-token', 'GITLAB_TOKEN', 'gl', 'pat-', ['url64', 27], '.01.', ['lower', 9]),
  format('gitlab-token', 'DEPLOY_TOKEN', 'gl', 'dt-', ['url64', 20]),
  format('gitlab-token', 'RUNNER_TOKEN', 'gl', 'rt-', ['url64', 20]),
  format('gitlab-token', 'TRIGGER_TOKEN', 'gl', 'ptt-', ['hex', 40]),
  format('atlassian-token', 'JIRA_API_TOKEN', 'ATA', 'TT3xFfGF0', ['url64', 174], '=', ['HEX', 8]),
  format('atlassian-token', 'BITBUCKET_TOKEN', 'ATC', 'TT3xFfGN0', ['url64', 170], '=', ['HEX', 8]),
  format('slack-token', 'SLACK_BOT_TOKEN', 'xo', 'xb-', ['digit', 12], '-', ['digit', 12], '-', ['base62', 24]),
  format('slack-token', 'SLACK_USER_TOKEN', 'xo', 'xp-', ['digit', 12], '-', ['digit', 12], '-', ['digit', 12], '-', ['hex', 32]),
  format('slack-token', 'SLACK_APP_TOKEN', 'xa', 'pp-1-A', ['upper', 10], '-', ['digit', 13], '-', ['hex', 64]),
  format('slack-webhook', 'SLACK_WEBHOOK_URL', 'https://hooks.sl', 'ack.com/services/T', ['upper', 9], '/B', ['upper', 10], '/', ['base62', 24]),
  format('stripe-live-key', 'STRIPE_SECRET_KEY', 'sk', '_live_', ['base62', 24]),
  format('stripe-live-key', 'STRIPE_KEY', 'rk', '_live_', ['base62', 99]),
  format('webhook-signing-secret', 'STRIPE_WEBHOOK_SECRET', 'wh', 'sec_', ['base62', 32]),
  format('google-api-key', 'GOOGLE_MAPS_KEY', 'AI', 'za', ['url64', 35]),
  format('google-oauth-secret', 'GOOGLE_CLIENT_SECRET', 'GOC', 'SPX-', ['url64', 28]),
  format('azure-storage-key', 'AZURE_STORAGE_KEY', ['base64', 86], '=='),
  format('azure-storage-key', 'AZURE_STORAGE_CONNECTION_STRING', 'DefaultEndpointsProtocol=https;AccountName=shop;Account', 'Key=', ['base64', 86], '=='),
  format('azure-client-secret', 'AZURE_CLIENT_SECRET', ['base62', 3], '8', 'Q~', ['base62', 34]),
  format('azure-sas-token', 'BACKUP_URL', 'https://shop.blob.core.windows.net/b?sv=2024-11-04&sp=rl&si', 'g=', ['base62', 43], '%3D'),
  { rule: 'openai-key', variable: 'OPENAI_API_KEY', make: random => `sk-${random.text('base62', 20)}${OPENAI}${random.text('base62', 20)}` },
  { rule: 'openai-key', variable: 'OPENAI_API_KEY', make: random => `sk-proj-${random.text('url64', 74)}${OPENAI}${random.text('url64', 73)}A` },
  format('anthropic-key', 'ANTHROPIC_API_KEY', 'sk-', 'ant-api03-', ['url64', 93], 'AA'),
  format('huggingface-token', 'HF_TOKEN', 'h', 'f_', ['base62', 34]),
  format('groq-key', 'GROQ_API_KEY', 'gs', 'k_', ['base62', 52]),
  format('model-vendor-key', 'XAI_API_KEY', 'xa', 'i-', ['base62', 80]),
  checked('npm-token', 'NPM_TOKEN', 'npm_'),
  format('pypi-token', 'PYPI_TOKEN', 'py', 'pi-AgEIcHlwaS5vcmc', ['url64', 150]),
  format('rubygems-token', 'GEM_HOST_API_KEY', 'ruby', 'gems_', ['hex', 48]),
  format('crates-io-token', 'CARGO_REGISTRY_TOKEN', 'ci', 'o', ['base62', 32]),
  format('docker-hub-token', 'DOCKER_TOKEN', 'dckr', '_pat_', ['url64', 27]),
  format('nuget-key', 'NUGET_API_KEY', 'oy', '2', ['lower', 43]),
  format('artifactory-token', 'ARTIFACTORY_API_KEY', 'AK', 'Cp', ['base62', 69]),
  format('sendgrid-key', 'SENDGRID_API_KEY', 'S', 'G.', ['url64', 22], '.', ['url64', 43]),
  format('twilio-key', 'TWILIO_AUTH_TOKEN', ['hex', 32]),
  format('twilio-key', 'TWILIO_API_KEY', 'S', 'K', ['hex', 32]),
  format('mailgun-key', 'MAILGUN_API_KEY', 'ke', 'y-', ['hex', 32]),
  format('mail-service-key', 'BREVO_API_KEY', 'xkey', 'sib-', ['hex', 64], '-', ['base62', 16]),
  format('mail-service-key', 'MAILCHIMP_API_KEY', ['hex', 32], '-u', 's21'),
  format('telegram-bot-token', 'TELEGRAM_BOT_TOKEN', '5', ['digit', 9], ':A', 'A', ['url64', 33]),
  format('discord-bot-token', 'DISCORD_TOKEN', 'MT', 'A', ['base62', 23], '.', ['url64', 6], '.', ['url64', 38]),
  format('discord-webhook', 'DISCORD_WEBHOOK', 'https://dis', 'cord.com/api/webhooks/1', ['digit', 18], '/', ['url64', 68]),
  format('digitalocean-token', 'DIGITALOCEAN_TOKEN', 'do', 'p_v1_', ['hex', 64]),
  format('databricks-token', 'DATABRICKS_TOKEN', 'da', 'pi', ['hex', 32]),
  format('shopify-token', 'SHOPIFY_ACCESS_TOKEN', 'shp', 'at_', ['hex', 32]),
  format('square-token', 'SQUARE_ACCESS_TOKEN', 'sq0', 'atp-', ['url64', 22]),
  format('square-token', 'SQUARE_ACCESS_TOKEN', 'EA', 'AA', ['url64', 59], 'Q'),
  format('payment-key', 'RAZORPAY_KEY', 'rzp', '_live_', ['base62', 14]),
  format('new-relic-key', 'NEW_RELIC_API_KEY', 'NR', 'AK-', ['upper', 27]),
  format('new-relic-key', 'NEW_RELIC_LICENSE_KEY', ['hex', 36], 'NR', 'AL'),
  format('datadog-key', 'DD_API_KEY', ['hex', 32]),
  format('datadog-key', 'DATADOG_APP_KEY', ['hex', 40]),
  format('grafana-token', 'GRAFANA_TOKEN', 'gl', 'sa_', ['base62', 32], '_', ['hex', 8]),
  format('vault-token', 'VAULT_TOKEN', 'hv', 's.CAESI', ['url64', 90]),
  format('terraform-cloud-token', 'TFC_TOKEN', ['base62', 14], '.atl', 'asv1.', ['base62', 67]),
  format('cloudflare-token', 'CLOUDFLARE_API_TOKEN', 'cf', 'ut_', ['base62', 48]),
  format('cloudflare-token', 'CLOUDFLARE_API_KEY', ['hex', 37]),
  format('heroku-key', 'HEROKU_API_KEY', ['hex', 8], '-', ['hex', 4], '-', ['hex', 4], '-', ['hex', 4], '-', ['hex', 12]),
  format('fly-token', 'FLY_API_TOKEN', 'fo', '1_', ['url64', 43]),
  format('hosting-token', 'NETLIFY_AUTH_TOKEN', 'nf', 'p_', ['base62', 36]),
  format('hosting-token', 'VERCEL_TOKEN', 'vc', 'p_', ['base62', 56]),
  format('hosting-token', 'VERCEL_TOKEN', ['base62', 24]),
  format('doppler-token', 'DOPPLER_TOKEN', 'dp', '.pt.', ['base62', 43]),
  format('tailscale-key', 'TS_AUTHKEY', 'ts', 'key-auth-', ['base62', 12], '-', ['base62', 32]),
  format('ci-token', 'SONAR_TOKEN', 'sq', 'u_', ['hex', 40]),
  format('dynatrace-token', 'DT_API_TOKEN', 'dt0', 'c01.', ['upper', 24], '.', ['upper', 64]),
  format('sentry-token', 'SENTRY_AUTH_TOKEN', 'sntr', 'yu_', ['hex', 64]),
  format('linear-key', 'LINEAR_API_KEY', 'lin', '_api_', ['base62', 40]),
  format('notion-token', 'NOTION_TOKEN', 'nt', 'n_', ['digit', 11], ['base62', 35]),
  format('notion-token', 'NOTION_SECRET', 'sec', 'ret_', ['base62', 43]),
  format('postman-key', 'POSTMAN_API_KEY', 'PM', 'AK-', ['hex', 24], '-', ['hex', 34]),
  format('planetscale-token', 'PLANETSCALE_TOKEN', 'psc', 'ale_tkn_', ['url64', 43]),
  format('supabase-key', 'SUPABASE_ACCESS_TOKEN', 'sb', 'p_', ['hex', 40]),
  format('airtable-token', 'AIRTABLE_TOKEN', 'pa', 't', ['base62', 14], '.', ['hex', 64]),
  format('figma-token', 'FIGMA_TOKEN', 'fi', 'gd_', ['url64', 40]),
  format('contentful-token', 'CONTENTFUL_TOKEN', 'CFP', 'AT-', ['url64', 43]),
  format('developer-service-key', 'PREFECT_API_KEY', 'pn', 'u_', ['base62', 36]),
  format('age-secret-key', 'SOPS_AGE_KEY', 'AGE-SECRET', '-KEY-1', ['bech32', 58]),
  format('stripe-test-key', 'STRIPE_KEY', 'sk', '_te', 'st_', ['base62', 40]),
  format('alibaba-access-key', 'ALIBABA_ACCESS_KEY_ID', 'LT', 'AI', ['base62', 20]),
  format('alibaba-access-key', 'ALIYUN_SECRET', ['base62', 30]),
  format('aws-bedrock-key', 'AWS_BEARER_TOKEN_BEDROCK', 'ABSK', 'QmVkcm9ja0FQSUtleS', ['base64', 110], '=='),
  format('azure-devops-token', 'AZURE_DEVOPS_PAT', ['base62', 76], 'AZ', 'DO', ['base62', 4]),
  format(
    'teams-webhook',
    'TEAMS_WEBHOOK',
    'https://shop.webhook.off',
    'ice.com/webhookb2/',
    ['hex', 8],
    '-1a2b-3c4d-8e9f-',
    ['hex', 12],
    '@',
    ['hex', 8],
    '-1a2b-3c4d-8e9f-',
    ['hex', 12],
    '/IncomingWebhook/',
    ['hex', 32],
    '/x',
  ),
  format('onepassword-token', 'OP_SERVICE_ACCOUNT_TOKEN', 'ops', '_eyJ', ['base64', 320]),
  format('heroku-key', 'HEROKU_API_KEY', 'HRKU', '-AA', ['url64', 58]),
  format('azure-storage-key', 'SERVICEBUS', 'Endpoint=sb://shop.servicebus.windows.net/;SharedAccess', 'Key=', ['base64', 43], '='),
  format('supabase-key', 'SUPABASE_SECRET_KEY', 'sb', '_secret_', ['url64', 31]),
  format('grafana-token', 'GRAFANA_CLOUD_TOKEN', 'glc', '_eyJ', ['base64', 120], '='),
  format('fly-token', 'FLY_API_TOKEN', 'fm', '2_', ['base64', 220]),
  { rule: 'json-web-token', variable: 'SERVICE_ROLE_JWT', make: webToken },
  format('url-password', 'DATABASE_URL', 'postgres://shop:', ['base62', 14], '@db.shop.io:5432/orders'),
  format('url-password', 'MONGO_URI', 'mongodb+srv://api:', ['base62', 12], '@cluster0.k2x.mongodb.net/app'),
  format('generic-secret', 'client_secret', ['base62', 32]),
  format('generic-secret', 'API_KEY', ['hex', 40]),
  format('generic-secret', 'jwtSecret', ['base64', 44]),
  format('generic-secret', 'encryption_key', ['url64', 24]),
  format('generic-secret', 'ACCESS_TOKEN', ['base62', 20]),
  format('hardcoded-password', 'db_password', ['upper', 3], ['lower', 2], ['digit', 2], ['sign', 1], 'Kp7'),
];
