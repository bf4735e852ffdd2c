/**
 * Weir's own questions to a model (ModelPort), through the same routes, plans and charges as every client's. It asks once: whoever asks
 * repeats (REV-20). What arrived before a break is returned with the finish `other`: it has been paid for, and never counts as complete.
 */
import { AppError } from '@weir/kernel';
import { HttpFailure, type ModelAnswer, type ModelRequest } from '@weir/ports';
import { createSseReader, type GatewayFailure, isObject, type JsonObject, openStream, parseJson, readUsage, type StreamMachine } from '@weir/wire';
import { type AnswerDraft, createAnswerDraft } from './answer-draft.ts';
import { readAnswerBody } from './answer-body.ts';
import { classifyPayload, classifyReply, classifyThrown } from './classify-failure.ts';
import { endingOf, frameOf, wholeAsEvents } from './deliver-call.ts';
import { type CallOpening, type Ending, openCall, type OpenedCall, type Switchboard } from './open-call.ts';
import { type InternalPurpose, internalPrincipal } from './principal.ts';
import { type QuestionRules, questionBody } from './question-body.ts';

export interface CompleteRules extends QuestionRules {
  /** As callers name it. */
  readonly model: string;
  /** Milliseconds of silence that end the call: before the first byte, and between two (REV-20). */
  readonly timeoutMs: number;
  /** Milliseconds that one answer may take in all, however steadily it arrives. */
  readonly longestAnswerMs?: number;
  readonly purpose: Pick<InternalPurpose, 'capability'> & Partial<InternalPurpose>;
}

const LONGEST_ANSWER_MS = 30 * 60_000;

export interface Completion {
  readonly question: ModelRequest;
  readonly rules: CompleteRules;
  readonly signal: AbortSignal;
}

export async function completeCall({ question, rules, signal }: Completion, board: Switchboard): Promise<ModelAnswer> {
  const finding = await board.routes.resolve(rules.model, undefined);
  if ('failure' in finding) throw ofGateway(finding.failure);
  const { route } = finding.found;
  const origin = new URL(route.endpoint).origin;
  const limit = new AbortController();
  const late = new HttpFailure('timeout', `${origin} did not end its answer in time.`);
  const callOff = board.world.schedule(() => limit.abort(late), rules.longestAnswerMs ?? LONGEST_ANSWER_MS);
  try {
    const call = {
      protocol: 'chat',
      body: new TextEncoder().encode(JSON.stringify(questionBody(question, rules, finding.found))),
      headers: {},
      principal: internalPrincipal(rules.purpose),
      signal: AbortSignal.any([signal, limit.signal]),
    } as const;
    const deadlines = { firstByteMs: rules.timeoutMs, idleMs: rules.timeoutMs };
    const opening = await openCall(call, { deadlines, repeats: 0 }, board);
    if (!('opened' in opening)) throw refused(opening, origin, board.world.now());
    return await readAnswer(opening.opened, origin, board, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : classifyThrown(error);
  } finally {
    callOff();
  }
}

const CODE_OF: Readonly<Partial<Record<string, 'MODEL_UNKNOWN' | 'MODEL_UNPRICED' | 'CREDENTIALS_EXHAUSTED' | 'MODEL_UNREACHABLE' | 'CAP_REACHED'>>> = {
  model_not_found: 'MODEL_UNKNOWN',
  model_unpriced: 'MODEL_UNPRICED',
  credentials_exhausted: 'CREDENTIALS_EXHAUSTED',
  upstream_resting: 'MODEL_UNREACHABLE',
  cap_reached: 'CAP_REACHED',
};

function ofGateway({ code, message, retryAfterSeconds }: GatewayFailure): AppError {
  return new AppError(CODE_OF[code] ?? 'MODEL_REJECTED', message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterSeconds) });
}

/** What the endpoint said stands in the message, for the person who configured it. */
function refused({ failure, refusal }: Exclude<CallOpening, { opened: OpenedCall }>, origin: string, now: number): unknown {
  if (refusal?.reason.kind === 'status') return classifyReply({ origin, ...refusal.reason.reply, now });
  return refusal?.reason.kind === 'transport' ? refusal.reason.error : ofGateway(failure);
}

/** What arrives, event by event; an error among it is thrown. */
interface Intake {
  take(payload: unknown): void;
  takeEvents(text: string): void;
  readonly draft: AnswerDraft;
  /** Something was a chat completion, or a part of one. */
  recognised(): boolean;
}

function createIntake(origin: string): Intake {
  const draft = createAnswerDraft();
  const events = createSseReader();
  let recognised = false;
  const take = (payload: unknown): void => {
    const failure = classifyPayload(payload, origin);
    if (failure !== undefined) throw failure;
    recognised = draft.take(payload) || recognised;
  };
  const takeEvents = (text: string): void => {
    for (const { data } of events.push(text)) if (data !== '[DONE]') take(parseJson(data));
  };
  return { take, takeEvents, draft, recognised: () => recognised };
}

async function readAnswer(opened: OpenedCall, origin: string, { world }: Switchboard, caller: AbortSignal): Promise<ModelAnswer> {
  const intake = createIntake(origin);
  let ending: Ending = { outcome: 'failed', code: 'upstream_cut', spent: 'unknown' };
  try {
    const body = await readAnswerBody(opened.response, true);
    if (body.kind === 'garbled') throw new AppError('MODEL_GARBLED', `${origin}: ${body.failure.message}`);
    const machine = openStream(opened.converted, frameOf(opened, world));
    ending = body.kind === 'whole' ? takeWhole(opened, body.json, machine, intake) : await takeStream(body.source, machine, intake);
  } catch (error) {
    const broke = error instanceof AppError || error instanceof HttpFailure;
    if (!broke || caller.aborted || !intake.draft.started()) throw error;
  } finally {
    opened.stop.abandon();
    await opened.end(caller.aborted ? { outcome: 'gone', code: null, spent: 'unknown' } : ending);
  }
  if (!intake.recognised()) throw new AppError('MODEL_GARBLED', `${origin} answered with something that is not a chat completion.`);
  return intake.draft.answer(opened.planned.route.model);
}

function takeWhole({ converted }: OpenedCall, json: JsonObject, machine: StreamMachine, intake: Intake): Ending {
  if (converted.passthrough || isObject(json['error'])) {
    intake.take(json);
    const usage = readUsage(converted.upstream, isObject(json['usage']) ? json['usage'] : undefined);
    return { outcome: 'whole', code: null, spent: usage ?? 'unknown' };
  }
  intake.takeEvents(wholeAsEvents(converted.upstream, json, machine));
  return endingOf(machine);
}

async function takeStream(source: AsyncIterable<Uint8Array>, machine: StreamMachine, intake: Intake): Promise<Ending> {
  const decoder = new TextDecoder();
  for await (const chunk of source) {
    intake.takeEvents(machine.push(decoder.decode(chunk, { stream: true })));
    if (machine.ended()) return endingOf(machine);
  }
  // The rest, without our own word that the answer broke off: the draft shows whether it is whole.
  const rest = machine.push(decoder.decode()) + machine.end();
  if (machine.failure()?.code !== 'upstream_cut') intake.takeEvents(rest);
  return endingOf(machine);
}
