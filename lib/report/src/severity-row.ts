/**
 * What each severity looks like in every output (80-surfaces 3.4 and 4.3): one row, so that no renderer decides alone.
 */
import type { Severity } from '@weir/contract';

interface SeverityRow {
  /** Smaller is worse. */
  readonly rank: number;
  /** Shape beside the word; never alone. */
  readonly glyph: string;
  /** Parameters of an ANSI SGR sequence. */
  readonly ansi: string;
  readonly sarif: 'error' | 'warning' | 'note';
  readonly rdjson: 'ERROR' | 'WARNING' | 'INFO';
  readonly github: 'error' | 'warning' | 'notice';
  /** A number inside the band that code scanning shows as critical, high, medium or low; not a measured score. */
  readonly securityBand: string;
}

export const SEVERITY_ROWS: Readonly<Record<Severity, SeverityRow>> = {
  blocker: { rank: 0, glyph: '⛔', ansi: '1;31', sarif: 'error', rdjson: 'ERROR', github: 'error', securityBand: '9.5' },
  major: { rank: 1, glyph: '▲', ansi: '33', sarif: 'error', rdjson: 'ERROR', github: 'error', securityBand: '8.0' },
  minor: { rank: 2, glyph: '□', ansi: '36', sarif: 'warning', rdjson: 'WARNING', github: 'warning', securityBand: '5.0' },
  note: { rank: 3, glyph: '·', ansi: '2', sarif: 'note', rdjson: 'INFO', github: 'notice', securityBand: '2.0' },
};
