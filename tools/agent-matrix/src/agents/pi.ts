/** pi, headless, once for each of the three protocols that it speaks. It has no MCP; an extension of ours offers the probe instead. */
import { fileURLToPath } from 'node:url';
import type { ProtocolName } from '@weir/scripted-upstream';
import type { Agent } from './agent.ts';

const MODEL = 'acme/coder';
const CONTEXT_TOKENS = 200_000;
const OUTPUT_TOKENS = 8_000;
const EXTENSION = fileURLToPath(new URL('../probe/pi-extension.ts', import.meta.url));

/** The API's name in `models.json`, and what its client appends to the base address itself. */
const APIS: Readonly<Record<ProtocolName, { readonly api: string; readonly path: string }>> = {
  responses: { api: 'openai-responses', path: '/v1' },
  chat: { api: 'openai-completions', path: '/v1' },
  messages: { api: 'anthropic-messages', path: '' },
};

const piWith = (speaks: ProtocolName): Agent => ({
  name: `pi, ${speaks}`,
  family: 'pi',
  speaks,
  model: MODEL,
  passesOver: ['search', 'agent', 'wait', 'schema'],
  prepare: ({ program, home, prompts, origin, key }) => ({
    command: process.execPath,
    args: [program, '-p', '--mode', 'json', '--no-session', '--no-extensions', '-e', EXTENSION, '--provider', 'weir', '--model', MODEL, ...prompts],
    env: { PI_CODING_AGENT_DIR: `${home}/.pi`, PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
    files: {
      // The run is short: without this all of it would be kept when it makes room.
      [`${home}/.pi/settings.json`]: JSON.stringify({ compaction: { keepRecentTokens: 1 }, retry: { baseDelayMs: 100 } }),
      [`${home}/.pi/models.json`]: JSON.stringify({
        providers: {
          weir: {
            baseUrl: `${origin}${APIS[speaks].path}`,
            api: APIS[speaks].api,
            apiKey: key,
            models: [{ id: MODEL, name: 'Coder', reasoning: true, input: ['text', 'image'], contextWindow: CONTEXT_TOKENS, maxTokens: OUTPUT_TOKENS }],
          },
        },
      }),
    },
  }),
});

export const piAgents: readonly Agent[] = [piWith('responses'), piWith('chat'), piWith('messages')];
