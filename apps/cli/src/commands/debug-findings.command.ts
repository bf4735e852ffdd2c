/** `weir debug findings`: what is salvaged from a model's answer on standard input (docs/reference/debug.md). */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { readFindings } from '@weir/model-answer';
import { writeJson } from '../output.ts';
import { feedDiff, standardInput } from '../read-diff.ts';

const FINISHES = ['stop', 'length', 'refused', 'other', 'unknown'] as const;

export async function runDebugFindings(finish: string, signal: AbortSignal): Promise<ExitCode> {
  const known = FINISHES.find(candidate => candidate === finish);
  if (known === undefined) throw new AppError('USAGE', `--finish is one of ${FINISHES.join(', ')}`);
  const pieces: string[] = [];
  await feedDiff(standardInput(signal), { push: text => void pieces.push(text) });
  const { findings, complete, reason, dropped } = readFindings(pieces.join(''), { finish: known, rulePrefix: 'correctness' });
  await writeJson({ findings, complete, reason, dropped });
  return EXIT.clean;
}
