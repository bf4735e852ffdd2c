export type { LocalChange } from './change-source.port.ts';
export { HttpFailure, type HttpPort, type HttpRequest, type HttpResponse } from './http.port.ts';
export type { SqlPort, SqlResult, SqlRow, SqlSession } from './sql.port.ts';
export type { ModelAnswer, ModelPort, ModelRequest } from './model.port.ts';
