/**
 * Every failure that Weir names. `docs/reference/errors.md` has one heading for each, held by a test.
 * `exit` is the exit code of the CLI (80-surfaces 3.3); `retry` says whether the same call may succeed later.
 */
export const EXIT = {
  clean: 0,
  findings: 1,
  usage: 2,
  configuration: 3,
  refused: 4,
  upstream: 5,
  incomplete: 6,
  bug: 70,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface ErrorRow {
  readonly exit: ExitCode;
  readonly retry: 'never' | 'later';
  /** When it is raised, in one sentence. */
  readonly when: string;
  /** What a person does next, in one sentence. */
  readonly next: string;
}

const row = (exit: ExitCode, retry: ErrorRow['retry'], when: string, next: string): ErrorRow => ({ exit, retry, when, next });

export const ERRORS = {
  USAGE: row(EXIT.usage, 'never', 'The command line asks for something that does not exist or contradicts itself.', 'Run the command with `--help`.'),
  NOT_A_REPOSITORY: row(
    EXIT.usage,
    'never',
    'The folder is not inside a git repository.',
    'Go into a repository, name one with `-C <folder>`, or pipe a diff: `git diff | weir review --diff -`.',
  ),
  GIT_UNAVAILABLE: row(
    EXIT.configuration,
    'never',
    'The git program is missing or older than 2.30.',
    'Install git 2.30 or newer, or pipe a diff with `--diff -`.',
  ),
  UNKNOWN_REVISION: row(
    EXIT.usage,
    'never',
    'A revision of the range does not exist in this repository.',
    'Check the name with `git rev-parse <name>`; in a shallow clone fetch more history first.',
  ),
  NO_MERGE_BASE: row(
    EXIT.usage,
    'never',
    'The two revisions share no commit, or a shallow clone has cut it off.',
    'Fetch more history (`git fetch --unshallow`) or name both ends: `weir review <from>..<to>`.',
  ),
  GIT_FAILED: row(
    EXIT.usage,
    'never',
    'A git command failed for a reason that Weir does not know.',
    'Read the message of git, and run the command that it names.',
  ),
  DIFF_UNREADABLE: row(
    EXIT.usage,
    'never',
    'The input is not a diff: it has text, and no section of a diff.',
    'Pipe the output of git diff; a shell that writes UTF-16 has to be told to write UTF-8.',
  ),
  OUTPUT_UNWRITABLE: row(EXIT.configuration, 'never', 'Standard output cannot be written.', 'Check the disk, or where the output goes.'),
  FILE_UNREADABLE: row(EXIT.usage, 'never', 'A file named on the command line cannot be read.', 'Check the path and its permissions.'),
  INPUT_TOO_LARGE: row(
    EXIT.refused,
    'never',
    'An input is larger than the limit that protects memory.',
    'Split the input, or raise the limit that the message names.',
  ),
  CONFIG_INVALID: row(
    EXIT.configuration,
    'never',
    'A settings file, an environment variable or a flag has a value that is not allowed.',
    'Correct the value that the message names; `weir config print --origin` shows where each comes from.',
  ),
  IMPORT_INVALID: row(EXIT.usage, 'never', 'An imported report is not SARIF, checkstyle or rdjson.', 'Check the file; `weir help import` lists what is read.'),
  FINDING_UNKNOWN: row(EXIT.usage, 'never', 'No finding of the last review has this id.', 'List them with `weir show`.'),
  NO_LAST_REVIEW: row(EXIT.usage, 'never', 'No review of this repository is kept in the state directory.', 'Run `weir review` first.'),
  STATE_UNWRITABLE: row(EXIT.configuration, 'never', 'The state directory cannot be written.', 'Check its permissions, or name another with `--state-dir`.'),
  URL_REFUSED: row(
    EXIT.configuration,
    'never',
    'An outgoing address is not https, or leads into a private network.',
    'Use an https address, or allow this one origin in `network.allowOrigins`.',
  ),
  MODEL_UNREACHABLE: row(
    EXIT.upstream,
    'later',
    'The model endpoint cannot be reached, or answered with a server error.',
    'Check `model.baseUrl` and the network, then run the review again.',
  ),
  MODEL_TIMEOUT: row(EXIT.upstream, 'later', 'The model did not answer within its deadline.', 'Run again, or raise `model.timeoutSeconds`.'),
  MODEL_RATE_LIMITED: row(EXIT.upstream, 'later', 'The model endpoint limits the rate of calls.', 'Wait for the time that the message names, then run again.'),
  MODEL_REJECTED: row(
    EXIT.configuration,
    'never',
    'The model endpoint refuses the key, the model name or the request.',
    'Check `model.key` and `model.name`; the message holds the answer of the endpoint.',
  ),
  MODEL_GARBLED: row(
    EXIT.upstream,
    'later',
    'The model endpoint answered with something that is not its protocol.',
    'Check that `model.baseUrl` is the root of a Chat Completions API (it often ends in `/v1`).',
  ),
  DATABASE_UNAVAILABLE: row(
    EXIT.upstream,
    'later',
    'The database cannot be reached or is shutting down.',
    'Check that it runs and that its address is right, then try again.',
  ),
  DATABASE_CONFLICT: row(EXIT.upstream, 'later', 'Two transactions met, and this one gave way.', 'Run it again.'),
  DATABASE_REFUSED: row(EXIT.bug, 'never', 'The database refuses a statement.', 'Report it with the message.'),
  MIGRATION_REFUSED: row(
    EXIT.configuration,
    'never',
    'The database holds migrations that this program does not know, or knows otherwise.',
    'Use the version of Weir that made it, or an empty database.',
  ),
  DATABASE_LOCKED: row(
    EXIT.configuration,
    'never',
    'Another process has the embedded database open.',
    'Stop the other process, or use another data directory.',
  ),
  KAFKA_UNAVAILABLE: row(
    EXIT.upstream,
    'later',
    'The Kafka broker cannot be reached, or refuses a request.',
    'Check that it runs and that its address is right; what could not be published waits in the outbox.',
  ),
  WORK_GIVEN_UP: row(
    EXIT.bug,
    'never',
    'A piece of work of a review was given up for a fault that nobody foresaw.',
    'Read it in the dead letters: weir deadletters list. Report it.',
  ),
  DESCRIPTOR_INVALID: row(EXIT.configuration, 'never', "A provider's descriptor does not fit its schema.", 'Correct the key that the message names.'),
  COMPILE_FAILED: row(
    EXIT.configuration,
    'never',
    "A provider's description cannot be compiled.",
    'Read the operation, the place and the mend that the message names.',
  ),
  OPERATION_UNKNOWN: row(EXIT.usage, 'never', 'The provider has no such operation.', 'Search for it: weir provider search <provider> <words>.'),
  ARGUMENTS_INVALID: row(EXIT.usage, 'never', 'The arguments do not fit the operation.', 'Look them up: weir provider describe <provider> <operation>.'),
  REGISTRATION_INVALID: row(
    EXIT.configuration,
    'never',
    'An account, a repository or a hook may not be registered, changed or deleted like this.',
    'The message names the rule; change what it names.',
  ),
  FORGE_RATE_LIMITED: row(EXIT.upstream, 'later', 'A provider limits the rate of calls.', 'Wait for the time that the message names.'),
  FORGE_NOT_FOUND: row(
    EXIT.usage,
    'never',
    'A provider has no such object, or hides it from this credential.',
    'Check the names, and whether the credential may read it.',
  ),
  FORGE_CONFLICT: row(EXIT.upstream, 'later', 'The object has changed since it was read.', 'Read it again, then repeat.'),
  FORGE_UNPROCESSABLE: row(EXIT.usage, 'never', 'A provider refuses the content of a request.', "Read the provider's message; it names the field."),
  FORGE_UNAUTHORIZED: row(
    EXIT.configuration,
    'never',
    'A provider does not accept the credential, or there is none.',
    'Check the credential: weir provider explain names where it is looked for.',
  ),
  FORGE_FORBIDDEN: row(EXIT.configuration, 'never', 'The credential may not do this.', 'Give it the scope that the message names, or use another.'),
  FORGE_UNAVAILABLE: row(EXIT.upstream, 'later', 'A provider cannot be reached, or answers with an error of its own.', 'Try again later.'),
  FORGE_BOUND_EXCEEDED: row(
    EXIT.refused,
    'never',
    'An answer is larger, or a list longer, than its bound.',
    'Narrow the question; the message names the bound.',
  ),
  FORGE_DEPRECATED: row(
    EXIT.upstream,
    'never',
    'The operation, or the version of the API, has ended.',
    'Move the pin of the provider to a newer description and compile again (docs/guides/provider-pins.md).',
  ),
  FORGE_DENIED: row(
    EXIT.refused,
    'never',
    'The policy of the provider does not allow this call.',
    "Name the operation in allowed_mutations of the operator's policy/<provider>.yaml, if it is meant.",
  ),
  CASSETTE_REFUSED: row(
    EXIT.refused,
    'never',
    'A recording was not kept, because it would hold what looks like a secret.',
    'Record an object without it; nothing was kept.',
  ),
  MODEL_UNKNOWN: row(
    EXIT.usage,
    'never',
    'No model of this name is configured, or the name means several.',
    'List the models with `weir models list`; the message names the nearest.',
  ),
  MODEL_UNPRICED: row(
    EXIT.configuration,
    'never',
    'A model has neither rates nor the word that it is unmetered.',
    'Give its rates, or declare it unmetered: `weir models price`.',
  ),
  MODEL_INVALID: row(EXIT.configuration, 'never', 'A row of a model or of a model provider is not allowed.', 'Correct the field that the message names.'),
  MODEL_IN_USE: row(
    EXIT.refused,
    'never',
    'A model or a model provider that is in use cannot be renamed or deleted.',
    'Release it first; the message names who uses it.',
  ),
  CREDENTIALS_EXHAUSTED: row(
    EXIT.upstream,
    'later',
    'No credential of a model provider can be used now.',
    'Wait for the time that the message names, or add a credential.',
  ),
  KEY_INVALID: row(EXIT.configuration, 'never', 'A virtual key is unknown, revoked or expired.', 'Ask the operator for a new one: `weir keys create`.'),
  KEY_ROUTE_DENIED: row(EXIT.refused, 'never', 'A virtual key may not use this model.', 'Use a model that the message names, or another key.'),
  BUDGET_SPENT: row(EXIT.refused, 'never', 'The budget of a virtual key is spent.', 'Ask the operator for a key with a larger budget.'),
  CAP_REACHED: row(EXIT.refused, 'later', 'The deployment has spent what its limit allows in the window.', 'Wait, or raise the limit.'),
  CAP_UNENFORCEABLE: row(EXIT.upstream, 'later', 'The ledger cannot be read, so that a limit is not enforced.', 'Check the database.'),
  SECRET_UNREADABLE: row(
    EXIT.configuration,
    'never',
    'A stored secret cannot be decrypted: its key is missing, or it was changed or moved.',
    'Restore the keyset that the message names, or enter the secret again.',
  ),
  KEYSET_INVALID: row(
    EXIT.configuration,
    'never',
    'The keyset is missing, not readable by its owner alone, or not a keyset.',
    'Restore it from its backup; nothing that it encrypted can be read without it.',
  ),
  REVIEW_REFUSED: row(
    EXIT.refused,
    'never',
    'A change is not reviewed, by a rule: it is closed, a draft, too large, or has moved on.',
    'Read the sentence; it names the rule.',
  ),
  NOT_FOUND: row(EXIT.usage, 'never', 'The API has no such object.', 'Look at the list that it would be in.'),
  REQUEST_INVALID: row(
    EXIT.usage,
    'never',
    'A request to the API does not fit its description.',
    'Correct the field that the message names; /openapi.json describes each.',
  ),
  SIGN_IN_REQUIRED: row(EXIT.refused, 'never', 'The API is asked without a session or token that is valid.', 'Sign in, or send a bearer token.'),
  ROLE_REQUIRED: row(EXIT.refused, 'never', 'Somebody asks the API for what their role may not do.', 'Ask an admin.'),
  IDENTITY_PROVIDER_FAILED: row(
    EXIT.upstream,
    'later',
    'The identity provider is not reached, or refuses this server.',
    'Try again; if it stays so, look at the oidc settings and at the log of the server.',
  ),
  CROSS_SITE_REFUSED: row(
    EXIT.refused,
    'never',
    'A write with a cookie comes from a page of another site, or the server is asked by another name than its own.',
    'Open the dashboard at its own address; programs send a bearer token.',
  ),
  KEY_REUSED: row(EXIT.usage, 'never', 'An Idempotency-Key was used before, for another request.', 'Make a new key for each request.'),
  KEY_IN_USE: row(EXIT.upstream, 'later', 'A request with this Idempotency-Key is still under way.', 'Send it again in a few seconds.'),
  TOO_MANY_REQUESTS: row(EXIT.upstream, 'later', 'There are too many attempts to sign in, or too many open feeds.', 'Wait a minute.'),
  COMMAND_REFUSED: row(EXIT.refused, 'never', 'A review does not take a command as it stands now.', 'Read how it stands; the message says why it refuses.'),
  NOT_AVAILABLE: row(EXIT.refused, 'never', 'The feature is not built yet.', 'Read the sentence; it names what works today.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
