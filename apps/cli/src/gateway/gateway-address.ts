/**
 * How commands find the gateway that has the embedded database open: a file in the data folder, for its owner alone, with the address
 * and the operator's key of this run.
 */
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { dataFolder } from '../paths.ts';

export interface GatewayAddress {
  readonly origin: string;
  readonly operatorKey: string;
}
const GatewayAddress: z.ZodType<GatewayAddress> = z.strictObject({ origin: z.url(), operatorKey: z.string().min(32) });

const OWNER_ONLY = 0o600;

export const gatewayAddressFile = (): string => path.join(dataFolder(), 'gateway.json');

export async function writeGatewayAddress(address: GatewayAddress): Promise<void> {
  const file = gatewayAddressFile();
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify(address), { mode: OWNER_ONLY, flag: 'wx' });
  await chmod(file, OWNER_ONLY);
}

export const removeGatewayAddress = (): Promise<void> => rm(gatewayAddressFile(), { force: true });

/** Undefined where no gateway runs, or its file is no such file. */
export async function readGatewayAddress(): Promise<GatewayAddress | undefined> {
  try {
    return GatewayAddress.safeParse(JSON.parse(await readFile(gatewayAddressFile(), 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
