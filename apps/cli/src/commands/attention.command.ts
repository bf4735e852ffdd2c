/**
 * `weir attention [list | acknowledge]`: what needs a person, as things stand now (REV-33). Mending the cause removes the row; what nobody
 * can mend any more may be acknowledged.
 */
import { userInfo } from 'node:os';
import { EXIT, type ExitCode } from '@weir/contract';
import { attentionRows } from '@weir/review';
import { oneLine } from '@weir/report';
import type { Flags } from '../composition/load-settings.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { writeJson, writeOut } from '../output.ts';
import { acknowledge, readAttention } from '../server/attention-facts.ts';

export async function runAttention(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async open => {
    const rows = attentionRows(await readAttention(open));
    if (json) await writeJson({ attention: rows });
    else if (rows.length === 0) await writeOut('Nothing needs you.\n');
    else
      for (const { kind, subject, sentence, action, blocking, since } of rows) {
        const place = [subject, since].filter(part => part !== null).join(', ');
        await writeOut(`${blocking ? 'BLOCKS  ' : ''}${kind}${place === '' ? '' : ` (${oneLine(place)})`}: ${oneLine(sentence)} ${action}\n`);
      }
    return EXIT.clean;
  });
}

/** @param subject in brackets behind the kind in the list; undefined for a row of the whole deployment */
export async function runAttentionAcknowledge(kind: string, subject: string | undefined, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async open => {
    await acknowledge(open, { kind, subject: subject ?? null, by: userInfo().username });
    await writeOut(`acknowledged ${kind}${subject === undefined ? '' : ` of ${subject}`}; it comes back with a new cause\n`);
    return EXIT.clean;
  });
}
