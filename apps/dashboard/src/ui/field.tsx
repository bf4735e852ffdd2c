/** One line or several lines of text with a label; the label may be hidden where a placeholder and the place say it. */
import { Textarea, TextInput } from '@mantine/core';
import type { JSX, Ref } from 'react';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly note?: string;
  readonly error?: string | null;
  readonly hideLabel?: boolean;
  /** Takes the focus of the dialog that it stands in. */
  readonly first?: boolean;
  readonly maxLength?: number;
  readonly ref?: Ref<HTMLInputElement>;
}

const CLASSES = { input: 'field', label: 'field-label', description: 'field-note', error: 'field-error' };

const said = ({ label, hideLabel, first, placeholder, note, error, maxLength }: FieldProps) => ({
  ...(first && { 'data-autofocus': true }),
  ...(hideLabel ? { 'aria-label': label } : { label }),
  ...(placeholder !== undefined && { placeholder }),
  ...(note !== undefined && { description: note }),
  ...(error && { error }),
  ...(maxLength !== undefined && { maxLength }),
});

export function Field(props: FieldProps): JSX.Element {
  const { value, onChange, ref } = props;
  return <TextInput classNames={CLASSES} {...said(props)} value={value} onChange={event => onChange(event.currentTarget.value)} {...(ref && { ref })} />;
}

export function LongField(props: Omit<FieldProps, 'ref'>): JSX.Element {
  const { value, onChange } = props;
  return <Textarea classNames={CLASSES} {...said(props)} rows={3} value={value} onChange={event => onChange(event.currentTarget.value)} />;
}
