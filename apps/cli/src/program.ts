/**
 * The command line. Each command loads its own code when it runs, so that help stays quick.
 * `run` gives the exit code; main.ts alone ends the process.
 */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { Command, CommanderError } from 'commander';
import { type Act, type Action, isSet, type Options, textOf } from './action.ts';
import { addGatewayCommands } from './commands/gateway-commands.ts';
import { addCallCommands } from './commands/provider-calls.ts';
import { addPinCommands } from './commands/provider-pins.ts';
import { addRegistrationCommands } from './commands/registration-commands.ts';
import { addSettingFlags, givenFlags } from './flags.ts';
import { WEIR_VERSION } from './version.ts';

const MODEL_SETTINGS = ['model.baseUrl', 'model.name', 'model.maxCalls', 'network.allowOrigins'];
const REVIEW_SETTINGS = [
  'review.base',
  'review.failOn',
  'review.exclude',
  'review.specialists',
  'output.format',
  'output.quiet',
  'output.verbose',
  'state.dir',
  ...MODEL_SETTINGS,
];

const POST_SETTINGS = ['forge.user', 'forge.provider', 'forge.apiUrl', 'post.observe', 'post.drafts', 'post.blockOn'];

const folderOf = (options: Options): string => (typeof options['C'] === 'string' ? options['C'] : '.');

const changeOf = (options: Options, range: string | undefined) => ({
  folder: folderOf(options),
  range,
  staged: options['staged'] === true,
  workingTree: options['workingTree'] === true,
  diff: options['diff'] as string | undefined,
});

const addChangeOptions = (command: Command): Command =>
  command
    .argument('[range]', 'commits: A..B, A...B, or A for this branch since A')
    .option('--staged', 'what the next commit would hold')
    .option('--working-tree', 'staged, unstaged and untracked changes')
    .option('--diff <file>', 'a diff from a file, or - for standard input');

const EXAMPLES = `
Examples:
  weir review                      uncommitted work, or this branch
  weir review --base main          what HEAD adds to main
  git diff | weir review --diff -  a diff from anywhere
  weir help topics                 more help`;

const repeated = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

function reviewFlags(options: Options): Options {
  if (isSet(options, 'json') && options['format'] !== undefined && options['format'] !== 'json')
    throw new AppError('USAGE', `--json and --format ${String(options['format'])} name two formats`);
  return { ...givenFlags(options), ...(isSet(options, 'json') ? { '--format': 'json' } : {}) };
}

const review: Action = async (options, args, signal) => {
  if (options['post'] !== undefined) return postReview(options, args, signal);
  const alone = POST_OPTIONS.filter(name => options[name] !== undefined).map(dashed);
  if (alone.length > 0) throw new AppError('USAGE', `${alone.join(' and ')} needs --post <address>`);
  const { runReview } = await import('./commands/review.command.ts');
  const flags = reviewFlags(options);
  const [range] = args;
  const imports = (options['import'] as readonly string[] | undefined) ?? [];
  return runReview({ change: changeOf(options, range), flags, imports, colour: options['color'] !== false }, signal);
};

/** Options that say what is reviewed on this machine, and those that say how it is posted. */
const LOCAL_OPTIONS = ['staged', 'workingTree', 'diff', 'import', 'base'];
const POST_OPTIONS = ['tokenFile', 'force', 'forge', 'forgeUser', 'forgeApi', 'observe', 'drafts', 'blockOn'];

const dashed = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

const postReview: Action = async (options, [range], signal) => {
  const local = [...(range === undefined ? [] : ['a range']), ...LOCAL_OPTIONS.filter(name => options[name] !== undefined).map(dashed)];
  if (local.length > 0) throw new AppError('USAGE', `${local.join(' and ')} cannot go with --post, which reads the change from its forge`);
  const { runPostReview } = await import('./commands/post-review.command.ts');
  const post = { url: String(options['post']), tokenFile: textOf(options, 'tokenFile'), force: isSet(options, 'force') };
  return runPostReview({ ...post, flags: reviewFlags(options), folder: folderOf(options), colour: options['color'] !== false }, signal);
};

const show: Action = async (options, [id]) => {
  const { runShow } = await import('./commands/show.command.ts');
  return runShow(id, { folder: folderOf(options), flags: givenFlags(options), json: isSet(options, 'json'), colour: options['color'] !== false });
};

const configPrint: Action = async options => {
  const { runConfigPrint } = await import('./commands/config.command.ts');
  return runConfigPrint(folderOf(options), givenFlags(options), { origin: isSet(options, 'origin'), json: isSet(options, 'json') });
};

const debugPrompt: Action = async (options, [range], signal) => {
  const { runDebugPrompt } = await import('./commands/debug-prompt.command.ts');
  return runDebugPrompt(changeOf(options, range), givenFlags(options), signal);
};

function addReview(program: Command, act: Act): void {
  const command = addChangeOptions(program.command('review').description('review a change and print its findings'))
    .option('--import <file>', 'findings of another tool: SARIF, checkstyle or rdjson; may be repeated', repeated)
    .option('--json', 'short for --format json')
    .option('--post <address>', 'review the change of this page, a pull or merge request, and post there (weir help post)')
    .option('--token-file <file>', 'with --post: a file with the token, or - for standard input; else WEIR_FORGE_TOKEN')
    .option('--force', 'with --post: another round of a head that has had one');
  addSettingFlags(command, [...REVIEW_SETTINGS, ...POST_SETTINGS]).action(act(review));
  const shown = program.command('show').description('show a finding of the last review, or all of them').argument('[finding]', 'its short id, for example 1a');
  addSettingFlags(shown.option('--json', 'print JSON'), ['state.dir']).action(act(show));
}

function addInformation(program: Command, act: Act): void {
  program
    .command('rules')
    .description('list the rules, or print the page of one')
    .argument('[id]')
    .option('--json', 'print JSON')
    .action(act(async (options, [id]) => (await import('./commands/rules.command.ts')).runRules(id, { json: isSet(options, 'json') })));
  program
    .command('init')
    .description('write .weir/config.yaml and .weir/rules.md into this repository')
    .action(act(async options => (await import('./commands/init.command.ts')).runInit(folderOf(options))));
  addSettingFlags(program.command('doctor').description('check this machine, the settings and the model endpoint').option('--json', 'print JSON'), [
    ...MODEL_SETTINGS,
    'state.dir',
  ]).action(
    act(async (options, _args, signal) =>
      (await import('./commands/doctor.command.ts')).runDoctor(folderOf(options), givenFlags(options), isSet(options, 'json'), signal),
    ),
  );
  const print = program.command('config').description('settings').command('print').description('print every setting');
  addSettingFlags(print.option('--origin', 'say where each comes from').option('--json', 'print JSON'), REVIEW_SETTINGS).action(act(configPrint));
}

function addDebug(program: Command, act: Act): void {
  const debug = program.command('debug').description('print what Weir makes of an input, as JSON, for bug reports (docs/reference/debug.md)');
  debug
    .command('diff')
    .description('parse a diff from standard input')
    .action(act(async (_options, _args, signal) => (await import('./commands/debug-diff.command.ts')).runDebugDiff(signal)));
  debug
    .command('anchor')
    .description('find a line of a diff from standard input')
    .requiredOption('--path <path>', 'path of the file, on either side')
    .requiredOption('--line <number>', 'first line')
    .option('--end <number>', 'last line; the first if not given')
    .option('--side <side>', 'new or old; new first, then old if not given')
    .action(act(async (options, _args, signal) => (await import('./commands/debug-diff.command.ts')).runDebugAnchor(options, signal)));
  debug
    .command('findings')
    .description("read a model's answer from standard input")
    .option('--finish <reason>', 'how the answer ended: stop, length, refused, other, unknown', 'unknown')
    .action(act(async (options, _args, signal) => (await import('./commands/debug-findings.command.ts')).runDebugFindings(String(options['finish']), signal)));
  const prompt = addChangeOptions(debug.command('prompt').description('print exactly what a model would get for a change, slot by slot'));
  addSettingFlags(prompt, ['review.base', 'review.exclude', 'review.specialists', 'model.maxCalls']).action(act(debugPrompt));
}

function addVerify(provider: Command, act: Act): void {
  const verify = provider
    .command('verify')
    .argument('[provider...]')
    .description('compile again and compare to the byte; exit code 6 where the description is not at hand')
    .option('--all', 'every provider, as without a name')
    .option('--specs <folder>', 'where descriptions lie')
    .option('--live', "instead: ask a repository on the vendor's server; an answer that the descriptor does not expect is drift; nothing is written")
    .option('--repository <owner/name>', 'the repository of --live; best a scratch one, with a token that reads alone')
    .option('--base-url <url>', 'address of an instance of your own, for --live')
    .option('--json', 'print JSON, for --live');
  addSettingFlags(verify, ['network.allowOrigins']).action(
    act(async (options, names, signal) => {
      if (!isSet(options, 'live')) return (await import('./commands/provider.command.ts')).runProviderVerify(names, textOf(options, 'specs'));
      const [name, more] = names;
      const repository = textOf(options, 'repository');
      if (name === undefined || more !== undefined || repository === undefined)
        throw new AppError('USAGE', '--live takes one provider and --repository owner/name');
      return (await import('./commands/provider-live.command.ts')).runProviderLive(
        { provider: name, repository, baseUrl: textOf(options, 'baseUrl'), json: isSet(options, 'json'), flags: givenFlags(options) },
        signal,
      );
    }),
  );
}

function addProvider(program: Command, act: Act): void {
  const provider = program.command('provider').description("the providers' published APIs, compiled");
  const load = () => import('./commands/provider.command.ts');
  const json = (command: Command): Command => command.option('--json', 'print JSON');
  json(provider.command('list').description('every provider, its version, its operations')).action(
    act(async options => (await load()).runProviderList(isSet(options, 'json'))),
  );
  provider
    .command('compile')
    .argument('<provider>')
    .description('compile its table from the pinned description, which `pin` keeps in the cache; no network')
    .option('--specs <folder>', 'where descriptions lie; found by digest')
    .action(act(async (options, [name = '']) => (await load()).runProviderCompile(name, options['specs'] as string | undefined)));
  addVerify(provider, act);
  json(
    provider
      .command('doctor')
      .argument('[provider...]')
      .description('check the bindings against the tables')
      .option('--all', 'every provider, as without a name'),
  ).action(act(async (options, names) => (await load()).runProviderDoctor(names, isSet(options, 'json'))));
  json(provider.command('explain').argument('<provider>').argument('<verb>').description('how a verb is carried out there')).action(
    act(async (options, [name = '', verb = '']) => (await load()).runProviderExplain(name, verb, isSet(options, 'json'))),
  );
  json(provider.command('describe').argument('<provider>').argument('<operation>').description('parameters and body of an operation')).action(
    act(async (options, [name = '', id = '']) => (await load()).runProviderDescribe(name, id, isSet(options, 'json'))),
  );
  json(provider.command('search').argument('<provider>').argument('<words...>').description('find operations by words')).action(
    act(async (options, [name = '', ...words]) => (await load()).runProviderSearch(name, words, isSet(options, 'json'))),
  );
  addPinCommands(provider, act);
  addCallCommands(provider, act);
}

function addProviderDebug(program: Command, act: Act): void {
  const debug = program.commands.find(command => command.name() === 'debug');
  if (debug === undefined) throw new Error('debug is added before its commands');
  const load = () => import('./commands/provider-call.command.ts');
  debug
    .command('response')
    .description('classify an answer from standard input, map its result, find its next page')
    .requiredOption('--provider <name>')
    .requiredOption('--operation <id>')
    .requiredOption('--status <number>')
    .option('--header <name=value>', 'a header of the answer; may be repeated', repeated)
    .action(
      act(async (options, _args, signal) =>
        (await load()).runDebugResponse(
          {
            provider: String(options['provider']),
            operation: String(options['operation']),
            status: String(options['status']),
            headers: (options['header'] as readonly string[] | undefined) ?? [],
          },
          signal,
        ),
      ),
    );
  debug
    .command('webhook')
    .description('the integration event that a payload from standard input becomes')
    .requiredOption('--provider <name>')
    .requiredOption('--event <name>')
    .action(act(async (options, _args, signal) => (await load()).runDebugWebhook(String(options['provider']), String(options['event']), signal)));
}

/** Builds the program. `act` receives the chosen command's work and runs it. */
export function buildProgram(act: Act): Command {
  const program = new Command('weir')
    .description('Reviews a change before it is pushed: deterministic checks, and a model if one is configured.')
    .version(WEIR_VERSION, '-V, --version', 'print the version')
    .option('-C <folder>', 'run as if started in this folder')
    .option('--no-color', 'no colour (also NO_COLOR)')
    .helpCommand('help [command]', 'help for a command or a topic; `weir help topics` lists the topics')
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('try: weir help, or weir <command> --help')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'error[USAGE]: ')) })
    .exitOverride();
  for (const add of [addReview, addInformation, addProvider, addDebug, addProviderDebug, addGatewayCommands, addRegistrationCommands]) add(program, act);
  return program;
}

const HELP_CODES: ReadonlySet<string> = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

/** `weir help <topic>` for topics; undefined leaves the rest to the parser. */
async function topicText(args: readonly string[]): Promise<string | undefined> {
  if (args[0] !== 'help' || args[1] === undefined) return undefined;
  const { helpTopic } = await import('./commands/help-topics.ts');
  const text = helpTopic(args[1]);
  const commands = buildProgram(() => () => undefined).commands.map(command => command.name());
  if (text === undefined && !commands.includes(args[1]))
    throw new AppError('USAGE', `there is no command or topic ${args[1]}`, { next: 'List the topics: weir help topics.' });
  return text;
}

/** Runs one command line. @param args without node and script. */
export async function run(args: readonly string[], signal: AbortSignal): Promise<ExitCode> {
  const topic = await topicText(args);
  if (topic !== undefined) {
    process.stdout.write(topic);
    return EXIT.clean;
  }
  let work: Promise<ExitCode> | undefined;
  const program = buildProgram(action => (...parameters) => {
    const command = parameters.at(-1) as Command;
    work = action(command.optsWithGlobals(), command.args, signal);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return HELP_CODES.has(error.code) ? EXIT.clean : EXIT.usage;
  }
  if (work === undefined) throw new AppError('USAGE', 'no command was given');
  return work;
}
