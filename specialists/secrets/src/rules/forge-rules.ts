/** Tokens of code forges: GitHub, GitLab, Atlassian (Bitbucket, Jira). Forms as the vendors document them. */
import { judgeMixed } from '../random-text.ts';
import { type SecretRule, secretRule, startsWith } from '../secret-rule.ts';
import { judgeChecksum } from '../token-checksum.ts';

const CHECKSUM_LIMITS =
  'A wrong checksum does not clear a token, since formats change; in test folders only a token with a right checksum is reported, as minor.';

export const forgeRules: readonly SecretRule[] = [
  secretRule('github-token', {
    severity: 'blocker',
    what: 'GitHub token',
    grants: 'Whoever reads it acts on GitHub as the person or app that it was issued to.',
    revoke: 'Revoke it under GitHub Settings, Developer settings (or by the credential revocation API)',
    bad: 'GITHUB_TOKEN=ghp_<36 letters and digits>',
    good: 'GITHUB_TOKEN: ${{ secrets.DEPLOY_TOKEN }}',
    limits: CHECKSUM_LIMITS,
    equivalent: [
      'gitleaks/github-*',
      '*/github-pat',
      '*/github-fine-grained-pat',
      '*/github-oauth',
      '*/github-app-token',
      '*detected-github-token*',
      'trufflehog/github*',
      'secretlint/secretlint-rule-github*',
      'detect-secrets/githubtokendetector',
      'semgrep/*detected-github-token*',
    ],
    detect: [
      {
        ...startsWith(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /gh[pousr]_[A-Za-z0-9]{36}(?![A-Za-z0-9_])/y),
        judge: judgeChecksum,
      },
      startsWith(['ghs_', 'ghr_'], /gh[sr]_[A-Za-z0-9]{0,40}(?:[A-Za-z0-9]_)?eyJ[A-Za-z0-9_-]{20,1000}\.[A-Za-z0-9_-]{20,2000}\.[A-Za-z0-9_-]{20,1000}/y),
      startsWith(['ghr_'], /ghr_[A-Za-z0-9]{70,80}(?![A-Za-z0-9_])/y),
    ],
  }),
  secretRule('github-fine-grained-token', {
    severity: 'blocker',
    what: 'fine-grained GitHub token',
    grants: 'Whoever reads it has its permissions on the repositories that it names.',
    revoke: 'Delete it under GitHub Settings, Developer settings, Fine-grained tokens',
    bad: 'token: github_pat_<22 letters and digits>_<59 letters and digits>',
    good: 'token: process.env.GITHUB_TOKEN',
    equivalent: ['gitleaks/github-fine-grained-pat', 'trufflehog/github*', 'secretlint/secretlint-rule-github*', 'semgrep/*detected-github-token*'],
    detect: [startsWith(['github_pat_'], /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9_])/y)],
  }),
  secretRule('gitlab-token', {
    severity: 'blocker',
    what: 'GitLab token',
    grants: 'Whoever reads it acts on GitLab with the rights of the user, project, runner or agent that it belongs to.',
    revoke: 'Revoke it in GitLab under Access tokens (or Deploy tokens, Runners, Feature flags)',
    bad: 'PRIVATE-TOKEN: glpat-<20 or more letters, digits, - and _>',
    good: 'PRIVATE-TOKEN: $GITLAB_TOKEN',
    limits: 'Instances can set their own prefix; such tokens are only found by their name (secrets/generic-secret).',
    equivalent: [
      'gitleaks/gitlab-*',
      'trufflehog/gitlab*',
      'secretlint/secretlint-rule-gitlab*',
      'detect-secrets/gitlabtokendetector',
      'semgrep/*detected-gitlab*',
    ],
    detect: [
      {
        ...startsWith(
          ['glpat-', 'gldt-', 'glrt-', 'glft-', 'glsoat-', 'glimt-', 'glffct-', 'gloas-', 'glagent-', 'glptt-', 'glrtr-', 'glwt-'],
          /gl(?:pat|dt|rt|rtr|ft|soat|imt|ffct|oas|agent|ptt|wt)-(?:t\d_)?[\w-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?(?![\w-])/y,
        ),
        judge: judgeMixed,
      },
      startsWith(['glcbt-'], /glcbt-[0-9a-zA-Z]{1,5}_[\w-]{20}(?![\w-])/y),
      startsWith(['GR1348941'], /GR1348941[\w-]{20}(?![\w-])/y),
      startsWith(['_gitlab_session='], /_gitlab_session=(?<secret>[0-9a-f]{32})(?![0-9a-f])/y),
    ],
  }),
  secretRule('atlassian-token', {
    severity: 'blocker',
    what: 'Atlassian or Bitbucket token',
    grants: 'Whoever reads it reads and changes repositories, issues and pages as its owner.',
    revoke: 'Revoke it at id.atlassian.com under API tokens, or in Bitbucket under Access tokens',
    bad: 'BITBUCKET_TOKEN=ATCTT3xFfG<about 170 letters and digits>=<8 hex digits>',
    good: 'BITBUCKET_TOKEN=$BITBUCKET_TOKEN',
    equivalent: ['gitleaks/atlassian-api-token', 'gitleaks/bitbucket-*', 'trufflehog/atlassian*', 'trufflehog/bitbucket*'],
    detect: [
      startsWith(['ATATT3', 'ATCTT3'], /AT[AC]TT3[\w-]{60,500}(?:=[0-9A-F]{8})?(?![\w-])/y, 3.5),
      startsWith(['ATBB'], /ATBB[A-Za-z0-9]{24,40}(?:=[0-9A-F]{8})?(?![A-Za-z0-9])/y, 3.5),
      { kind: 'assigned', name: /(?:atlassian|confluence|jira).{0,20}(?:token|key|secret|password)/i, value: /^[A-Za-z0-9]{24}$/, minEntropy: 3.5 },
      { kind: 'assigned', name: /bitbucket.{0,24}(?:secret|token|password)/i, value: /^[A-Za-z0-9_=-]{32,64}$/, minEntropy: 3.5 },
    ],
  }),
];
