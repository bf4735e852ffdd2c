export type { AnswerStore, IdentityDoor, ProviderSignIn, StoredAnswer, WriteClaim } from './api-doors.ts';
export type { ApiServerSettings } from './api-server-settings.ts';
export { type ApiServer, startApiServer } from './create-api-server.ts';
export type { ApiAnswer, ApiCall, FeedHandler, FeedMessage, Handler, Principal } from './handler.ts';
export { isLoopback } from './own-site.ts';
export { LINK_PATH } from './sign-in-routes.ts';
export { readStaticFiles, type StaticFiles } from './static-files.ts';
