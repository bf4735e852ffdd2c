/** `weir spend`: what model calls have cost (REV-29). What is unknown stands first and is never counted as zero. */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { spendText } from '@weir/model-pricing';
import { SPEND_GROUPS, type SpendFilter, type SpendGroup } from '@weir/ports';
import { type Options, textOf } from '../action.ts';
import { givenFlags } from '../flags.ts';
import { withModelStores } from '../gateway/open-model-stores.ts';
import { readMoment } from '../gateway/read-moment.ts';
import { writeJson, writeOut } from '../output.ts';

/** Groups that are printed; those with unknown calls and the dearest come first. */
const MAX_ROWS = 100;

function groupOf(text: string): SpendGroup {
  const group = SPEND_GROUPS.find(candidate => candidate === text);
  if (group === undefined) throw new AppError('USAGE', `--by is one of ${SPEND_GROUPS.join(', ')}`);
  return group;
}

function filterOf(options: Options): SpendFilter {
  const now = Date.now();
  const momentOf = (name: 'since' | 'until'): number | undefined => {
    const text = textOf(options, name);
    return text === undefined ? undefined : readMoment(text, `--${name}`, { now, direction: -1 });
  };
  const [since, until, run, virtualKey] = [momentOf('since'), momentOf('until'), textOf(options, 'run'), textOf(options, 'key')];
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(run === undefined ? {} : { run }),
    ...(virtualKey === undefined ? {} : { virtualKey }),
  };
}

export async function runSpend(options: Options): Promise<ExitCode> {
  const group = groupOf(String(options['by']));
  const filter = filterOf(options);
  return withModelStores(givenFlags(options), async ({ stores }) => {
    const total = await stores.ledger.sum(filter);
    const rows = await stores.ledger.sumBy(group, filter, MAX_ROWS);
    if (options['json'] === true) {
      await writeJson({ total, by: group, rows });
      return EXIT.clean;
    }
    await writeOut(`${total.calls === 0 ? 'no calls' : spendText(total)}\n`);
    for (const { name, ...sum } of rows) await writeOut(`  ${(name ?? '(none)').padEnd(40)} ${spendText(sum)}\n`);
    if (rows.length === MAX_ROWS) await writeOut(`  … only the first ${MAX_ROWS} are shown\n`);
    return EXIT.clean;
  });
}
