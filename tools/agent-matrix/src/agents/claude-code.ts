/** Claude Code, headless. It speaks Messages alone. */
import { ANSWER_SCHEMA } from '@weir/scripted-upstream';
import type { Agent } from './agent.ts';

const MODEL = 'claude-opus-5-5';
/** It sums the conversation up when a reply counts more; its own default is that of the model. */
const COMPACT_TOKENS = 150_000;

export const claudeCode: Agent = {
  name: 'claude code',
  family: 'claude-code',
  speaks: 'messages',
  model: MODEL,
  passesOver: ['wait'],
  prepare: ({ program, home, prompts, origin, key, probe }) => ({
    command: program,
    args: [
      ...['-p', prompts[0], '--output-format', 'stream-json', '--verbose', '--model', MODEL],
      ...['--allowedTools', 'Bash,Write,Read,ToolSearch,StructuredOutput,mcp__probe__weir_probe'],
      ...['--mcp-config', `${home}/mcp.json`, '--strict-mcp-config'],
      ...['--autocompact', String(COMPACT_TOKENS)],
      ...['--json-schema', JSON.stringify(ANSWER_SCHEMA)],
    ],
    env: {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    files: { [`${home}/mcp.json`]: JSON.stringify({ mcpServers: { probe: { type: 'stdio', ...probe } } }) },
  }),
};
