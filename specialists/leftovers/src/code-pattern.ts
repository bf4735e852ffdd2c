/** One way in which a leftover is written in one language; the tables of this package are lists of these. */
import type { Severity } from '@weir/contract';
import type { CodePlace } from './code-place.ts';
import type { Language } from './source-language.ts';

export interface CodePattern {
  readonly language: Language;
  /** Met with the code view of a line: comments are spaces, the insides of strings are filled. */
  readonly pattern: RegExp;
  /** What stands there, as the subject of a sentence. */
  readonly what: string;
  /** `tests`: only in test files. `sources`: only outside of them. */
  readonly where?: 'tests' | 'sources';
  /** A further look at the text around; false means no leftover. */
  readonly accept?: (place: CodePlace, match: RegExpExecArray) => boolean;
  /** The whole line without the leftover, where that is certain. */
  readonly mend?: (text: string, match: RegExpExecArray) => string;
  /** Lower than the severity of the rule. */
  readonly severity?: Severity;
}
