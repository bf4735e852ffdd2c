/** A button, and a link that looks like one. `busy` keeps its place and its words: what waits says so in its text. */
import { Button as KitButton } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick?: () => void;
  /** The one action that the page is for. */
  readonly main?: boolean;
  readonly busy?: boolean;
  readonly submit?: boolean;
  readonly title?: string;
}

export function Button({ children, onClick, main = false, busy = false, submit = false, title }: ButtonProps): JSX.Element {
  return (
    <KitButton className="button" data-main={main} disabled={busy} type={submit ? 'submit' : 'button'} {...(onClick && { onClick })} {...(title && { title })}>
      {children}
    </KitButton>
  );
}

/** Leads out of the dashboard; the other side learns nothing of this page. */
export function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }): JSX.Element {
  return (
    <KitButton className="button" component="a" href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </KitButton>
  );
}
