/** The list of keys, opened by `?`. */
import type { JSX } from 'react';
import { Dialog } from '../ui/index.ts';
import { PAGES } from './navigation.ts';

const LIST_KEYS: readonly (readonly [string, string])[] = [
  ['j', 'next row'],
  ['k', 'row before'],
  ['o', 'open the row'],
  ['n', 'show what is new'],
  ['/', 'search'],
  ['⌘K', 'go to a page, a review or a command (Ctrl K)'],
  ['?', 'these keys'],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const rows = [...PAGES.map(page => [`g ${page.key}`, page.label] as const), ...LIST_KEYS];
  return (
    <Dialog title="Keys" opened onClose={onClose}>
      <dl className="keys">
        {rows.map(([keys, meaning]) => (
          <div key={keys} className="fact">
            <dt>
              {keys.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
