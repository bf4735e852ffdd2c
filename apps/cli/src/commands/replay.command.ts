/** `weir replay`: a delivery of a forge is taken once more, from the days that are kept or from a file. */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { oneLine } from '@weir/report';
import { type Options, textOf } from '../action.ts';
import { givenFlags } from '../flags.ts';
import { type OpenOperatorStores, withOperatorStores } from '../gateway/open-operator-stores.ts';
import { writeJson, writeOut } from '../output.ts';
import { readText } from '../provider/call-arguments.ts';
import { loadProvider } from '../provider/provider-files.ts';
import type { DeliveryReport } from '../server/accept-delivery.ts';
import type { GivenDelivery } from '../server/operator-reviews.ts';

const MAX_ROWS = 200;

/** A payload on its own lacks the name of its event, which stood in a header. */
async function deliveryOfFile({ stores }: OpenOperatorStores, file: string, options: Options): Promise<GivenDelivery> {
  const [registration, event] = [textOf(options, 'registration'), textOf(options, 'event')];
  if (registration === undefined || event === undefined) throw new AppError('USAGE', '--file needs --registration <id> and --event <name>');
  const hook = await stores.registry.hook(registration);
  if (hook === undefined)
    throw new AppError('USAGE', `There is no registration ${registration}.`, {
      next: 'It is the last part of the address of the webhook; weir repo list --json prints it as hook.',
    });
  const { webhooks } = (await loadProvider(hook.forge)).descriptor;
  if (webhooks === undefined) throw new AppError('USAGE', `${hook.forge} has no webhooks`);
  return { registration, headers: { [webhooks.event_header.toLowerCase()]: event }, body: await readText(file, new AbortController().signal) };
}

const OUTCOMES: Readonly<Record<DeliveryReport['outcome'], string>> = {
  stored: 'taken',
  repeated: 'taken before',
  ignored: 'an event that Weir does not heed',
  unregistered: 'of a repository that is not registered',
  unreadable: 'unreadable',
};

async function listStored({ stores }: OpenOperatorStores, json: boolean): Promise<ExitCode> {
  const deliveries = await stores.deliveries.list(MAX_ROWS);
  if (json) await writeJson({ deliveries });
  else if (deliveries.length === 0) await writeOut('No deliveries are kept.\n');
  else
    for (const { id, arrivedAt, problem } of deliveries)
      await writeOut(`${new Date(arrivedAt).toISOString()}  ${oneLine(id)}${problem === null ? '' : `  ${oneLine(problem)}`}\n`);
  return EXIT.clean;
}

export async function runReplay(delivery: string | undefined, options: Options): Promise<ExitCode> {
  const file = textOf(options, 'file');
  if (delivery !== undefined && file !== undefined) throw new AppError('USAGE', 'a delivery and --file name two things');
  return withOperatorStores(givenFlags(options), async open => {
    const given = file === undefined ? delivery : await deliveryOfFile(open, file, options);
    if (given === undefined) return listStored(open, options['json'] === true);
    const report = await open.stores.reviews.redeliver(given);
    if (options['json'] === true) await writeJson(report);
    else
      await writeOut(
        `${OUTCOMES[report.outcome]}${report.type === null ? '' : `: ${report.type}`}${report.reason === null ? '' : `: ${oneLine(report.reason)}`}\n`,
      );
    return report.outcome === 'stored' ? EXIT.clean : EXIT.refused;
  });
}
