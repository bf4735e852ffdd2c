/** The commands of the model gateway: the server, routes, keys, spend. Each loads its own code when it runs. */
import path from 'node:path';
import type { Command } from 'commander';
import { type Act, isSet, textOf } from '../action.ts';
import { addSettingFlags, givenFlags } from '../flags.ts';

const repeated = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
const json = (command: Command): Command => command.option('--json', 'print JSON');
const quiet = (command: Command): Command => addSettingFlags(command, ['output.quiet']);

const SERVE_HELP = `
Without --role one process does everything, over an embedded database; roles apart share a PostgreSQL server (storage.database). It
prints its addresses on standard output and one JSON line for each outcome on standard error: hooks, where forges deliver
(/hooks/<registration>; beside it /healthz, /readyz, /metrics), gateway, the models for agents and clients, and dashboard: with an identity
provider its address, else a link that signs you in once, within 15 minutes (weir login-link prints another). The first SIGINT or SIGTERM lets what is under way end, or hands
it back. With the embedded database other commands work through the running server.
See docs/guides/models.md.`;

function addServe(program: Command, act: Act): void {
  const serve = program
    .command('serve')
    .description('run the server, or roles of it')
    .option('--role <roles>', 'ingress, orchestrator, reviewer, gateway, sweeper, dashboard; several separated by commas; all if not given')
    .option('--port <number>', 'port of the gateway; 0 takes a free one', '4141')
    .option('--hooks-port <number>', 'port of the hooks and the status; 0 takes a free one', '4140')
    .option('--dashboard-port <number>', 'port of the dashboard; 0 takes a free one', '4142')
    .option('--host <address>', 'address to listen on, for hooks and gateway', '127.0.0.1')
    .option('--data-dir <folder>', 'where the embedded database is; $XDG_DATA_HOME/weir if not given, or $WEIR_DATA_DIR')
    .addHelpText('after', SERVE_HELP);
  addSettingFlags(serve, ['network.allowOrigins', 'output.quiet', 'model.name', 'dashboard.host', 'dashboard.insecure']).action(
    act(async (options, _args, signal) => {
      const { DATA_FOLDER_VARIABLE } = await import('../paths.ts');
      const folder = textOf(options, 'dataDir');
      if (folder !== undefined) process.env[DATA_FOLDER_VARIABLE] = path.resolve(folder);
      const { runServe } = await import('./serve.command.ts');
      return runServe(
        {
          role: textOf(options, 'role'),
          port: String(options['port']),
          hooksPort: String(options['hooksPort']),
          dashboardPort: String(options['dashboardPort']),
          host: String(options['host']),
          flags: givenFlags(options),
        },
        signal,
      );
    }),
  );
}

function addLoginLink(program: Command, act: Act): void {
  const link = program
    .command('login-link')
    .description('a link that signs you in to the dashboard once, within 15 minutes')
    .option('--address <url>', 'where the dashboard of the server is', 'http://127.0.0.1:4142');
  quiet(link).action(act(async options => (await import('./login-link.command.ts')).runLoginLink(String(options['address']), givenFlags(options))));
}

function addTokens(program: Command, act: Act): void {
  const token = program.command('token').description('bearer tokens, by which programs use the API of the dashboard');
  const load = () => import('./token.command.ts');
  const create = token
    .command('create')
    .description('make a token; it is printed once, on standard output')
    .option('--label <text>', 'for people', '')
    .option('--role <role>', 'viewer or admin', 'viewer')
    .option('--expires <when>', 'a span (30d, 12h) or a date (2027-01-31); never if not given');
  quiet(json(create)).action(act(async options => (await load()).runTokenCreate(options, givenFlags(options))));
  quiet(json(token.command('list').description('every token with its role and how it stands, never the token itself'))).action(
    act(async options => (await load()).runTokenList(isSet(options, 'json'), givenFlags(options))),
  );
  quiet(token.command('revoke').argument('<id>').description('end a token')).action(
    act(async (options, [id = '']) => (await load()).runTokenRevoke(id, givenFlags(options))),
  );
}

function addDemo(program: Command, act: Act): void {
  program
    .command('demo')
    .description('see all of it on this machine: the server, a simulated forge, a scripted model; no network, no key')
    .option('--once', 'run it, check what stands on the forge in the end, and end')
    .option('--forge <name>', 'which simulator; an unknown name prints them')
    .action(
      act(async (options, _args, signal) =>
        (await import('./demo.command.ts')).runDemo({ once: isSet(options, 'once'), forge: textOf(options, 'forge') }, signal),
      ),
    );
}

const RATES = 'dollars per million tokens';
const addPrice = (command: Command): Command =>
  command
    .option('--input-rate <amount>', `${RATES} of input, for example 2.50`)
    .option('--output-rate <amount>', `${RATES} of output`)
    .option('--cached-input-rate <amount>', `${RATES} of input from a cache`)
    .option('--cache-write-rate <amount>', `${RATES} of input that is written to a cache`)
    .option('--reasoning-rate <amount>', `${RATES} of reasoning; that of output if not given`)
    .option('--source <text>', 'where the rates were read')
    .option('--unmetered', 'calls cost nothing');

const addSecret = (command: Command): Command => command.option('--key-file <file>', "the provider's API key, from a file or - for standard input");

function addModels(program: Command, act: Act): void {
  const models = program.command('models').description('model providers, models, prices and credentials of the gateway');
  const load = () => import('./models.command.ts');
  const add = models
    .command('add')
    .argument('<model>', 'the name that callers use')
    .description('add a model, and its provider if that is new; or replace it')
    .requiredOption('--provider <name>', 'its model provider; a new one takes the preset of this name')
    .option('--preset <name>', 'what is known of the vendor: openai, openai-chat, anthropic, gemini, azure, azure-chat, ollama, vllm, deepseek, openrouter')
    .option('--base-url <url>', 'address of the API, usually up to /v1')
    .option('--upstream-model <id>', 'the exact id that the provider is asked for; the name if not given')
    .option('--facts <file>', 'capability facts of the model, as JSON')
    .option('--profile <file>', 'parameter dialect of the model, as JSON');
  quiet(addSecret(addPrice(add))).action(act(async (options, [name = '']) => (await load()).runModelsAdd(name, options)));
  quiet(json(models.command('list').description('every model, its route, its price and the state of its credentials'))).action(
    act(async options => (await load()).runModelsList(isSet(options, 'json'), givenFlags(options))),
  );
  const check = json(models.command('check').argument('[model]').description('whether each model could be called; exit code 1 where one could not'));
  addSettingFlags(check.option('--call', 'ask each of them one short question, which costs a few tokens'), ['network.allowOrigins', 'output.quiet']).action(
    act(async (options, [name], signal) => (await import('./models-check.command.ts')).runModelsCheck(name, options, signal)),
  );
  quiet(addPrice(models.command('price').argument('<model>').description('print or set the price of a model'))).action(
    act(async (options, [name = '']) => (await load()).runModelsPrice(name, options)),
  );
  const explain = models
    .command('explain')
    .description('what would become of a request from standard input: its route, and what happens to each tool')
    .option('--from <protocol>', 'what the client speaks: responses, chat, messages', 'responses')
    .option('--provider <name>', 'as if asked at /v1/at/<name>/');
  quiet(json(explain)).action(act(async (options, _args, signal) => (await import('./models-explain.command.ts')).runModelsExplain(options, signal)));
  quiet(models.command('remove').argument('<model>').description('remove a model that nobody uses, and its provider with its last one')).action(
    act(async (options, [name = '']) => (await load()).runModelsRemove(name, givenFlags(options))),
  );
  addCredentials(models, act);
}

function addCredentials(models: Command, act: Act): void {
  const credential = models.command('credential').description("the pool of a provider's API keys");
  const load = () => import('./models-credential.command.ts');
  const add = credential.command('add').argument('<provider>').description('add a key to the pool').option('--label <text>', 'for people', '');
  quiet(addSecret(add)).action(act(async (options, [provider = '']) => (await load()).runCredentialAdd(provider, options)));
  quiet(json(credential.command('list').description('every key by its reference, never the key itself'))).action(
    act(async options => (await load()).runCredentialList(isSet(options, 'json'), givenFlags(options))),
  );
  for (const [verb, what] of [
    ['disable', 'take a key out of use'],
    ['enable', 'take it into use again'],
    ['remove', 'delete it'],
  ] as const) {
    quiet(credential.command(verb).argument('<reference>').description(what)).action(
      act(async (options, [reference = '']) => (await load()).runCredentialChange(verb, reference, givenFlags(options))),
    );
  }
}

function addKeys(program: Command, act: Act): void {
  const keys = program.command('keys').description('virtual keys, which clients present to the gateway');
  const load = () => import('./keys.command.ts');
  const create = keys
    .command('create')
    .description('make a key; it is printed once, on standard output')
    .option('--label <text>', 'for people', '')
    .option('--budget <dollars>', 'what its calls may cost in all, for example 5.00')
    .option('--calls <number>', 'how many calls it may make')
    .option('--model <name>', 'a model that it may use, model or provider/model; may be repeated; all if not given', repeated)
    .option('--expires <when>', 'a span (30d, 12h) or a date (2027-01-31)')
    .option('--person <id>', 'whose key it is')
    .option('--run <id>', 'the run that it belongs to')
    .option('--service <id>', 'the service that it belongs to');
  quiet(json(create)).action(
    act(async ({ model, ...options }) =>
      // `--model` is a setting elsewhere, with one name.
      (await load()).runKeysCreate({ options, models: (model as readonly string[] | undefined) ?? [], flags: givenFlags(options) }),
    ),
  );
  quiet(json(keys.command('list').description('every key with its budget and what is spent'))).action(
    act(async options => (await load()).runKeysList(isSet(options, 'json'), givenFlags(options))),
  );
  quiet(keys.command('revoke').argument('<id>').description('end a key; calls under way are ended too')).action(
    act(async (options, [id = '']) => (await load()).runKeysRevoke(id, givenFlags(options))),
  );
}

function addSpend(program: Command, act: Act): void {
  const spend = program
    .command('spend')
    .description('what model calls have cost; calls whose cost is unknown first')
    .option('--by <group>', 'model, modelProvider, capability, virtualKey, run, person, review, repository, forge, credentialRef', 'model')
    .option('--since <when>', 'a span back from now (24h, 30d) or a date')
    .option('--until <when>', 'the same')
    .option('--run <id>', 'calls of this run alone')
    .option('--key <id>', 'calls of this virtual key alone');
  quiet(json(spend)).action(act(async options => (await import('./spend.command.ts')).runSpend(options)));
  const rotate = program
    .command('keyset')
    .description('the keys that encrypt stored credentials')
    .command('rotate')
    .description('make a new key, encrypt everything with it, and drop the key before the last; to be rid of a leaked one, rotate twice');
  quiet(rotate).action(act(async options => (await import('./keyset.command.ts')).runKeysetRotate(givenFlags(options))));
}

const PROTOCOL_FLAGS = 'responses, chat, messages';

/** Added to `weir debug`. Both are pure: no network, no database. */
function addGatewayDebug(program: Command, act: Act): void {
  const debug = program.commands.find(command => command.name() === 'debug');
  if (debug === undefined) throw new Error('debug is added before its commands');
  const load = () => import('./debug-convert.command.ts');
  const between = (name: string): Command =>
    debug
      .command(name)
      .requiredOption('--from <protocol>', `what the client speaks: ${PROTOCOL_FLAGS}`)
      .requiredOption('--to <protocol>', 'what the route speaks')
      .option('--facts <file>', 'capability facts of the route, as JSON');
  between('convert')
    .description('the request upstream that a request from standard input becomes, with the plan of its tools')
    .action(act(async (options, _args, signal) => (await load()).runDebugConvert(options, signal)));
  between('stream')
    .description("the client's stream that an upstream's stream from standard input becomes")
    .requiredOption('--request <file>', 'the request of the client that it answers')
    .action(act(async (options, _args, signal) => (await load()).runDebugStream(options, textOf(options, 'request') ?? '', signal)));
}

export function addGatewayCommands(program: Command, act: Act): void {
  for (const add of [addServe, addLoginLink, addTokens, addDemo, addModels, addKeys, addSpend, addGatewayDebug]) add(program, act);
}
