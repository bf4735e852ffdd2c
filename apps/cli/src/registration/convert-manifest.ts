/** An app's id and secrets for the code that the redirect brought back. Nothing of them is logged; the receipt holds digests alone. */
import { AppError } from '@weir/kernel';
import { z } from 'zod';
import { ACTOR } from '../server/provider-book.ts';
import type { OpenForge } from './open-account-forge.ts';

export const CONVERT = 'apps/create-from-manifest';

const NewApp = z.object({
  id: z.number().int().positive(),
  slug: z.string().min(1),
  html_url: z.url({ protocol: /^https?$/ }),
  pem: z.string().min(1),
  webhook_secret: z.string().min(1).nullable(),
});
export type NewApp = z.infer<typeof NewApp>;

/** Throws AppError FORGE_*: a code counts once, and for an hour. */
export async function convertManifest(forge: OpenForge, code: string, signal: AbortSignal): Promise<NewApp> {
  const engine = await forge.engine({ env: () => undefined, anonymous: true }, [CONVERT]);
  const { value } = await engine.call(CONVERT, { code }, { signal, actor: ACTOR });
  const read = NewApp.safeParse(value);
  if (read.success) return read.data;
  throw new AppError('FORGE_UNAVAILABLE', 'The answer about the new app lacks its id, its key or its address.', {
    next: "Delete the app in the forge's settings, and make it again.",
  });
}
