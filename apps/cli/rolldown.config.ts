import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

const DATABASE = path.resolve(import.meta.dirname, '../../adapters/sql-pglite');
const DEMO = path.resolve(import.meta.dirname, '../demo');

/** What the embedded database reads at its start; it looks for them beside the file that its code is in. */
const DATABASE_FILES = ['pglite.wasm', 'pglite.data', 'initdb.wasm'];

const databaseFiles: Plugin = {
  name: 'database-files',
  generateBundle() {
    const folder = path.dirname(createRequire(path.join(DATABASE, 'package.json')).resolve('@electric-sql/pglite'));
    for (const fileName of DATABASE_FILES) this.emitFile({ type: 'asset', fileName, source: readFileSync(path.join(folder, fileName)) });
  },
};

const DASHBOARD = path.resolve(import.meta.dirname, '../dashboard/dist');

/** The built dashboard, which the server hands out from the folder beside its program. `npm run build` builds it first; without it the server says so. */
const dashboardFiles: Plugin = {
  name: 'dashboard-files',
  generateBundle() {
    if (!existsSync(DASHBOARD)) return;
    for (const entry of readdirSync(DASHBOARD, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath.includes('.vite')) continue;
      const file = path.join(entry.parentPath, entry.name);
      const fileName = path.posix.join('dashboard', path.relative(DASHBOARD, file).split(path.sep).join('/'));
      this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
    }
  },
};

/**
 * One bundle with a chunk a command, so that `weir --help` loads neither schemas nor specialists. The thread of the embedded
 * database is a program of its own: it is started as `pglite-worker.js` from the chunk that opens the database, in the same folder. The
 * demonstration is an entry of its own, which `weir demo` alone loads: the simulators are in no other chunk.
 */
export default defineConfig({
  input: { main: 'src/main.ts', 'pglite-worker': path.join(DATABASE, 'src/pglite-worker.ts'), demo: path.join(DEMO, 'src/demo.ts') },
  platform: 'node',
  plugins: [databaseFiles, dashboardFiles],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    cleanDir: true,
    // rolldown 1.3.3 gives two names of one chunk the same short one when it shortens them.
    minify: { mangle: false, compress: true, codegen: true },
  },
});
