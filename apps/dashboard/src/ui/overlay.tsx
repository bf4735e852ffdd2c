/** What lies over the page: a dialog that asks, a panel at the right that explains. Both close by Escape and give the focus back. */
import { Drawer, Modal } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

interface OverlayProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const CLASSES = { content: 'overlay-content', header: 'overlay-head', title: 'overlay-title', body: 'overlay-body', close: 'overlay-close' };
const SHARED = {
  classNames: CLASSES,
  lockScroll: false,
  transitionProps: { duration: 120 },
  overlayProps: { backgroundOpacity: 0.35 },
  closeButtonProps: { 'aria-label': 'Close' },
} as const;

/** The kit names a dialog by its title only once the title is mounted; until then the name stands here. */
const named = (title: string) => ({ ...SHARED, title, attributes: { content: { 'aria-label': title } } });

export function Dialog({ title, opened, onClose, children }: OverlayProps): JSX.Element {
  return (
    <Modal {...named(title)} opened={opened} onClose={onClose} size={520} yOffset="12vh">
      {children}
    </Modal>
  );
}

export function Panel({ title, opened, onClose, children }: OverlayProps): JSX.Element {
  return (
    <Drawer {...named(title)} opened={opened} onClose={onClose} position="right" size={460}>
      {children}
    </Drawer>
  );
}
