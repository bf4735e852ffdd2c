/** A forge that tells what it thinks of the credential: rejected with a 401, good again with the next answer (REV-33). */
import { AppError } from '@weir/kernel';
import type { ForgeAccount, ForgePort } from '@weir/ports';

type State = ForgeAccount['state'];

/**
 * @param known what is stored of the account.
 * @param note stores what has been seen. What it throws is thrown.
 */
export function watchedPort(port: ForgePort, known: State, note: (state: State) => Promise<void>): ForgePort {
  let state = known;
  async function see(seen: State): Promise<void> {
    state = seen;
    await note(seen);
  }
  return {
    ...port,
    async ask(verb, args, signal) {
      try {
        const result = await port.ask(verb, args, signal);
        if (state === 'rejected') await see('active');
        return result;
      } catch (error) {
        // Noted each time, since the pause until the next try begins anew.
        if (error instanceof AppError && error.code === 'FORGE_UNAUTHORIZED') await see('rejected');
        throw error;
      }
    },
  };
}
