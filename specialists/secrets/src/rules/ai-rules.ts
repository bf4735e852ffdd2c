/** Keys of model vendors: whoever holds one spends the owner's money. */
import { type SecretRule, secretRule, startsWith } from '../secret-rule.ts';

const spends = (vendor: string) => `Whoever reads it calls ${vendor} at your cost, and may read what the account stores there.`;

export const aiRules: readonly SecretRule[] = [
  secretRule('openai-key', {
    severity: 'blocker',
    what: 'OpenAI API key',
    grants: spends('OpenAI'),
    revoke: 'Revoke it at platform.openai.com under API keys',
    bad: 'OPENAI_API_KEY=sk-proj-<letters, digits, - and _>T3BlbkFJ<letters, digits, - and _>',
    good: 'const client = new OpenAI();  // reads OPENAI_API_KEY',
    equivalent: ['gitleaks/openai-api-key', 'trufflehog/openai*', 'secretlint/secretlint-rule-openai*', 'detect-secrets/openaidetector'],
    detect: [
      startsWith(['sk-'], /sk-(?:proj-|svcacct-|admin-|None-|service-)?[\w-]{20,80}T3BlbkFJ[\w-]{20,80}(?![\w-])/y, 3.5),
      startsWith(['sk-proj-', 'sk-svcacct-', 'sk-admin-'], /sk-(?:proj|svcacct|admin)-(?=[\w-]{0,80}\d)[\w-]{40,200}(?![\w-])/y, 4),
      startsWith(['sk-'], /sk-(?=[A-Za-z]{0,47}\d)[A-Za-z0-9]{48}(?![\w-])/y, 4),
    ],
  }),
  secretRule('anthropic-key', {
    severity: 'blocker',
    what: 'Anthropic API key',
    grants: spends('Anthropic'),
    revoke: 'Delete it in the Anthropic console under API keys',
    bad: 'ANTHROPIC_API_KEY=sk-ant-api03-<93 letters, digits, - and _>AA',
    good: 'const client = new Anthropic();  // reads ANTHROPIC_API_KEY',
    equivalent: ['gitleaks/anthropic-*', 'trufflehog/anthropic*', 'secretlint/secretlint-rule-anthropic*'],
    detect: [startsWith(['sk-ant-'], /sk-ant-(?:api|admin|oat|ort|sid)\d\d-(?=[\w-]{0,80}\d)[\w-]{60,120}(?![\w-])/y, 4)],
  }),
  secretRule('huggingface-token', {
    severity: 'blocker',
    what: 'Hugging Face token',
    grants: 'Whoever reads it reads your private models and data, and may replace them.',
    revoke: 'Invalidate it at huggingface.co under Settings, Access Tokens',
    bad: 'HF_TOKEN=hf_<34 letters and digits>',
    good: 'HF_TOKEN=$HF_TOKEN',
    equivalent: ['gitleaks/huggingface-*', 'trufflehog/huggingface*'],
    detect: [startsWith(['hf_', 'api_org_'], /(?:hf_|api_org_)[A-Za-z0-9]{34}(?![\w-])/y, 3.8)],
  }),
  secretRule('groq-key', {
    severity: 'blocker',
    what: 'Groq API key',
    grants: spends('Groq'),
    revoke: 'Delete it in the Groq console under API keys',
    bad: 'GROQ_API_KEY=gsk_<52 letters and digits>',
    good: 'GROQ_API_KEY=$GROQ_API_KEY',
    equivalent: ['trufflehog/groq*'],
    detect: [startsWith(['gsk_'], /gsk_[A-Za-z0-9]{52}(?![\w-])/y, 3.8)],
  }),
  secretRule('model-vendor-key', {
    severity: 'blocker',
    what: 'API key of a model vendor',
    grants: spends('the vendor (xAI, Perplexity, Replicate, OpenRouter)'),
    revoke: 'Delete it in the vendor’s console under API keys',
    bad: 'XAI_API_KEY=xai-<80 letters and digits>',
    good: 'XAI_API_KEY=$XAI_API_KEY',
    equivalent: ['gitleaks/perplexity-api-key', 'trufflehog/xai*', 'trufflehog/replicate*', 'trufflehog/openrouter*'],
    detect: [
      startsWith(['xai-'], /xai-[A-Za-z0-9]{80}(?![\w-])/y, 4),
      startsWith(['pplx-'], /pplx-[A-Za-z0-9]{48}(?![\w-])/y, 4),
      startsWith(['r8_'], /r8_[A-Za-z0-9]{37}(?![\w-])/y, 4),
      startsWith(['sk-or-v1-'], /sk-or-v1-[0-9a-f]{64}(?![\w-])/y),
    ],
  }),
];
