/** What an operator and the machines that watch the gateway ask: plans, health, counters. */
import { type UpstreamProtocol, UPSTREAM_PROTOCOLS } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { clientError, type GatewayFailure, isObject, parseJson, permanent } from '@weir/wire';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { clientKey } from './client-key.ts';
import { sendFailure } from './failure-reply.ts';
import type { GatewayDoor, PlanQuestion } from './gateway-door.ts';
import type { GatewayServerSettings } from './gateway-server-settings.ts';

export function addOperatorRoutes(app: FastifyInstance, settings: GatewayServerSettings, isDraining: () => boolean): void {
  const { gateway, metrics, isOperator, isReady } = settings;
  app.get('/healthz', (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (_request, reply) => {
    const ready = !isDraining() && (await isReady());
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
  app.get('/metrics', (_request, reply) => reply.type('text/plain; version=0.0.4').send(metrics.text()));
  void app.register(async routes => {
    routes.addHook('onRequest', async (request, reply) => {
      if (reply.sent || isOperator(clientKey(request.headers))) return undefined;
      return reply.code(403).send({ error: { code: 'not_operator', message: 'This is for the operator, with the key that the server was started with.' } });
    });
    routes.post('/v1/operator/stores', (request, reply) => serveStores(request.body, reply, settings));
    routes.post('/v1/route/plan', (request, reply) => servePlan(request.body, reply, gateway));
  });
}

/** A command of the operator that needs the stores which this process has open: `{"result": …}`, or the failure with its name. */
async function serveStores(body: unknown, reply: FastifyReply, { operate }: GatewayServerSettings): Promise<FastifyReply> {
  try {
    return reply.send({ result: await operate(jsonOf(body)) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, next } = error;
    return reply.code(422).send({ error: { code, message, next } });
  }
}

const jsonOf = (body: unknown): unknown => (body instanceof Uint8Array ? parseJson(new TextDecoder().decode(body)) : undefined);

/** `{"call": "…"}` for a past call, or `{"protocol": "…", "request": {…}, "modelProvider"?: "…"}` for one that is not made. */
async function servePlan(body: unknown, reply: FastifyReply, gateway: GatewayDoor): Promise<FastifyReply> {
  const asked = jsonOf(body);
  if (!isObject(asked)) return sendFailure(reply, 'chat', permanent('invalid_json', 'The body is not a JSON object.'));
  if (typeof asked['call'] === 'string') {
    const plan = gateway.planOfCall(asked['call']);
    if (plan !== undefined) return reply.send(plan);
    return sendFailure(reply, 'chat', gone('No plan of this call is kept: it was made by another process, or long ago.'));
  }
  const question = readQuestion(asked);
  if ('code' in question) return sendFailure(reply, 'chat', question);
  const answer = await gateway.planRoute(question);
  if ('plan' in answer) return reply.send(answer.plan);
  const { status, body: error } = clientError(question.protocol, answer.failure);
  return reply.send({ error: { status, body: error }, tools: answer.tools });
}

const gone = (message: string): GatewayFailure => ({ code: 'not_found', class: 'not_found', message });

function readQuestion({ protocol, request, modelProvider }: Readonly<Record<string, unknown>>): PlanQuestion | GatewayFailure {
  const known = UPSTREAM_PROTOCOLS.find((candidate): candidate is UpstreamProtocol => candidate === protocol);
  if (known === undefined || !isObject(request)) {
    return permanent('invalid_request', `Send "protocol" (${UPSTREAM_PROTOCOLS.join(', ')}) and "request", the body of a call.`);
  }
  const body = new TextEncoder().encode(JSON.stringify(request));
  return { protocol: known, body, ...(typeof modelProvider === 'string' ? { binding: modelProvider } : {}) };
}
