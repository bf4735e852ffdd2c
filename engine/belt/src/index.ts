export { commandLoop, type CommandLoopParts, type CommandOutcome, type CommandRequest, type Decided, type StreamDecider } from './command-loop.ts';
export { createEnvelopes, type Envelopes, type Fact, openEnvelope } from './envelopes.ts';
export { foldStream, type Folded, type StreamFold } from './fold-stream.ts';
export { keyedMutex, type KeyedMutex } from './keyed-mutex.ts';
export { OUTBOX_RELAY, outboxRelay, type OutboxRelay, type OutboxRelayParts } from './outbox-relay.ts';
export { startProjection, type ProjectionParts } from './projection-runner.ts';
export { retryPolicy, type RetryLimits } from './retry-policy.ts';
export { sagaHandler, type SagaParts, type SagaRoute, type StreamSaga } from './saga-runner.ts';
export { startWorkRunner, type WorkKind, type WorkRunner, type WorkRunnerParts } from './work-runner.ts';
