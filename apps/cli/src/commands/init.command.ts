/** `weir init`: the two files by which a repository narrows and informs its reviews. Never overwrites. */
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, type ExitCode, SETTINGS, type Setting } from '@weir/contract';
import { openRepository } from '@weir/git';
import { AppError } from '@weir/kernel';
import { writeOut } from '../output.ts';

const NARROWING: Readonly<Record<string, string>> = {
  'review.failOn': "  # failOn: major            # exit code 1 from this severity on; may only be stricter than the operator's",
  'review.exclude': '  # exclude:                 # globs of paths that are not reviewed, added to the operator\'s\n  #   - "dist/**"',
  'review.maxFileBytes': "  # maxFileBytes: 500000     # larger files are skipped and named; may only be lower than the operator's",
};

const configText = (): string =>
  [
    '# Weir: settings of this repository. They may only narrow what the operator decided; anything else is reported, not obeyed.',
    '# They are read from the target branch of a change, never from the change itself.',
    'review:',
    ...(SETTINGS as readonly Setting[]).flatMap(setting =>
      setting.scope === 'repository' ? [NARROWING[setting.name] ?? `  # ${setting.name.split('.')[1]}:`] : [],
    ),
    '',
  ].join('\n');

const RULES = `# Rules for reviews

Write here what a reviewer of this repository has to know. A model reads this file as data, from the target branch.

- Example: money is in integer cents; never use floating point for it.
- Example: every new endpoint needs an authorization test.
`;

async function writeNew(file: string, text: string): Promise<'written' | 'kept'> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) return 'kept';
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  } catch (cause) {
    throw new AppError('FILE_UNREADABLE', `${file} cannot be written`, { cause, next: `Check that ${path.dirname(file)} is a folder that you may write.` });
  }
  return 'written';
}

/** Writes the files that are not there yet, and says which. */
export async function runInit(folder: string): Promise<ExitCode> {
  const { root, bare } = await openRepository(path.resolve(folder));
  if (bare) throw new AppError('USAGE', 'a bare repository has no files to write into', { next: 'Run it in a work tree.' });
  for (const [name, text] of [
    ['.weir/config.yaml', configText()],
    ['.weir/rules.md', RULES],
  ] as const) {
    const outcome = await writeNew(path.join(root, name), text);
    await writeOut(outcome === 'written' ? `wrote ${name}\n` : `kept ${name}: it is there already\n`);
  }
  await writeOut('next: edit .weir/rules.md · weir review · weir help models\n');
  return EXIT.clean;
}
