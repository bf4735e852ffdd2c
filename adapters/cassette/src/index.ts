export { Cassette, CASSETTE_ORIGIN, MAX_CASSETTE_BYTES } from './cassette.ts';
export { type CassetteFacts, type CassetteMaking, makeCassette } from './make-cassette.ts';
export { type CassetteRules, type FindTokens, secretsOfRequest } from './redact-exchange.ts';
export { recordHttp, type Recorder, type RawExchange } from './record-http.ts';
export { replayHttp } from './replay-http.ts';
