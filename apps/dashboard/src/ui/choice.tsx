/** One of a few words, and a yes or no: the browser's own controls, which every assistive technology knows. */
import { NativeSelect } from '@mantine/core';
import { type JSX, useId } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Value and what stands for it. */
  readonly choices: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

export function Choice({ label, value, choices, onChange }: ChoiceProps): JSX.Element {
  return (
    <NativeSelect
      classNames={{ input: 'field', label: 'field-label' }}
      label={label}
      value={value}
      data={choices.map(([one, text]) => ({ value: one, label: text }))}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}

export function Toggle({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div className="toggle">
      <input type="checkbox" id={id} checked={value} onChange={event => onChange(event.currentTarget.checked)} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
