/** Light or dark, as the person chose, else as the system prefers; kept by the kit in the browser. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

export interface ColourScheme {
  readonly now: 'light' | 'dark';
  toggle(): void;
}

export function useColourScheme(): ColourScheme {
  const now = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return { now, toggle: () => setColorScheme(now === 'dark' ? 'light' : 'dark') };
}
