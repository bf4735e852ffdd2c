/** `weir rules [id]`: what is looked for, and the page of one rule. */
import { EXIT, type ExitCode, SEVERITY_MEANING } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { Rule, Specialist } from '@weir/specialist-kit';
import { loadSpecialists, rulesOf } from '../composition/specialists.ts';
import { writeJson, writeOut } from '../output.ts';

const indent = (text: string): string => text.replace(/^(?=.)/gm, '    ');

const page = (rule: Rule): string =>
  [
    `${rule.id}: ${rule.title}`,
    `${rule.severity} (${SEVERITY_MEANING[rule.severity]})${rule.category === null ? '' : `, ${rule.category}`}`,
    '',
    `why\n${indent(rule.why)}`,
    `what to do\n${indent(rule.fix)}`,
    `reported\n${indent(rule.bad)}`,
    `not reported\n${indent(rule.good)}`,
    `limits\n${indent(rule.limits)}`,
    ...(rule.equivalent.length > 0 ? [`same matter elsewhere\n${indent(rule.equivalent.join(', '))}`] : []),
    '',
  ].join('\n');

async function listRules(specialists: readonly Specialist[]): Promise<void> {
  const width = Math.max(...rulesOf(specialists).map(rule => rule.id.length));
  for (const { title, review } of specialists) {
    await writeOut(`${title}\n`);
    for (const rule of review?.rules ?? []) await writeOut(`  ${rule.id.padEnd(width)}  ${rule.severity.padEnd(7)}  ${rule.title}\n`);
  }
  await writeOut('next: weir rules <id>\n');
}

export async function runRules(id: string | undefined, options: { readonly json: boolean }): Promise<ExitCode> {
  const specialists = await loadSpecialists([]);
  if (id === undefined) {
    if (options.json) await writeJson({ rules: rulesOf(specialists) });
    else await listRules(specialists);
    return EXIT.clean;
  }
  const rule = rulesOf(specialists).find(candidate => candidate.id === id);
  if (!rule) throw new AppError('USAGE', `there is no rule ${id}`, { next: 'List them with `weir rules`.' });
  if (options.json) await writeJson(rule);
  else await writeOut(page(rule));
  return EXIT.clean;
}
