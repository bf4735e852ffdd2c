/**
 * The Ed25519 key that signs receipts (PRV-18): made on the first write, kept in the configuration directory. Its public
 * half beside it is what `weir provider audit` pins.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { configFile } from '../paths.ts';

export const receiptKeyFile = (): string => path.join(path.dirname(configFile()), 'receipt-key.pem');
export const receiptPublicKeyFile = (): string => path.join(path.dirname(configFile()), 'receipt-key.pub.pem');

const OWNER_ONLY = 0o600;
const READABLE = 0o644;
const BEYOND_OWNER = 0o077;

/** Written beside and linked, so that nobody reads half a key, and of two processes the first one's key stays. */
async function writeOnce(file: string, text: string, mode: number): Promise<void> {
  const beside = `${file}.${randomUUID()}`;
  await writeFile(beside, text, { mode: OWNER_ONLY });
  await chmod(beside, mode);
  try {
    await link(beside, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

const pemOf = (publicKey: KeyObject): string => publicKey.export({ format: 'pem', type: 'spki' }).toString();

async function makeKey(file: string): Promise<void> {
  const pinned = receiptPublicKeyFile();
  if (existsSync(pinned)) {
    throw new AppError('CONFIG_INVALID', `the receipt key ${file} is missing, but its public key ${pinned} is there`, {
      next: 'Restore the key; or move the public key away to begin with a new one, and check older receipts with --public-key.',
    });
  }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeOnce(file, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), OWNER_ONLY);
}

async function readKey(file: string): Promise<KeyObject> {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & BEYOND_OWNER) !== 0) {
    throw new AppError('CONFIG_INVALID', `the receipt key ${file} may be read or changed by others (mode ${(mode & 0o777).toString(8)})`, {
      next: `Run: chmod 600 ${file}. Whoever has read it can sign receipts: if that may be, make a new one.`,
    });
  }
  const pem = await readFile(file, 'utf8');
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The reason of node:crypto may quote the file, so nothing of it is passed on.
  }
  throw new AppError('CONFIG_INVALID', `${file} is not the PEM of an Ed25519 private key`, {
    next: 'Restore it, or move both receipt keys away to begin anew.',
  });
}

/** Keeps the public key, or compares with the one that is kept. */
async function pinPublicKey(key: KeyObject): Promise<void> {
  const file = receiptPublicKeyFile();
  const own = pemOf(createPublicKey(key));
  await writeOnce(file, own, READABLE);
  if (pemOf(readPublicKey(await readFile(file, 'utf8'), file)) === own) return;
  throw new AppError('CONFIG_INVALID', `${file} does not belong to ${receiptKeyFile()}`, {
    next: 'Restore the pair; or move the public key away to pin that of the present key, and check older receipts with --public-key.',
  });
}

/** @param file for the message. Throws CONFIG_INVALID where the PEM is no Ed25519 key. */
export function readPublicKey(pem: string, file: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The reason of node:crypto may quote the file, so nothing of it is passed on.
  }
  throw new AppError('CONFIG_INVALID', `${file} is not the PEM of an Ed25519 public key`);
}

/** The PEM of the key; makes the key where there is none. Throws CONFIG_INVALID for a key that others may read, or that is none. */
export async function openReceiptKey(): Promise<string> {
  const file = receiptKeyFile();
  if (!existsSync(file)) await makeKey(file);
  const key = await readKey(file);
  await pinPublicKey(key);
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
