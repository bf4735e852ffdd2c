/**
 * What `doctor` finds in a descriptor against its operation table (PRV-6): each rule is a function of one call, each finding
 * names verb, call and mend.
 */
import { type ProviderDescriptor, type Verb, VERBS } from '@weir/contract';
import { nearestName, type OperationRow, type OperationTable } from '@weir/operation-table';
import { argumentNames, missingArguments } from './argument-names.ts';
import { type BoundCall, callsOf } from './calls-of.ts';
import { resolveOperation } from './resolve-operation.ts';

export type BindingRule =
  | 'unbound'
  | 'no-operation'
  | 'no-document'
  | 'unknown-argument'
  | 'missing-argument'
  | 'deprecated'
  | 'removal-near'
  | 'cloud-only'
  | 'not-for-apps'
  | 'credential-header'
  | 'unknown-mutation';

export interface BindingFinding {
  readonly severity: 'error' | 'warning';
  readonly rule: BindingRule;
  /** Null where the finding is about no verb. */
  readonly verb: Verb | null;
  /** Name of the call inside the binding; null where it is about the verb as a whole. */
  readonly call: string | null;
  readonly message: string;
  readonly suggestion?: string;
}

/** What a descriptor alone does not say. */
export interface DoctorFacts {
  /** ISO date, for removal windows. */
  readonly today: string;
  /** The credential in use is an app's; default: what the descriptor's scheme says. */
  readonly appCredential?: boolean;
}

/** Days before a removal from which it is warned of (PRV-6). */
const REMOVAL_WINDOW_DAYS = 90;
const DAY_MS = 86_400_000;
const CREDENTIAL_HEADERS = ['authorization', 'private-token', 'job-token', 'cookie', 'sudo', 'proxy-authorization', 'x-gitea-otp', 'x-forgejo-otp'];

interface Examined {
  readonly descriptor: ProviderDescriptor;
  readonly table: OperationTable;
  readonly facts: DoctorFacts;
  readonly verb: Verb;
  readonly call: BoundCall;
}
type Note = Omit<BindingFinding, 'verb' | 'call'>;

/** Every finding, in the order of the verbs. An empty list is a healthy descriptor. A forge speaks of every verb; a registry binds what it has. */
export const checkBindings = (descriptor: ProviderDescriptor, table: OperationTable, facts: DoctorFacts): readonly BindingFinding[] => [
  ...VERBS.flatMap(verb => checkVerb({ descriptor, table, facts, verb })),
  ...checkPolicy(descriptor, table),
];

function checkVerb(examined: Omit<Examined, 'call'>): readonly BindingFinding[] {
  const { descriptor, verb } = examined;
  const binding = descriptor.capabilities[verb];
  const instead = descriptor.unsupported[verb];
  if (binding === undefined && instead === undefined && descriptor.kind === 'forge')
    return [{ severity: 'error', rule: 'unbound', verb, call: null, message: `${verb} is neither bound nor declared unsupported with what happens instead` }];
  if (binding === undefined) return [];
  const both: readonly BindingFinding[] =
    instead === undefined ? [] : [{ severity: 'error', rule: 'unbound', verb, call: null, message: `${verb} is bound and declared unsupported` }];
  return [...both, ...callsOf(binding).flatMap(call => checkCall({ ...examined, call }).map(note => ({ ...note, verb, call: call.name })))];
}

function checkCall(examined: Examined): readonly Note[] {
  const { call, descriptor, table } = examined;
  const headers = Object.keys(call.headers)
    .filter(name => CREDENTIAL_HEADERS.includes(name.toLowerCase()))
    .map((name): Note => ({ severity: 'error', rule: 'credential-header', message: `the header ${name} is set by the credential alone` }));
  if (call.document !== undefined) return [...headers, ...checkDocument(descriptor, call.document)];
  const found = resolveOperation(table, call.op ?? '');
  if (found.row === undefined) {
    const { suggestion } = found;
    return [
      ...headers,
      {
        severity: 'error',
        rule: 'no-operation',
        message: `${call.op} is no operation of ${table.provider}`,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ];
  }
  return [...headers, ...checkArgs(examined, found.row), ...checkAge(found.row, examined.facts.today), ...checkReach(examined, found.row)];
}

function checkDocument(descriptor: ProviderDescriptor, name: string): readonly Note[] {
  const documents = descriptor.graphql?.documents ?? {};
  if (Object.hasOwn(documents, name)) return [];
  const suggestion = nearestName(name, Object.keys(documents));
  return [
    { severity: 'error', rule: 'no-document', message: `${name} is no document of graphql.documents`, ...(suggestion === undefined ? {} : { suggestion }) },
  ];
}

function checkArgs({ call, descriptor }: Examined, row: OperationRow): readonly Note[] {
  const names = argumentNames(row);
  const given = [...Object.keys(call.args), ...(call.body === undefined ? [] : ['body'])];
  const unknown = given
    .filter(name => !names.accepts(name))
    .map((name): Note => {
      const suggestion = nearestName(name, names.all);
      return { severity: 'error', rule: 'unknown-argument', message: `${row.id} has no argument ${name}`, ...(suggestion === undefined ? {} : { suggestion }) };
    });
  const missing = missingArguments(row, new Set([...given, ...Object.keys(descriptor.common_args)])).map(
    (name): Note => ({ severity: 'error', rule: 'missing-argument', message: `${row.id} needs ${name}, and nothing gives it` }),
  );
  return [...unknown, ...missing];
}

function checkAge(row: OperationRow, today: string): readonly Note[] {
  const days = row.removalDate === undefined ? undefined : Math.floor((Date.parse(row.removalDate) - Date.parse(today)) / DAY_MS);
  if (days !== undefined && days <= 0) return [{ severity: 'error', rule: 'deprecated', message: `${row.id} was removed on ${row.removalDate}` }];
  if (days !== undefined && days <= REMOVAL_WINDOW_DAYS)
    return [{ severity: 'warning', rule: 'removal-near', message: `${row.id} is removed on ${row.removalDate}, in ${days} days` }];
  return row.deprecated ? [{ severity: 'error', rule: 'deprecated', message: `${row.id} is deprecated` }] : [];
}

function checkReach({ descriptor, facts }: Examined, row: OperationRow): readonly Note[] {
  const notes: Note[] = [];
  if (row.cloudOnly && descriptor.base_url_from === 'instance')
    notes.push({ severity: 'error', rule: 'cloud-only', message: `${row.id} exists in the vendor's cloud only, and this provider is self-hosted` });
  if (row.appEnabled === false && (facts.appCredential ?? descriptor.auth.scheme === 'app'))
    notes.push({ severity: 'warning', rule: 'not-for-apps', message: `${row.id} is marked as not for apps; an app's own token may be refused` });
  return notes;
}

/** An entry that names nothing opens nothing, and its writer thinks that it does. */
function checkPolicy({ policy }: ProviderDescriptor, table: OperationTable): readonly BindingFinding[] {
  return policy.allowed_mutations
    .filter(name => !(VERBS as readonly string[]).includes(name) && resolveOperation(table, name).row === undefined)
    .map(name => {
      const suggestion = nearestName(name, [...VERBS, ...table.operations.map(row => row.id)]);
      const message = `policy.allowed_mutations names ${name}, which is neither a verb nor an operation`;
      return { severity: 'error', rule: 'unknown-mutation', verb: null, call: null, message, ...(suggestion === undefined ? {} : { suggestion }) };
    });
}
