/** Writes an answer to the socket, whole or spoiled by a fault. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from './call.ts';
import type { Fault } from './faults.ts';

export function answerBytes(answer: Answer): { readonly bytes: Buffer; readonly type: string | undefined } {
  if (answer.raw !== undefined) return { bytes: Buffer.from(answer.raw), type: answer.type };
  if (answer.body === undefined) return { bytes: Buffer.alloc(0), type: undefined };
  return { bytes: Buffer.from(JSON.stringify(answer.body)), type: answer.type ?? 'application/json; charset=utf-8' };
}

export async function sendAnswer(response: ServerResponse, answer: Answer, fault: Fault | null): Promise<void> {
  const { bytes, type } = answerBytes(answer);
  const sent = fault?.kind === 'truncated-json' ? bytes.subarray(0, Math.max(1, Math.floor(bytes.length / 2))) : bytes;
  const headers: Record<string, string> = { ...(type && { 'content-type': type }), ...answer.headers };
  if (answer.status !== 204 && answer.status !== 304) headers['content-length'] = String(sent.length);
  response.writeHead(answer.status, headers);
  if (fault?.kind === 'cut-body') {
    response.write(sent.subarray(0, Math.floor(sent.length / 2)), () => response.destroy());
  } else if (fault?.kind === 'slow-drip') await drip(response, sent, fault);
  else response.end(sent);
}

async function drip(response: ServerResponse, bytes: Buffer, fault: Fault & { readonly kind: 'slow-drip' }): Promise<void> {
  const size = fault.chunkBytes ?? 16;
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    await wait(fault.everyMs ?? 50, undefined, { ref: false });
  }
  response.end();
}
