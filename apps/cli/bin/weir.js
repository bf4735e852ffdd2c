#!/usr/bin/env node
// The command `weir`: runs the bundle that `npm run build` makes.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/main.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  process.stderr.write('weir is not built yet\ntry: npm run build\n');
  process.exitCode = 3;
}
