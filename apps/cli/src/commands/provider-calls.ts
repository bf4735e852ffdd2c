/** The commands that talk to a provider, and the one that checks what they left; each loads its own code when it runs. */
import type { Command } from 'commander';
import { type Act, isSet, type Options, textOf } from '../action.ts';
import { addSettingFlags, givenFlags } from '../flags.ts';
import type { CallTarget } from '../provider/prepare-call.ts';

const repeated = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
const listOf = (options: Options, name: string): readonly string[] => (options[name] as readonly string[] | undefined) ?? [];

/** An operation and its arguments. */
const addTarget = (command: Command): Command =>
  command
    .argument('<provider>')
    .argument('<operation>')
    .argument('[arguments...]', "the operation's own: --owner x --repo y")
    .allowUnknownOption()
    .option('--arg <name=value>', 'an argument whose name is no flag; may be repeated', repeated)
    .option('--input <file>', 'arguments as a JSON object, from a file or - for standard input')
    .option('--base-url <url>', 'address of an instance of your own');

const targetOf = (options: Options, [provider = '', operation = '', ...words]: readonly string[]): CallTarget => ({
  ...{ provider, operation, words },
  args: listOf(options, 'arg'),
  input: textOf(options, 'input'),
  baseUrl: textOf(options, 'baseUrl'),
  flags: givenFlags(options),
});

const CALL_HELP = `
A write is denied unless policy/<provider>.yaml in the configuration directory names its operation in allowed_mutations; no flag
does that. A write keeps a signed receipt and two lines in the audit log, in the database of storage.database. Where a page of
--all fails, the list that was printed is not closed, and the exit code says so.`;

function addCall(provider: Command, act: Act): void {
  const call = addTarget(provider.command('call').description('call an operation and print its answer as JSON'))
    .option('--all', 'every page, as one list')
    .option('--dry-run', 'print the request without sending it')
    .addHelpText('after', CALL_HELP);
  addSettingFlags(call, ['network.allowOrigins', 'output.quiet']).action(
    act(async (options, args, signal) =>
      (await import('./provider-call.command.ts')).runProviderCall(
        { ...targetOf(options, args), all: isSet(options, 'all'), dryRun: isSet(options, 'dryRun') },
        signal,
      ),
    ),
  );
}

function addRecord(provider: Command, act: Act): void {
  const record = addTarget(provider.command('record').description('make a call and keep it as test data, without credentials, tokens and mail addresses'))
    .requiredOption('--to <file>', 'the cassette; it must not exist')
    .option('--all', 'every page of a list');
  addSettingFlags(record, ['network.allowOrigins', 'output.quiet']).action(
    act(async (options, args, signal) =>
      (await import('./provider-record.command.ts')).runProviderRecord(
        { ...targetOf(options, args), to: String(options['to']), all: isSet(options, 'all') },
        signal,
      ),
    ),
  );
}

function addAudit(provider: Command, act: Act): void {
  const audit = provider
    .command('audit')
    .description('verify the log of writes: its chain, the receipts, the outcomes; exit code 1 where it was changed')
    .option('--provider <name>', 'receipts and outcomes of this provider alone; the chain is verified whole')
    .option('--anchor <sequence:hash>', 'the end of an earlier audit, to see that nothing was cut off')
    .option('--public-key <file>', 'check receipts with this key instead of the pinned one; may be repeated', repeated)
    .option('--json', 'print JSON');
  addSettingFlags(audit, ['output.quiet']).action(
    act(async options =>
      (await import('./provider-audit.command.ts')).runProviderAudit({
        provider: textOf(options, 'provider'),
        anchor: textOf(options, 'anchor'),
        publicKeys: listOf(options, 'publicKey'),
        json: isSet(options, 'json'),
        flags: givenFlags(options),
      }),
    ),
  );
}

export function addCallCommands(provider: Command, act: Act): void {
  addCall(provider, act);
  addRecord(provider, act);
  addAudit(provider, act);
}
