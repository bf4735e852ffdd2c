export { type ChatModelOptions, createChatModel } from './create-chat-model.ts';
export type { ChatDialect } from './encode-request.ts';
