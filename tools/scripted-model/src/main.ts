/**
 * Starts the scripted model by hand: `npx tsx tools/scripted-model/src/main.ts [port]`.
 * Prints the settings that point Weir at it, and runs until it is interrupted.
 */
import { MODES } from './modes.ts';
import { startScriptedModel } from './start-scripted-model.ts';

const port = Number(process.argv[2] ?? 0);
const model = await startScriptedModel({ port });
const modes = [...MODES.values()].map(({ name, about }) => `  ${name.padEnd(22)}${about}`).join('\n');
process.stdout.write(`WEIR_MODEL_BASE_URL=${model.baseUrl} WEIR_MODEL=scripted WEIR_ALLOW_ORIGINS=${model.origin}\n\nModels:\n${modes}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void model.close());
