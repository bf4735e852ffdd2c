/**
 * What a path says about its content, and what each kind of rule does there.
 * Test files hold made-up credentials by design; prose and samples hold made-up passwords, but also real pasted tokens.
 */
import type { Tier } from './secret-rule.ts';

export type PathKind = 'ordinary' | 'lock' | 'generated' | 'prose' | 'template' | 'sample' | 'test';

const KINDS: readonly (readonly [PathKind, RegExp])[] = [
  ['test', /(?:^|[/_.-])(?:tests?|__tests__|__mocks__|mocks?|__fixtures__|fixtures?|specs?|testdata|testing|e2e|cypress|__snapshots__|snapshots)\//i],
  ['test', /[._-](?:test|spec|tests|e2e|mock|stories|fixture)s?\.\w+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[a-z](?:Test|Tests|TestCase|Spec|IT)\.\w+$|\.snap$/],
  // Folders such as `testcerts/`, `test-keys/` and Go's `caddytest/`; not `latest/` and other words that end so.
  [
    'test',
    /(?:^|\/)(?:tests?[_-]?(?:certs?|certificates|keys?|data|utils?|helpers?|support|files?|resources?|vectors?|suite|harness|env|server)|(?!(?:latest|contest|attest|protest|fastest|greatest)\/)[a-z]{2,20}tests?)\//i,
  ],
  [
    'test',
    /(?:^|[/._-])(?:tests?|localhost|snake-?oil|dummy)[._-][^/]*\.(?:pem|key|asc|gpg|p8|ppk)$|(?:^|[/._-])(?:tests?|localhost|snake-?oil|dummy)\.(?:pem|key|asc|gpg|p8|ppk)$/i,
  ],
  ['sample', /(?:^|\/)(?:examples?|samples?|demos?|docs?|documentation|tutorials?)\/|\.(?:examples|samples|demo)\.\w+$/i],
  ['template', /\.(?:example|sample|template|tmpl|dist|tpl)(?:\.\w+)?$|(?:^|\/)(?:example|sample)\.env$/i],
  // Settings of documentation sites: the search key in them is public.
  ['prose', /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$|(?:^|\/)\.(?:vitepress|vuepress)\/config\.[cm]?[jt]s$/],
  // Texts of a user interface: words under names such as `password`.
  [
    'prose',
    /(?:^|\/)(?:locales?|i18n|lang|langs|languages|translations?)\/(?:[^/]+\/)*[^/]+\.(?:json|ya?ml|properties)$|(?:^|\/)[a-z]{2}[-_][A-Z]{2}\.(?:json|ya?ml)$|\.(?:po|pot|arb|xlf|xliff|resx|strings)$/,
  ],
  ['prose', /\.(?:md|mdx|markdown|rst|adoc|asciidoc|org)$|(?:^|\/)(?:readme|changelog|changes|history|contributing|license)[^/]*$/i],
  [
    'lock',
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|composer\.lock|gemfile\.lock|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|go\.sum|mix\.lock|flake\.lock|podfile\.lock|packages\.lock\.json|gradle\.lockfile|\.terraform\.lock\.hcl|verification-metadata\.xml)$/i,
  ],
  ['generated', /\.min\.(?:js|css|mjs)$|\.map$|\.svg$|\.bundle\.js$|\.(?:ipynb|pem\.pub|pub|crt|cer|csr)$/i],
];

/** `proven` keeps only what a checksum proves, as minor. */
export type Policy = 'full' | 'minor' | 'proven' | 'off';

const POLICIES: Readonly<Record<PathKind, Readonly<Record<Tier, Policy>>>> = {
  ordinary: { vendor: 'full', structure: 'full', generic: 'full' },
  lock: { vendor: 'full', structure: 'full', generic: 'off' },
  generated: { vendor: 'full', structure: 'off', generic: 'off' },
  prose: { vendor: 'full', structure: 'off', generic: 'off' },
  template: { vendor: 'full', structure: 'off', generic: 'off' },
  sample: { vendor: 'minor', structure: 'off', generic: 'off' },
  test: { vendor: 'proven', structure: 'off', generic: 'off' },
};

export const pathKind = (path: string): PathKind => KINDS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'ordinary';

export const policyOf = (kind: PathKind, tier: Tier): Policy => POLICIES[kind][tier];

const UNQUOTED_VALUES =
  /(?:^|\/)(?:\.?env(?:\.[\w.-]+)?|dockerfile[^/]*|[^/]*\.dockerfile|makefile|procfile|\.npmrc|\.netrc|\.pypirc|\.my\.cnf|\.[a-z]{2,20}rc|credentials|config)$|\.(?:env|ya?ml|properties|ini|toml|cfg|conf|cnf|config|sh|bash|zsh|fish|ps1|bat|cmd|tfvars|hcl|txt|service|plist|xml|sql|envrc)$/i;

/** True for files where a value needs no quotes: settings, shell, container files. */
export const allowsUnquoted = (path: string): boolean => UNQUOTED_VALUES.test(path);
