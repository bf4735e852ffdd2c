export { createHttp, type HttpClient, type HttpOptions } from './create-http.ts';
export { parseOrigin } from './origin.ts';
