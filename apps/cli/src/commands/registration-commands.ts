/** The commands of the review server: accounts, repositories, reviews and what waits for a person. Each loads its own code when it runs. */
import type { Command } from 'commander';
import { type Act, isSet } from '../action.ts';
import { addSettingFlags, givenFlags } from '../flags.ts';

const repeated = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
const json = (command: Command): Command => command.option('--json', 'print JSON');
const quiet = (command: Command): Command => addSettingFlags(command, ['output.quiet']);
/** For commands that ask a forge. */
const asking = (command: Command): Command => addSettingFlags(command, ['network.allowOrigins', 'output.quiet']);

function addAccounts(program: Command, act: Act): void {
  const account = program.command('account').description("Weir's machine accounts at forges");
  const load = () => import('./account.command.ts');
  const add = account
    .command('add')
    .argument('<forge>', 'a provider, built in or of your own: weir provider list')
    .description('add an account, or give one a new secret; the forge is asked whose it is. The token is read from standard input')
    .option('--origin <url>', "address of the forge as people see it; the vendor's own if not given")
    .option('--base-url <url>', 'address of its API, if it is not the usual one')
    .option('--role <role>', 'reviewer: reads changes and posts; factory: writes changes', 'reviewer')
    .option('--id <name>', 'name for the commands; login@host if not given')
    .option('--token-env <name>', 'the environment variable that holds the token, instead of standard input')
    .option('--app-id <id>', 'of an app, instead of a token')
    .option('--installation <number>', "the app's installation")
    .option('--key-file <file>', "PEM of the app's private key, or - for standard input")
    .option('--manifest', 'make a new app at the forge, on a page of this machine, and keep its key')
    .option('--name <name>', 'of the new app, which the page lets you change; Weir if not given')
    .option('--organization <login>', 'that owns the new app; you, if not given')
    .option('--public-url <url>', 'where forges reach the ingress; the new app delivers there for all its repositories');
  const loadManifest = () => import('./account-manifest.command.ts');
  asking(add).action(
    act(async (options, [forge = ''], signal) =>
      isSet(options, 'manifest') ? (await loadManifest()).runAccountManifest(forge, options, signal) : (await load()).runAccountAdd(forge, options),
    ),
  );
  quiet(json(account.command('list').description('every account with its scopes and what they lack, never its secret'))).action(
    act(async options => (await load()).runAccountList(isSet(options, 'json'), givenFlags(options))),
  );
  const check = account
    .command('check')
    .argument('<id>')
    .description('ask the forge again whose credential it is, and clear what it once rejected')
    .option('--installation <number>', 'of an app that is installed in several places');
  asking(check).action(act(async (options, [id = ''], signal) => (await load()).runAccountCheck(id, options, signal)));
  const set = account
    .command('set')
    .argument('<id>')
    .description('whose changes are reviewed, and which bots may command; each flag replaces its list')
    .option('--author <login>', 'login, or id:<stable id>; may be repeated', repeated)
    .option('--any-author', 'everyone again')
    .option('--bot <login>', 'a bot whose commands are obeyed; may be repeated', repeated)
    .option('--without-bots', 'no bot again');
  asking(set).action(act(async (options, [id = '']) => (await load()).runAccountSet(id, options)));
  quiet(account.command('remove').argument('<id>').description('delete an account that no repository uses')).action(
    act(async (options, [id = '']) => (await load()).runAccountRemove(id, givenFlags(options))),
  );
}

const addRules = (command: Command): Command =>
  command
    .option('--observe', 'run everything and post nothing')
    .option('--drafts', 'review drafts too')
    .option('--cost', 'show the cost in comments')
    .option('--block-on <severity>', 'the check fails from this severity on: blocker, major, minor, note, none')
    .option('--factory <account>', "the account whose changes are the factory's, or none")
    .option('--public-url <url>', 'where forges reach the ingress; the webhook is registered with it');

function addRepositories(program: Command, act: Act): void {
  const repo = program.command('repo').description('the repositories whose changes are reviewed');
  const load = () => import('./repo.command.ts');
  const add = repo
    .command('add')
    .argument('<url>', 'as in the browser, or of git')
    .description('register a repository and its webhook; where that is not possible, print what to enter by hand')
    .option('--account <id>', 'the reviewer, where several are for this forge');
  asking(addRules(add)).action(act(async (options, [url = '']) => (await load()).runRepoAdd(url, options)));
  quiet(json(repo.command('list').description('every repository, its rules and its last delivery'))).action(
    act(async options => (await load()).runRepoList(isSet(options, 'json'), givenFlags(options))),
  );
  const set = addRules(repo.command('set').argument('<repository>', 'id or owner/name').description('change its rules, or register its webhook anew'))
    .option('--no-observe', 'post again')
    .option('--no-drafts', 'no drafts')
    .option('--no-cost', 'no cost in comments')
    .option('--deny <login>', 'obeys none of their commands; login, or id:<stable id>; may be repeated, and replaces the list', repeated)
    .option('--without-denied', 'nobody is denied again')
    .option('--grant <login>', 'obeys them without measuring their permission; may be repeated, and replaces the list', repeated)
    .option('--without-granted', 'everybody is measured again');
  asking(set).action(act(async (options, [name = '']) => (await load()).runRepoSet(name, options)));
  asking(
    repo.command('remove').argument('<repository>', 'id or owner/name').description('forget a repository and delete its webhook; its reviews stay'),
  ).action(act(async (options, [name = '']) => (await load()).runRepoRemove(name, givenFlags(options))));
}

function addReviews(program: Command, act: Act): void {
  const reviews = program.command('reviews').description('what became of each change');
  const load = () => import('./reviews.command.ts');
  const list = reviews
    .command('list', { isDefault: true })
    .description('the newest reviews first')
    .option('--status <status>', 'queued, failed, completed …; may be repeated', repeated)
    .option('--repository <owner/name>')
    .option('--change <number>')
    .option('--archived', 'those of the archive')
    .option('--limit <number>', 'at most 500')
    .option('--after <place>', 'the next page, as the page before says');
  quiet(json(list)).action(act(async options => (await load()).runReviewsList(options)));
  const named = (verb: string, description: string): Command =>
    quiet(reviews.command(verb).argument('<review>', 'its id, or owner/name#12').description(description));
  json(named('show', 'its rounds and its timeline')).action(
    act(async (options, [name = '']) => (await load()).runReviewsShow(name, isSet(options, 'json'), givenFlags(options))),
  );
  named('rerun', 'another round, although the head has had one').action(
    act(async (options, [name = '']) => (await load()).runReviewsRerun(name, givenFlags(options))),
  );
  for (const [verb, what] of [
    ['archive', 'retire it: nothing starts work any more, and nothing is deleted'],
    ['restore', 'take it out of the archive'],
  ] as const) {
    named(verb, what).action(act(async (options, [name = '']) => (await load()).runReviewsArchive(name, verb, givenFlags(options))));
  }
}

function addInbox(program: Command, act: Act): void {
  const attention = program.command('attention').description('what needs a person, as things stand now');
  const loadAttention = () => import('./attention.command.ts');
  quiet(json(attention.command('list', { isDefault: true }).description('what stands still first'))).action(
    act(async options => (await loadAttention()).runAttention(isSet(options, 'json'), givenFlags(options))),
  );
  quiet(
    attention
      .command('acknowledge')
      .argument('<kind>', 'unpriced_calls or unregistered_delivery')
      .argument('[subject]', 'owner/name of the repository that sends them')
      .description('say that you know of what nobody can mend any more; it comes back with a new cause'),
  ).action(act(async (options, [kind = '', subject]) => (await loadAttention()).runAttentionAcknowledge(kind, subject, givenFlags(options))));
  const letters = program.command('deadletters').description('messages and work that could not be processed');
  const load = () => import('./deadletters.command.ts');
  quiet(json(letters.command('list', { isDefault: true }).description('the newest first, with the last failure'))).action(
    act(async options => (await load()).runDeadLettersList(isSet(options, 'json'), givenFlags(options))),
  );
  for (const [verb, what] of [
    ['replay', 'process it again, with fresh attempts'],
    ['drop', 'give it up'],
  ] as const) {
    quiet(letters.command(verb).argument('<id>').description(what)).action(
      act(async (options, [id = '']) => (await load()).runDeadLetterChange(verb, id, givenFlags(options))),
    );
  }
  const replay = program
    .command('replay')
    .argument('[delivery]', 'id of a delivery that is kept; without one they are listed')
    .description('take a delivery of a forge once more; its signature is not checked')
    .option('--file <file>', 'a payload, or - for standard input')
    .option('--registration <id>', 'the last part of the address of its webhook, for --file')
    .option('--event <name>', 'the name of its event, for --file');
  quiet(json(replay)).action(act(async (options, [delivery]) => (await import('./replay.command.ts')).runReplay(delivery, options)));
}

export function addRegistrationCommands(program: Command, act: Act): void {
  for (const add of [addAccounts, addRepositories, addReviews, addInbox]) add(program, act);
}
