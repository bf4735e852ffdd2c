/**
 * Side effects as a place to watch: whoever subscribes to the channel hears of each before and after it, as the crash tests do. Nobody
 * else pays for it.
 */
import { channel } from 'node:diagnostics_channel';
import type { ReviewEffect, RunEffect } from '@weir/ports';

export const EFFECT_CHANNEL = 'weir:effect';

export interface EffectMessage {
  readonly name: ReviewEffect;
  readonly phase: 'before' | 'after';
}

const effects = channel(EFFECT_CHANNEL);

export const runEffect: RunEffect = async (name, work) => {
  if (!effects.hasSubscribers) return work();
  effects.publish({ name, phase: 'before' } satisfies EffectMessage);
  const result = await work();
  effects.publish({ name, phase: 'after' } satisfies EffectMessage);
  return result;
};
