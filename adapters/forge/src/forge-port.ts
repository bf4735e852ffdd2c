/**
 * The engine of one provider as workers use it: a verb's result, or an AppError that says whether to come back and when (REV-20).
 */
import type { ProviderDescriptor, Verb } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ForgePort } from '@weir/ports';
import type { Provider } from './create-provider.ts';
import type { VerbContext } from './perform-verb-call.ts';
import { ProviderError } from './provider-failure.ts';
import type { VerbOutcome } from './run-verb.ts';

type Failed = Exclude<VerbOutcome<Verb>, { ok: true }>;

/** Throws AppError DESCRIPTOR_INVALID for a provider that is no forge: only a forge has a dialect. */
export function createForgePort(provider: Provider, descriptor: ProviderDescriptor, context: VerbContext): ForgePort {
  const { name, dialect, capabilities, webhooks } = descriptor;
  if (dialect === undefined) throw new AppError('DESCRIPTOR_INVALID', `${name} has no dialect, so nothing can be posted there`);
  return {
    forge: name,
    dialect,
    namesThreads: webhooks?.name_threads ?? true,
    supports: verb => capabilities[verb] !== undefined,
    ask: async (verb, args, signal) => {
      const outcome = await provider.verb(verb, args, { ...context, signal });
      if (outcome.ok) return outcome.value;
      throw errorOf(`${name} ${verb}`, outcome);
    },
    forModel: async (verb, value, place, signal) => {
      const { text, value: left, dropped } = await provider.forModel(verb, value, { ...context, ...place, signal });
      return { text, value: left, dropped: dropped.reduce((sum, { count }) => sum + count, 0) };
    },
  };
}

function errorOf(subject: string, failed: Failed): AppError {
  switch (failed.kind) {
    case 'unsupported':
      return new AppError('NOT_AVAILABLE', `${subject}: ${failed.instead}`);
    case 'arguments':
      return new ProviderError(subject, { kind: 'Arguments', message: failed.reason, retry: 'never' });
    case 'call':
      return new ProviderError(`${subject} (${failed.call})`, failed.failure);
    // Of a forge, an answer that can't be read is worth as much as none, and the next one will be like it.
    case 'mapping':
      return new ProviderError(subject, { kind: 'Unavailable', message: `the answer is not as expected at ${failed.place}: ${failed.reason}`, retry: 'never' });
  }
}
