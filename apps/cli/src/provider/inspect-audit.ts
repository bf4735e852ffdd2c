/** What the lines of the audit log say, apart from their chain: receipts, and each write's outcome. Memory is bounded. */
import type { KeyObject } from 'node:crypto';
import { verifyReceipt } from '@weir/forge';
import { AppError } from '@weir/kernel';
import type { AuditEntry, AuditIntent, AuditLine, AuditOutcome } from '@weir/ports';
import { z } from 'zod';

/** Faults and open writes that are listed; the rest is counted. */
const MAX_LISTED = 100;
/** Open writes that are remembered. Beyond, an outcome may belong to one that is not. */
const MAX_OPEN = 10_000;

const subject = { actor: z.string(), provider: z.string(), capability: z.string(), operation: z.string(), argsDigest: z.string(), at: z.string() };
const Entry: z.ZodType<AuditEntry> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('intent'), ...subject, receipt: z.string().nullable() }),
  z.strictObject({
    kind: z.literal('outcome'),
    ...subject,
    intent: z.number(),
    result: z.enum(['succeeded', 'failed', 'unknown']),
    status: z.number().nullable(),
  }),
]);

export interface OpenWrite {
  readonly sequence: number;
  readonly at: string;
  readonly provider: string;
  readonly operation: string;
  readonly actor: string;
}

export interface AuditFindings {
  /** Receipts that a key signed and that say what their lines say. */
  readonly receipts: number;
  /** Intents without a receipt. */
  readonly unsigned: number;
  /** Writes without an outcome, the first of `openCount`. */
  readonly open: readonly OpenWrite[];
  readonly openCount: number;
  /** Sentences, the first of `faultCount`. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

export interface AuditInspection {
  inspect(line: AuditLine): void;
  findings(): AuditFindings;
}

function parseEntry(text: string): AuditEntry | undefined {
  try {
    return Entry.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What is wrong with a receipt; undefined for a right one. */
function receiptFault({ receipt, argsDigest, ...intent }: AuditIntent, keys: readonly KeyObject[]): string | undefined {
  if (keys.length === 0) throw new AppError('CONFIG_INVALID', 'there is no public key to check the receipts with', { next: 'Name it: --public-key <file>.' });
  const signed = keys.map(key => verifyReceipt(receipt ?? '', key)).find(found => found !== undefined);
  if (signed === undefined) return 'its receipt is not signed by the pinned key';
  const { provider, operation, capability, actor, at } = intent;
  const written = { provider, operation, capability, actor, at, digest: argsDigest };
  const other = (Object.keys(written) as (keyof typeof written)[]).find(name => written[name] !== signed[name]);
  return other === undefined ? undefined : `its receipt is for another ${other}`;
}

const sameSubject = (intent: AuditIntent, outcome: AuditOutcome): boolean =>
  (['actor', 'provider', 'capability', 'operation', 'argsDigest'] as const).every(name => intent[name] === outcome[name]);

/** @param provider whose receipts and writes are looked at; all where undefined. */
export function createAuditInspection(keys: readonly KeyObject[], provider: string | undefined): AuditInspection {
  const open = new Map<number, AuditIntent>();
  const faults: string[] = [];
  const counts = { receipts: 0, unsigned: 0, faults: 0, forgotten: 0 };

  function fault(sequence: number, sentence: string): void {
    counts.faults += 1;
    if (faults.length < MAX_LISTED) faults.push(`Line ${sequence}: ${sentence}.`);
  }

  function inspectIntent(sequence: number, intent: AuditIntent): void {
    if (open.size < MAX_OPEN) open.set(sequence, intent);
    else counts.forgotten += 1;
    if (intent.receipt === null) {
      counts.unsigned += 1;
      return;
    }
    const wrong = receiptFault(intent, keys);
    if (wrong === undefined) counts.receipts += 1;
    else fault(sequence, wrong);
  }

  function inspectOutcome(sequence: number, outcome: AuditOutcome): void {
    const intent = open.get(outcome.intent);
    if (intent === undefined && counts.forgotten > 0) counts.forgotten -= 1;
    else if (intent === undefined) fault(sequence, `it is the outcome of line ${outcome.intent}, which is no open write`);
    else if (!sameSubject(intent, outcome)) fault(sequence, `it is not the outcome of the write of line ${outcome.intent}`);
    open.delete(outcome.intent);
  }

  return {
    inspect({ sequence, text }) {
      const entry = parseEntry(text);
      if (entry === undefined) fault(sequence, 'it is no entry of an audit log');
      else if (provider !== undefined && entry.provider !== provider) return;
      else if (entry.kind === 'intent') inspectIntent(sequence, entry);
      else inspectOutcome(sequence, entry);
    },
    findings: () => ({
      ...{ receipts: counts.receipts, unsigned: counts.unsigned, faults, faultCount: counts.faults, openCount: open.size + counts.forgotten },
      open: [...open].slice(0, MAX_LISTED).map(([sequence, { at, provider: name, operation, actor }]) => ({ sequence, at, provider: name, operation, actor })),
    }),
  };
}
