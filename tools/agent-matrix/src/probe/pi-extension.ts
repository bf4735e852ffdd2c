/** The probe as an extension of pi, which loads this file itself; only the part of its API that is used here is declared. */
import { PROBE, probeContent } from './probe.ts';

interface PiExtensionApi {
  readonly registerTool: (tool: {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly parameters: object;
    readonly execute: (callId: string, parameters: { readonly word: string }) => Promise<{ readonly content: readonly object[]; readonly details: object }>;
  }) => void;
}

// pi takes the default export, and nothing else.
export { offerProbe as default };

function offerProbe(pi: PiExtensionApi): void {
  pi.registerTool({
    name: PROBE.name,
    label: 'Probe',
    description: PROBE.description,
    parameters: PROBE.schema,
    execute: (_callId, { word }) => Promise.resolve({ content: probeContent(word), details: {} }),
  });
}
