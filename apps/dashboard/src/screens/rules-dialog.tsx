/** What an administrator decides for a repository: post or observe, drafts, from which severity a check fails. */
import { SEVERITIES } from '@weir/contract';
import { type FormEvent, type JSX, useState } from 'react';
import type { RepositoryRow, RepositoryRules } from '../api/resources.ts';
import { CommandButton } from '../marks/command-button.tsx';
import { useCommand } from '../shell/use-command.ts';
import { Choice, Dialog, Toggle } from '../ui/index.ts';

export function RulesDialog({ repository, onClose }: { readonly repository: RepositoryRow; readonly onClose: () => void }): JSX.Element {
  const { observe, reviewDrafts, blockOn, showCost } = repository;
  const [rules, setRules] = useState<RepositoryRules>({ observe, reviewDrafts, blockOn, showCost });
  const { state, error, send } = useCommand(onClose);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send({ method: 'PUT', path: `/repositories/${repository.id}/rules`, body: rules });
  };
  return (
    <Dialog title={`Rules of ${repository.path}`} opened onClose={onClose}>
      <form onSubmit={submit} className="stack">
        <Toggle label="Observe only: everything runs and nothing is posted" value={rules.observe} onChange={value => setRules({ ...rules, observe: value })} />
        <Toggle label="Review drafts too" value={rules.reviewDrafts} onChange={value => setRules({ ...rules, reviewDrafts: value })} />
        <Toggle label="Show the cost in the summary comment" value={rules.showCost} onChange={value => setRules({ ...rules, showCost: value })} />
        <Choice
          label="The check fails from"
          value={rules.blockOn ?? ''}
          choices={[['', 'never: it does not block'] as const, ...SEVERITIES.map(severity => [severity, severity] as const)]}
          onChange={value => setRules({ ...rules, blockOn: SEVERITIES.find(severity => severity === value) ?? null })}
        />
        <div className="bar dialog-bar">
          <CommandButton submit main state={state} error={error}>
            Save rules
          </CommandButton>
        </div>
      </form>
    </Dialog>
  );
}
