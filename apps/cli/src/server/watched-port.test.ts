import { AppError } from '@weir/kernel';
import type { ForgePort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { watchedPort } from './watched-port.ts';

const signal = new AbortController().signal;

/** A forge that answers with these codes in turn; null is an answer. */
function watched(known: 'active' | 'rejected', ...answers: readonly (ConstructorParameters<typeof AppError>[0] | null)[]) {
  const left = [...answers];
  const noted: string[] = [];
  const port = {
    ask: async () => {
      const code = left.shift() ?? null;
      if (code !== null) throw new AppError(code, code);
      return {};
    },
  } as unknown as ForgePort;
  const under = watchedPort(port, known, async state => void noted.push(state));
  const ask = async (): Promise<string> => {
    try {
      await under.ask('account.whoami', {}, signal);
      return 'answered';
    } catch (error) {
      return (error as AppError).code;
    }
  };
  return { noted, ask };
}

test(`${verifies('REV-33')} a credential that is refused is noted each time, and once more when it is taken again`, async () => {
  const { noted, ask } = watched('active', null, 'FORGE_UNAUTHORIZED', 'FORGE_UNAUTHORIZED', null, null);
  const said = [await ask(), await ask(), await ask(), await ask(), await ask()];
  expect(said).toEqual(['answered', 'FORGE_UNAUTHORIZED', 'FORGE_UNAUTHORIZED', 'answered', 'answered']);
  expect(noted).toEqual(['rejected', 'rejected', 'active']);
});

test.each(['FORGE_FORBIDDEN', 'FORGE_NOT_FOUND', 'FORGE_UNAVAILABLE', 'FORGE_RATE_LIMITED'] as const)(
  `${verifies('REV-33')} %s says nothing of the credential`,
  async code => {
    const { noted, ask } = watched('active', code, null);
    expect([await ask(), await ask(), noted]).toEqual([code, 'answered', []]);
  },
);

test(`${verifies('REV-33')} the first answer to a rejected account clears it`, async () => {
  const { noted, ask } = watched('rejected', 'FORGE_UNAVAILABLE', null);
  expect([await ask(), await ask(), noted]).toEqual(['FORGE_UNAVAILABLE', 'answered', ['active']]);
});
