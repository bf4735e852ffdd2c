/** The reference page of a rule, and the page that lists them all. */
import { SEVERITY_MEANING } from '@weir/contract';
import type { Rule, Specialist } from '@weir/specialist-kit';

const block = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(run => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.replace(/\n$/, '')}\n${fence}`;
};

export const rulePagePath = (rule: Rule): string => `docs/reference/rules/${rule.id}.md`;

/** Markdown of one rule. */
export const rulePage = (rule: Rule, specialist: Specialist): string =>
  [
    `# ${rule.id}`,
    '',
    `${rule.title}.`,
    '',
    `- Severity: ${rule.severity} (${SEVERITY_MEANING[rule.severity]})`,
    `- Category: ${rule.category ?? 'none'}`,
    `- Specialist: ${specialist.title}`,
    ...(rule.equivalent.length > 0 ? [`- Same matter elsewhere: ${rule.equivalent.map(name => `\`${name}\``).join(', ')}`] : []),
    '',
    '## Why',
    '',
    rule.why,
    '',
    '## What to do',
    '',
    rule.fix,
    '',
    '## Reported',
    '',
    block(rule.bad),
    '',
    '## Not reported',
    '',
    block(rule.good),
    '',
    '## Limits',
    '',
    rule.limits,
    '',
  ].join('\n');

/** docs/reference/rules/README.md: every rule in one table a specialist. */
export const rulesIndex = (specialists: readonly Specialist[]): string =>
  [
    '# Rules',
    '',
    'Generated from the declarations of the specialists by `npm run generate`. `weir rules <id>` prints a page.',
    '',
    ...specialists.flatMap(({ key, title, routingHint, review }) => [
      `## ${title} (\`${key}\`)`,
      '',
      routingHint,
      '',
      '| rule | severity | in one line |',
      '| --- | --- | --- |',
      ...(review?.rules ?? []).map(rule => `| [${rule.id}](${rule.id}.md) | ${rule.severity} | ${rule.title.replaceAll('|', '\\|')} |`),
      '',
    ]),
  ].join('\n');
