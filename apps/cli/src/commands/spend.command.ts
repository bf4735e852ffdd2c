/** `weir spend`: what model calls have cost (REV-29). What is unknown stands first and is never counted as zero. */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type CapState, readCapState } from '@weir/model-gateway';
import { capText, type SpendLimits, spendText } from '@weir/model-pricing';
import { SPEND_GROUPS, type SpendFilter, type SpendGroup } from '@weir/ports';
import { type Options, textOf } from '../action.ts';
import { givenFlags } from '../flags.ts';
import { type OpenOperatorStores, withOperatorStores } from '../gateway/open-operator-stores.ts';
import { readCaps } from '../gateway/read-caps.ts';
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

/** The state of the cap for an operator (REV-31); undefined where none is set. */
function capLine({ decision, spend, capacity }: CapState, limits: SpendLimits): string | undefined {
  if (spend === null) return undefined;
  if (spend === 'unreadable') return 'cap: not enforced, the ledger cannot be read';
  if (decision.allowed) return `cap: ${capText(limits, spend)}`;
  return ['cap reached:', decision.operatorSentence, ...(capacity === null ? [] : [capacity])].join(' ');
}

async function readCap({ stores, settings }: OpenOperatorStores): Promise<{ readonly line: string | undefined; readonly state: CapState }> {
  const { spend, problems } = readCaps(settings);
  for (const problem of problems) process.stderr.write(`warning: ${problem}\n`);
  const state = await readCapState({ ledger: stores.ledger, limits: spend, now: Date.now });
  return { line: capLine(state, spend), state };
}

export async function runSpend(options: Options): Promise<ExitCode> {
  const group = groupOf(String(options['by']));
  const filter = filterOf(options);
  return withOperatorStores(givenFlags(options), async open => {
    const { stores } = open;
    const { line, state } = await readCap(open);
    const total = await stores.ledger.sum(filter);
    const rows = await stores.ledger.sumBy(group, filter, MAX_ROWS);
    if (options['json'] === true) {
      await writeJson({ total, by: group, rows, ...(line === undefined ? {} : { cap: { text: line, ...state } }) });
      return EXIT.clean;
    }
    await writeOut(`${total.calls === 0 ? 'no calls' : spendText(total)}\n`);
    if (line !== undefined) await writeOut(`${line}\n`);
    for (const { name, ...sum } of rows) await writeOut(`  ${(name ?? '(none)').padEnd(40)} ${spendText(sum)}\n`);
    if (rows.length === MAX_ROWS) await writeOut(`  … only the first ${MAX_ROWS} are shown\n`);
    return EXIT.clean;
  });
}
