/** A button whose words say where its command stands; a refusal is said beside it. */
import type { JSX, ReactNode } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import type { CommandState } from '../shell/use-command.ts';
import { Button } from '../ui/index.ts';

interface CommandButtonProps {
  readonly children: ReactNode;
  readonly state: CommandState;
  readonly error: unknown;
  readonly onClick?: () => void;
  readonly main?: boolean;
  readonly submit?: boolean;
}

const words = (error: unknown): string => (error instanceof ApiProblem ? [error.message, error.next].filter(Boolean).join(' ') : 'It failed; try again.');

export function CommandButton({ children, state, error, ...rest }: CommandButtonProps): JSX.Element {
  return (
    <>
      <Button {...rest} busy={state === 'sending'}>
        {state === 'sending' ? 'Waiting for its event…' : children}
      </Button>
      <span role="status" className={state === 'failed' ? 'tone-bad' : 'ink3'}>
        {state === 'failed' && words(error)}
        {state === 'late' && 'Accepted; its event is still to come.'}
      </span>
    </>
  );
}
