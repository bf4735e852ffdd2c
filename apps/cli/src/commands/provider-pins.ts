/** The commands that make, pin, lock and compare providers; each loads its own code when it runs. */
import { type Command, Option } from 'commander';
import type { ProviderDescriptor } from '@weir/contract';
import { type Act, isSet, textOf } from '../action.ts';
import { addSettingFlags, givenFlags } from '../flags.ts';
import { PACKAGE_REGISTRY } from '../provider/description-address.ts';

const KINDS = ['forge', 'registry', 'infra'] as const satisfies readonly ProviderDescriptor['kind'][];

function addAdd(provider: Command, act: Act): void {
  const add = provider
    .command('add')
    .argument('<name>')
    .description('make a provider of your own, in the configuration directory, from any OpenAPI or Swagger description')
    .option('--spec <file or url>', 'its description; a file is copied beside the descriptor, an https address is pinned with its digest')
    .option('--base-url <url>', 'address of the API; the first server of the description if not given')
    .option('--extends <provider>', 'take this descriptor whole, and change keys of it')
    .addOption(new Option('--kind <kind>', 'infra if not given').choices(KINDS));
  addSettingFlags(add, ['network.allowOrigins']).action(
    act(async (options, [name = ''], signal) =>
      (await import('./provider-add.command.ts')).runProviderAdd(
        {
          name,
          spec: textOf(options, 'spec'),
          baseUrl: textOf(options, 'baseUrl'),
          parent: textOf(options, 'extends'),
          kind: options['kind'] as ProviderDescriptor['kind'] | undefined,
          flags: givenFlags(options),
        },
        signal,
      ),
    ),
  );
}

function addPin(provider: Command, act: Act): void {
  const pin = provider
    .command('pin')
    .argument('<provider>')
    .description('fetch its description, hold it to the pinned digest, keep it in the cache, compile it')
    .option('--from <file>', 'the description from a file instead of the network')
    .option('--update', 'take another digest: rewrites spec.digest, and retrieved_at, of the descriptor')
    .option('--registry <url>', 'where packages are fetched from', PACKAGE_REGISTRY);
  addSettingFlags(pin, ['network.allowOrigins']).action(
    act(async (options, [name = ''], signal) =>
      (await import('./provider-pin.command.ts')).runProviderPin(
        { provider: name, from: textOf(options, 'from'), update: isSet(options, 'update'), registry: String(options['registry']), flags: givenFlags(options) },
        signal,
      ),
    ),
  );
}

function addDiff(provider: Command, act: Act): void {
  provider
    .command('diff')
    .argument('<provider>')
    .description('what breaks between two versions of its description; exit code 1 where something does')
    .requiredOption('--from <side>', 'the older side: a description, a table, or a provider')
    .option('--to <side>', "the newer side; the provider's own table if not given")
    .option('--all', 'the whole surface, not only the operations that are bound')
    .option('--json', 'print JSON')
    .action(
      act(async (options, [name = '']) =>
        (await import('./provider-diff.command.ts')).runProviderDiff({
          provider: name,
          from: String(options['from']),
          to: textOf(options, 'to'),
          all: isSet(options, 'all'),
          json: isSet(options, 'json'),
        }),
      ),
    );
}

/** Adds `add`, `pin`, `lock`, `diff` and `coverage`. */
export function addPinCommands(provider: Command, act: Act): void {
  addAdd(provider, act);
  addPin(provider, act);
  provider
    .command('lock')
    .description('record which files make each provider, in weir.lock')
    .option('--check', 'compare with the record instead; exit code 1 where a file differs')
    .action(act(async options => (await import('./provider-lock.command.ts')).runProviderLock(isSet(options, 'check'))));
  addDiff(provider, act);
  provider
    .command('coverage')
    .argument('[provider...]')
    .description('published and compiled operations, every gap with its reason, every verb that is not bound')
    .option('--json', 'print JSON')
    .action(act(async (options, names) => (await import('./provider-coverage.command.ts')).runProviderCoverage(names, isSet(options, 'json'))));
}
