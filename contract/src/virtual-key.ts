/**
 * Virtual keys (MOD-17): what a client presents to the gateway. Only a hash is stored. One key belongs to a person, a run or
 * a service, and carries its budget, the models that it may reach, and its end.
 */
import { z } from 'zod';
import { MAX_MILLICENTS } from './model-charge.ts';

export const KEY_HOLDERS = ['person', 'run', 'service'] as const;
export type KeyHolderKind = (typeof KEY_HOLDERS)[number];

/** A model that a key may reach: `{modelProvider}` alone is all models of it. */
export interface AllowedRoute {
  readonly modelProvider: string;
  readonly model?: string | undefined;
}

export interface NewVirtualKey {
  readonly id: string;
  /** sha256 of the key, hex. */
  readonly hash: string;
  /** For people; never the key. */
  readonly label: string;
  readonly holder: { readonly kind: KeyHolderKind; readonly id: string };
  /** Null: no limit. An unmetered model never spends money, so a key can count calls too. */
  readonly budgetMillicents: number | null;
  readonly budgetCalls: number | null;
  /** Null: every model. */
  readonly allowedRoutes: readonly AllowedRoute[] | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Null: never. A call that has begun is finished. */
  readonly expiresAt: number | null;
}

const text = z.string().min(1).max(200);
const instant = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const NewVirtualKey: z.ZodType<NewVirtualKey> = z.strictObject({
  id: text,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  label: text,
  holder: z.strictObject({ kind: z.enum(KEY_HOLDERS), id: text }),
  budgetMillicents: z.number().int().min(0).max(MAX_MILLICENTS).nullable(),
  budgetCalls: z.number().int().min(0).max(1_000_000_000).nullable(),
  allowedRoutes: z
    .array(z.strictObject({ modelProvider: text, model: text.optional() }))
    .max(200)
    .nullable(),
  createdAt: instant,
  expiresAt: instant.nullable(),
});

export interface VirtualKey extends NewVirtualKey {
  readonly revokedAt: number | null;
  /** Settled calls; one whose cost is unknown counts as what was reserved for it. */
  readonly spentMillicents: number;
  /** Of the calls under way. */
  readonly reservedMillicents: number;
  readonly calls: number;
  /** Settled calls whose cost is unknown. */
  readonly unpricedCalls: number;
}
