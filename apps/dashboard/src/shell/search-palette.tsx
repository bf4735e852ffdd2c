/** The palette over pages, commands and reviews; reviews are looked up by the server once the writing pauses. */
import { useQuery } from '@tanstack/react-query';
import { type JSX, useDeferredValue, useState } from 'react';
import type { ReviewList } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { useColourScheme } from '../ui/index.ts';
import { PAGES } from './navigation.ts';
import { Palette, type PaletteEntry } from './palette.tsx';
import { useGoTo } from './use-go-to.ts';

const MIN_TEXT = 2;
const MAX_REVIEWS = 8;

export function SearchPalette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const goTo = useGoTo();
  const scheme = useColourScheme();
  const [written, setWritten] = useState('');
  const text = useDeferredValue(written.trim());
  const found = useQuery({ ...read<ReviewList>('/reviews', { text, limit: MAX_REVIEWS }), enabled: text.length >= MIN_TEXT });
  const fixed: readonly PaletteEntry[] = [
    ...PAGES.map(page => ({ id: page.to, label: page.label, aside: `g ${page.key}`, run: () => goTo(page.to) })),
    { id: 'theme', label: scheme.now === 'dark' ? 'Light theme' : 'Dark theme', aside: 'command', run: () => scheme.toggle() },
  ];
  const reviews: readonly PaletteEntry[] = (found.data?.items ?? []).map(({ id, change, repository }) => ({
    id,
    label: change?.title ?? id,
    aside: `${repository ?? ''}#${change?.number ?? ''}`,
    run: () => goTo(`/reviews/${id}`),
  }));
  const entriesFor = (wanted: string): readonly PaletteEntry[] => [
    ...fixed.filter(entry => entry.label.toLowerCase().includes(wanted.trim().toLowerCase())),
    ...(wanted.trim().length >= MIN_TEXT ? reviews : []),
  ];
  return <Palette onClose={onClose} entriesFor={entriesFor} onText={setWritten} />;
}
