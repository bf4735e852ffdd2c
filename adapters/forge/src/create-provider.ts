/**
 * The engine of one provider: the only door to its hosts. Everything that Weir asks of it goes through here.
 */
import type { Verb } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { classifyResponse, type ResponseFacts, type ResponseOutcome } from '@weir/operation-table';
import { compileProvider } from './compile-provider.ts';
import { createConditionalReads } from './conditional-reads.ts';
import { createCredentialResolver } from './credentials/credential-resolver.ts';
import { credentialHeader } from './credentials/header-schemes.ts';
import { type CallAnswer, createExecutor, type ExecuteCall } from './execute-call.ts';
import { createGovernor } from './governor.ts';
import { createJudge, type JudgeCall } from './judge-call.ts';
import { createMint } from './mint-installation-token.ts';
import { createPerform, type VerbContext } from './perform-verb-call.ts';
import { type CallPlanner, createCallPlanner, type PlannedCall } from './plan-call.ts';
import { type Outcome, orThrow } from './provider-failure.ts';
import type { CallForm, CallOptions, ProviderOptions } from './provider-options.ts';
import { type IncomingDelivery, receiveWebhook, type WebhookReception } from './receive-webhook.ts';
import { createRunBudget } from './run-budget.ts';
import { runVerb, type VerbOutcome } from './run-verb.ts';
import { createSendRequest, type SendRequest } from './send-request.ts';
import { createServerMaximum } from './server-page-maximum.ts';
import { showRequest, type ShownRequest } from './show-request.ts';
import { createDocumentWalk } from './walk-document.ts';
import { createWalk, type Page } from './walk-pages.ts';
import { createForModel, type ForModel } from './untrusted/for-model.ts';
import { createWriteJournal } from './write-journal.ts';

type Args = Readonly<Record<string, unknown>>;

export interface Provider {
  /** One call. `operation` is an id, or `GET /path/{name}`. Throws ProviderError; an aborted signal throws its reason. */
  call(operation: string, args: Args, options: CallOptions): Promise<CallAnswer>;
  /** All pages of a list. Throws ProviderError where the list can't be read to its end; pages before that have been given. */
  pages(operation: string, args: Args, options: CallOptions): AsyncGenerator<Page, void, undefined>;
  /** Carries out a verb of the capability list; everything that can go wrong with it is a value. */
  verb<V extends Verb>(verb: V, args: unknown, options: VerbContext & { readonly signal: AbortSignal }): Promise<VerbOutcome<V>>;
  /** What a model may read of an answer: every text of a provider that a model sees comes from here (PRV-20). */
  readonly forModel: ForModel;
  /** The request that a call would send. Opens no socket and reads no credential. Throws ProviderError for wrong arguments. */
  dryRun(operation: string, args: Args, options?: CallForm & { readonly capability?: Verb; readonly readOnly?: boolean }): ShownRequest;
  /** A delivery of a webhook: verified, and mapped to an integration event. Throws nothing. */
  webhook(delivery: IncomingDelivery): WebhookReception;
  /** What an answer of the operation means. Throws ProviderError for an unknown operation. */
  classify(operation: string, facts: ResponseFacts): ResponseOutcome;
}

/** Throws AppError DESCRIPTOR_INVALID where no base URL is known, ExpressionError where an expression can't be used. */
export const createProvider = (options: ProviderOptions): Provider => {
  const { descriptor } = options;
  const baseUrl = baseUrlOf(options);
  const planner = createCallPlanner({ ...options, documents: options.documents ?? new Map(), baseUrl });
  const judge = createJudge(descriptor, options.table);
  const send = createSendRequest(options.http, descriptor.timeouts.request_ms, options.now);
  const execute = executorOf(options, { planner, judge, send, baseUrl });
  const walk = createWalk({ descriptor, planner, execute, now: options.now, serverMaximum: createServerMaximum(descriptor, planner, execute) });
  const walkDocument = createDocumentWalk({ descriptor, planner, execute, now: options.now });
  const compiled = compileProvider(descriptor);
  const subject = (operation: string): string => `${descriptor.name} ${operation}`;
  const verb: Provider['verb'] = (name, args, { signal, ...context }) =>
    runVerb(compiled, { verb: name, args }, createPerform({ planner, execute, walk, walkDocument }, context), signal);

  return {
    call: async (operation, args, call) => orThrow(subject(operation), await executeOne(planner, execute, [operation, args], call)),
    pages: async function* pages(operation, args, call) {
      for await (const page of walk(operation, args, call)) yield orThrow(subject(operation), page);
    },
    verb,
    forModel: createForModel({ descriptor, fence: options.fence, ask: verb }),
    dryRun: (operation, args, { capability, readOnly = false, ...form } = {}) => {
      const planned = orThrow(subject(operation), planOne(planner, [operation, args], form));
      const verdict = judge(planned, { capability, readOnly: readOnly || options.readOnly === true });
      return showRequest(planned, verdict, credentialHeader(descriptor.auth));
    },
    webhook: delivery => receiveWebhook(compiled, delivery),
    classify: (operation, facts) =>
      classifyResponse(orThrow(subject(operation), planner.find(operation)), { tooLarge: descriptor.failures.too_large, ...facts }),
  };
};

function baseUrlOf({ descriptor, baseUrl }: ProviderOptions): string {
  const url = baseUrl ?? descriptor.base_url;
  if (url !== undefined && URL.canParse(url)) return url;
  throw new AppError('DESCRIPTOR_INVALID', `${descriptor.name}: there is no base URL`, { next: "Give the address of the instance's API." });
}

interface Built {
  readonly planner: CallPlanner;
  readonly judge: JudgeCall;
  readonly send: SendRequest;
  readonly baseUrl: string;
}

function executorOf(options: ProviderOptions, { planner, judge, send, baseUrl }: Built): ExecuteCall {
  const { descriptor, credentials: sources, now } = options;
  const { auth } = descriptor;
  const mint = createMint({ auth, planner, send, installationId: sources.app?.installationId ?? 0, now });
  return createExecutor({
    ...{ ...options, readOnly: options.readOnly ?? false, judge, send },
    spend: createRunBudget(descriptor, options.rateStore),
    resolveCredential: createCredentialResolver({ auth, sources, baseUrl, mint, now }),
    governor: createGovernor(options),
    conditional: createConditionalReads(descriptor.name, options.etagStore),
    journal: createWriteJournal({ ...options, signReceipt: options.signReceipt }),
  });
}

type Target = readonly [operation: string, args: Args];

function planOne(planner: CallPlanner, [operation, args]: Target, form: CallForm): Outcome<PlannedCall> {
  const row = planner.find(operation);
  return row.ok ? planner.plan(row.value, args, form) : row;
}

async function executeOne(planner: CallPlanner, execute: ExecuteCall, target: Target, call: CallOptions): Promise<Outcome<CallAnswer>> {
  const planned = planOne(planner, target, call);
  return planned.ok ? execute(planned.value, call) : planned;
}
