/** OpenCode, headless, with the Chat Completions provider that it brings along. */
import type { Agent } from './agent.ts';

const MODEL = 'acme/coder';
const CONTEXT_TOKENS = 200_000;
const OUTPUT_TOKENS = 8_000;

export const opencode: Agent = {
  name: 'opencode',
  family: 'opencode',
  speaks: 'chat',
  model: MODEL,
  passesOver: ['search', 'wait', 'schema'],
  prepare: ({ program, home, workspace, prompts, bare, origin, key, probe }) => ({
    command: program,
    args: ['run', '--format', 'json', '--auto', '--dir', workspace, '--model', `weir/${MODEL}`, ...(bare ? ['--title', 'Task'] : []), prompts[0]],
    env: {
      OPENCODE_CONFIG: `${home}/opencode.json`,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_SHARE: '1',
      OPENCODE_PURE: '1',
    },
    files: {
      [`${home}/opencode.json`]: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        provider: {
          weir: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Weir',
            options: { baseURL: `${origin}/v1`, apiKey: key },
            models: {
              [MODEL]: {
                name: 'Coder',
                attachment: true,
                reasoning: true,
                tool_call: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
                limit: { context: CONTEXT_TOKENS, output: OUTPUT_TOKENS },
              },
            },
          },
        },
        mcp: { probe: { type: 'local', command: [probe.command, ...probe.args], enabled: true } },
      }),
    },
  }),
};
