import { defineConfig } from 'rolldown';

/** One bundle with a chunk a command, so that `weir --help` loads neither schemas nor specialists. */
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  output: { dir: 'dist', format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', cleanDir: true, minify: true },
});
