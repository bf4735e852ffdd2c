/**
 * Inputs of well-known actions whose text is run as code, as data. Names are lower case: actions and inputs ignore case.
 * Source of the facts: the actions' own documentation and CodeQL's models of them.
 */
export type Language = 'shell' | 'javascript' | 'other';

export interface CodeInput {
  readonly input: string;
  readonly language: Language;
}

const shell = (...inputs: readonly string[]): readonly CodeInput[] => inputs.map(input => ({ input, language: 'shell' }));
const javascript = (input: string): readonly CodeInput[] => [{ input, language: 'javascript' }];
const other = (...inputs: readonly string[]): readonly CodeInput[] => inputs.map(input => ({ input, language: 'other' }));

const CODE_INPUTS: ReadonlyMap<string, readonly CodeInput[]> = new Map([
  ['actions/github-script', javascript('script')],
  ['satackey/action-js-inline', javascript('script')],
  ['cardinalby/js-eval-action', javascript('expression')],
  ['appleboy/ssh-action', shell('script')],
  ['azure/cli', shell('inlinescript')],
  ['azure/powershell', other('inlinescript')],
  ['amadevus/pwsh-script', other('script')],
  ['jannekem/run-python-script-action', other('script')],
  ['mikefarah/yq', shell('cmd')],
  ['devorbitus/yq-action-output', shell('cmd')],
  ['sergeysova/jq-action', shell('cmd')],
  ['nick-fields/retry', shell('command', 'on_retry_command')],
  ['nick-invision/retry', shell('command', 'on_retry_command')],
  ['addnab/docker-run-action', shell('run')],
  ['reactivecircus/android-emulator-runner', shell('script')],
  ['gabrielbb/xvfb-action', shell('run')],
  ['coactions/setup-xvfb', shell('run')],
  ['cypress-io/github-action', shell('build', 'start', 'command')],
  ['gautamkrishnar/blog-post-workflow', other('item_exec')],
]);

/** The inputs of an action (`owner/name@ref`) that are code. */
export const codeInputsOf = (uses: string): readonly CodeInput[] => CODE_INPUTS.get((uses.split('@')[0] ?? '').toLowerCase()) ?? [];
