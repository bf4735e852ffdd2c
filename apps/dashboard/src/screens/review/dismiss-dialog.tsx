/** Asks for the reason of a dismissal; it closes when the event is there. */
import { type FormEvent, type JSX, useState } from 'react';
import type { FindingDetail } from '../../api/resources.ts';
import { CommandButton } from '../../marks/command-button.tsx';
import { useCommand } from '../../shell/use-command.ts';
import { Dialog, LongField } from '../../ui/index.ts';

const MAX_REASON = 500;

interface DismissDialogProps {
  readonly finding: FindingDetail;
  readonly reviewId: string;
  readonly onClose: () => void;
}

export function DismissDialog({ finding, reviewId, onClose }: DismissDialogProps): JSX.Element {
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const { state, error, send } = useCommand(onClose);
  const missing = reason.trim() === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
    if (!missing) send({ method: 'POST', path: `/reviews/${reviewId}/findings/${finding.id}/dismiss`, body: { reason: reason.trim() } });
  };
  return (
    <Dialog title={`Dismiss finding ${finding.id}`} opened onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <p className="ink2">The finding stays visible, struck through, with your name and reason. Later rounds do not raise it again.</p>
        <LongField
          label="Reason"
          first
          value={reason}
          onChange={setReason}
          maxLength={MAX_REASON}
          note="Read by the people of this change."
          error={asked && missing ? 'Write why it does not hold.' : null}
        />
        <div className="bar dialog-bar">
          <CommandButton submit main state={state} error={error}>
            Dismiss
          </CommandButton>
        </div>
      </form>
    </Dialog>
  );
}
