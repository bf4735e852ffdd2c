export { createHttp, type HttpOptions } from './create-http.ts';
export { parseOrigin } from './origin.ts';
