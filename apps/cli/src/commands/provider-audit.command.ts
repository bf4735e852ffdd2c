/** `weir provider audit`: the chain of the audit log, its receipts against the pinned key, and writes whose end nobody saw (PRV-18). */
import { createHash, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { type AuditLine, type AuditPoint, type AuditStore, verifyAuditChain } from '@weir/ports';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { openStorage, storageExists } from '../composition/open-storage.ts';
import { writeJson, writeOut } from '../output.ts';
import { type AuditFindings, createAuditInspection } from '../provider/inspect-audit.ts';
import { readPublicKey, receiptPublicKeyFile } from '../provider/receipt-key.ts';

export interface AuditRequest {
  /** Receipts and open writes of this provider alone; the chain is always verified whole. */
  readonly provider: string | undefined;
  /** `sequence:hash`, kept from an earlier audit. */
  readonly anchor: string | undefined;
  /** Files of public keys instead of the pinned one. */
  readonly publicKeys: readonly string[];
  readonly json: boolean;
  readonly flags: Flags;
}

/** Lines that are in memory at a time. */
const PAGE = 1_000;

async function* linesOf(store: Pick<AuditStore, 'read'>, inspect: (line: AuditLine) => void): AsyncGenerator<AuditLine> {
  for (let after = 0; ; ) {
    const page = await store.read(after, PAGE);
    for (const line of page) {
      inspect(line);
      yield line;
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.sequence ?? after;
  }
}

function pointOf(anchor: string): AuditPoint {
  const match = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(anchor);
  if (match === null) throw new AppError('USAGE', '--anchor has to be sequence:hash', { next: 'Copy the last line of an earlier `weir provider audit`.' });
  return { sequence: Number(match[1]), hash: match[2] ?? '' };
}

async function keysOf(files: readonly string[]): Promise<readonly KeyObject[]> {
  const pinned = receiptPublicKeyFile();
  const named = files.length > 0 ? files : existsSync(pinned) ? [pinned] : [];
  const keys: KeyObject[] = [];
  for (const file of named) {
    const pem = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new AppError('FILE_UNREADABLE', `${file} cannot be read`, { cause });
    });
    keys.push(readPublicKey(pem, file));
  }
  return keys;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface AuditReport extends AuditFindings {
  readonly intact: boolean;
  readonly lines: number;
  readonly anchor: string | null;
}

async function audit(store: Pick<AuditStore, 'read'>, keys: readonly KeyObject[], request: AuditRequest): Promise<AuditReport> {
  const inspection = createAuditInspection(keys, request.provider);
  let lines = 0;
  const inspect = (line: AuditLine): void => {
    lines += 1;
    inspection.inspect(line);
  };
  const anchor = request.anchor === undefined ? {} : { anchor: pointOf(request.anchor) };
  const verdict = await verifyAuditChain(linesOf(store, inspect), sha256, anchor);
  const findings = inspection.findings();
  if (!verdict.intact) return { ...findings, intact: false, lines, anchor: null, faults: [verdict.sentence, ...findings.faults] };
  const last = verdict.last === undefined ? null : `${verdict.last.sequence}:${verdict.last.hash}`;
  return { ...findings, intact: findings.faultCount === 0, lines, anchor: last };
}

async function print({ intact, lines, receipts, unsigned, open, openCount, faults, faultCount, anchor }: AuditReport): Promise<void> {
  await writeOut(intact ? `The audit log is intact: ${lines} lines, ${receipts} receipts verified.\n` : `The audit log is BROKEN (${lines} lines read).\n`);
  for (const fault of faults) await writeOut(`  ${fault}\n`);
  if (faultCount > faults.length) await writeOut(`  … and more: ${faultCount} in all\n`);
  if (unsigned > 0) await writeOut(`${unsigned} writes have no receipt: the policy asked for none.\n`);
  if (openCount > 0) await writeOut(`${openCount} writes have no outcome; nobody saw their end:\n`);
  for (const { sequence, at, provider, operation, actor } of open) await writeOut(`  line ${sequence}: ${at} ${provider} ${operation} by ${actor}\n`);
  if (anchor !== null && intact)
    await writeOut(`Keep this outside of the database, to see next time that nothing was cut off: weir provider audit --anchor ${anchor}\n`);
}

/** Exit code 1 where the chain, a receipt or an entry is not as it was written. An empty log is intact. */
export async function runProviderAudit(request: AuditRequest): Promise<ExitCode> {
  const settings = loadSettings(await operatorSources(request.flags));
  const database = settings.get<string | null>('storage.database');
  const keys = await keysOf(request.publicKeys);
  const say = (sentence: string): void => void (settings.get<boolean>('output.quiet') || process.stderr.write(`${sentence}\n`));
  const storage = storageExists(database) ? await openStorage({ database, say }) : undefined;
  try {
    const report = await audit(storage?.auditStore ?? NOTHING, keys, request);
    if (request.json) await writeJson(report);
    else await print(report);
    return report.intact ? EXIT.clean : EXIT.findings;
  } finally {
    await storage?.close();
  }
}

/** The log of an installation that has never written. */
const NOTHING: Pick<AuditStore, 'read'> = { read: () => Promise.resolve([]) };
