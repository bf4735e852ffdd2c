/** `weir deadletters list | replay | drop`: what could not be processed, until someone decides about it (REV-20). */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { oneLine } from '@weir/report';
import type { Flags } from '../composition/load-settings.ts';
import { withOperatorStores } from '../gateway/open-operator-stores.ts';
import { writeJson, writeOut } from '../output.ts';

const MAX_ROWS = 200;

export async function runDeadLettersList(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const letters = await stores.deadLetters.list({ limit: MAX_ROWS });
    if (json) await writeJson({ deadLetters: letters });
    else if (letters.length === 0) await writeOut('No dead letters.\n');
    else
      for (const { id, diedAt, origin, group, envelope, attempts, failure } of letters) {
        await writeOut(
          `${id}  ${new Date(diedAt).toISOString()}  ${origin} ${group}: ${envelope.type} of ${envelope.subject.slice(0, 12)}, ${attempts} attempts  ${oneLine(failure)}\n`,
        );
      }
    if (!json && letters.length === MAX_ROWS) await writeOut(`… only the newest ${MAX_ROWS} are shown\n`);
    return EXIT.clean;
  });
}

export async function runDeadLetterChange(verb: 'replay' | 'drop', id: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const done = verb === 'replay' ? await stores.deadLetters.replay(id) : await stores.deadLetters.drop(id);
    if (!done) throw new AppError('USAGE', `There is no dead letter ${id}.`, { next: 'List them: weir deadletters.' });
    await writeOut(verb === 'replay' ? `${id} is processed again, behind what waits of its key\n` : `dropped ${id}\n`);
    return EXIT.clean;
  });
}
