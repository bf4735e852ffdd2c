/**
 * Which paths .gitattributes calls generated or vendored (REV-20d). The attributes are read from the target, not from the
 * change: a change must not be able to hide its own files (REV-36).
 */
import { createOwnIndex, type Repository } from './repository.ts';
import { gitText, runGit } from './run-git.ts';

const ATTRIBUTES = ['linguist-generated', 'linguist-vendored'];

/** @param tree the target's commit or tree. */
export function generatedFiles(repository: Repository, tree: string): (paths: readonly string[]) => Promise<ReadonlySet<string>> {
  return async paths => {
    const marked = new Set<string>();
    if (paths.length === 0) return marked;
    const { env, release } = await createOwnIndex();
    try {
      await gitText('read-tree', [tree], { cwd: repository.root, env });
      const input = `${paths.join('\0')}\0`;
      const { stdout } = await runGit('check-attr', ['--cached', '-z', '--stdin', ...ATTRIBUTES], { cwd: repository.root, env, input });
      const fields = stdout.toString('utf8').split('\0');
      for (let at = 0; at + 2 < fields.length; at += 3) {
        const [file, , value] = fields.slice(at, at + 3);
        if (file !== undefined && (value === 'set' || value === 'true')) marked.add(file);
      }
      return marked;
    } finally {
      await release();
    }
  };
}
