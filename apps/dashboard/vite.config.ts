import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` of this package sends calls of the API: a server that runs beside it. */
const API = process.env['WEIR_DASHBOARD_API'] ?? 'http://127.0.0.1:7420';

/**
 * A build that a content security policy of `default-src 'self'` serves: no inline script or style, no data address (fonts stay files), and a
 * manifest from which a test reads the weight of the first load.
 */
export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': API, '/sign-in': API } },
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, manifest: true, target: 'es2023', modulePreload: { polyfill: false } },
});
