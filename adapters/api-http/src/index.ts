export type { ApiServerSettings } from './api-server-settings.ts';
export { type ApiServer, startApiServer } from './create-api-server.ts';
export { isLoopback } from './own-site.ts';
export { LINK_PATH, SIGN_IN_PATH } from './sign-in-routes.ts';
export { readStaticFiles, type StaticFiles } from './static-files.ts';
