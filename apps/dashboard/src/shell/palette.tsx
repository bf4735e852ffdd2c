/** `⌘K`: pages, commands, and reviews that fit what is written. The field keeps the focus; arrows move the choice. */
import { type JSX, type KeyboardEvent, type ReactNode, useState } from 'react';
import { Dialog, Field } from '../ui/index.ts';

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly aside: ReactNode;
  readonly run: () => void;
}

interface PaletteProps {
  readonly onClose: () => void;
  /** What fits a text, best first. */
  readonly entriesFor: (text: string) => readonly PaletteEntry[];
  readonly onText: (text: string) => void;
}

export function Palette({ onClose, entriesFor, onText }: PaletteProps): JSX.Element {
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState(0);
  const entries = entriesFor(text);
  const chosen = Math.max(0, Math.min(wanted, entries.length - 1));
  const run = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setWanted(Math.min(chosen + 1, entries.length - 1)),
    ArrowUp: () => setWanted(Math.max(chosen - 1, 0)),
    Enter: () => run(entries[chosen]),
  };
  const pressed = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const write = (written: string): void => {
    setText(written);
    setWanted(0);
    onText(written);
  };
  return (
    <Dialog title="Go to" opened onClose={onClose}>
      <div onKeyDown={pressed}>
        <Field label="Page, review or command" hideLabel first placeholder="page, review or command…" value={text} onChange={write} />
        <ul className="palette-list" role="listbox" aria-label="What fits">
          {entries.map((entry, index) => (
            <li key={entry.id} role="option" aria-selected={index === chosen} onClick={() => run(entry)}>
              <span>{entry.label}</span>
              <span className="ink3">{entry.aside}</span>
            </li>
          ))}
        </ul>
        {entries.length === 0 && <p className="hint">Nothing fits. Write part of a title, a repository or a number.</p>}
      </div>
    </Dialog>
  );
}
