/** Gives a host a model, an account and a repository by the commands of an operator, as a person does. */
import type { Host } from './program-host.ts';

export interface Registration {
  /** Root of a chat endpoint, whose model is called `scripted`; null for none. */
  readonly modelUrl: string | null;
  /** One that runs, and the token of whom Weir acts as. */
  readonly forge: { readonly kind: string; readonly url: string };
  readonly token: string;
  /** `owner/name`. */
  readonly repository: string;
  /** Where the forge delivers to. */
  readonly hooks: string;
}

const RATES = ['--input-rate', '1', '--output-rate', '2'];

export async function registerForge({ command }: Pick<Host, 'command'>, { modelUrl, forge, token, repository, hooks }: Registration): Promise<void> {
  if (modelUrl !== null) await command(['models', 'add', 'scripted', '--provider', 'own', '--preset', 'ollama', '--base-url', modelUrl, ...RATES]);
  await command(['account', 'add', forge.kind, '--origin', forge.url, '--token-env', 'FORGE_TOKEN'], { FORGE_TOKEN: token });
  await command(['repo', 'add', `${forge.url}/${repository}`, '--public-url', hooks]);
}
