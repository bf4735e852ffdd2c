/**
 * The page `docs/reference/providers.md`: how much of each provider's API is compiled, and what each does with Weir's verbs.
 */
import { VERBS } from '@weir/contract';
import type { ProviderCoverage } from './provider-coverage.ts';

const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
/** A vertical line would end a cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

export const coveragePage = (providers: readonly ProviderCoverage[]): string =>
  [
    '# Providers',
    '',
    'Written by `npm run generate` from the descriptors and their compiled tables; the same figures come from `weir provider coverage`.',
    '',
    '| provider | version | published operations | supplement of our own | compiled | gaps | verbs bound | unsupported | quirks |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...providers.map(summaryRow),
    '',
    '## Gaps',
    '',
    ...gapLines(providers),
    '',
    '## Verbs that a provider does not support',
    '',
    ...providers.flatMap(unsupportedLines),
    '## Quirks',
    '',
    'Results that no mapping can say; each is one named function.',
    '',
    ...providers.flatMap(quirkLines),
    '',
    ...verbLines(providers.filter(({ bound }) => bound.length > 0)),
    '',
  ].join('\n');

const verbLines = (forges: readonly ProviderCoverage[]): readonly string[] => [
  '## Verbs',
  '',
  `| verb | ${forges.map(({ name }) => name).join(' | ')} |`,
  `| --- |${' --- |'.repeat(forges.length)}`,
  ...VERBS.map(verb => `| \`${verb}\` | ${forges.map(({ bound }) => (bound.includes(verb) ? 'yes' : 'no')).join(' | ')} |`),
];

const summaryRow = ({ name, apiVersion, published, supplemented, compiled, gaps, bound, unsupported, quirks }: ProviderCoverage): string =>
  `| ${name} | ${cell(apiVersion)} | ${[
    published,
    supplemented,
    compiled,
    gaps.length,
    bound.length,
    Object.keys(unsupported).length,
    Object.keys(quirks).length,
  ]
    .map(count)
    .join(' | ')} |`;

function gapLines(providers: readonly ProviderCoverage[]): readonly string[] {
  const lines = providers.flatMap(({ name, gaps }) => gaps.map(({ method, path, reason }) => `- ${name}: \`${method} ${path}\`: ${reason}`));
  return lines.length === 0 ? ['None: every published operation of every provider is compiled.'] : lines;
}

function unsupportedLines({ name, unsupported }: ProviderCoverage): readonly string[] {
  const entries = Object.entries(unsupported);
  return entries.length === 0
    ? []
    : [`### ${name}`, '', '| verb | instead |', '| --- | --- |', ...entries.map(([verb, instead]) => `| \`${verb}\` | ${cell(instead)} |`), ''];
}

const quirkLines = ({ name, quirks }: ProviderCoverage): readonly string[] =>
  Object.entries(quirks).map(([verb, quirk]) => `- ${name}: \`${verb}\` passes \`${quirk}\``);
