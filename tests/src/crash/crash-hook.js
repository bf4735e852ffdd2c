/**
 * Preloaded into the production process by the crash tests: writes down each side effect, and ends the process at the one that is aimed at.
 * WEIR_CRASH_FOLDER names the folder of `effects.log`, and of `aim`: `<effect> <phase> <n>` for the n-th since the aim was taken, or nothing.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.env.WEIR_CRASH_FOLDER ?? '';
let aim = '';
let left = 0;

subscribe('weir:effect', ({ name, phase }) => {
  const point = `${name} ${phase}`;
  appendFileSync(path.join(folder, 'effects.log'), `${point}\n`);
  const text = readFileSync(path.join(folder, 'aim'), 'utf8');
  if (text !== aim) {
    aim = text;
    left = Number(text.split(' ')[2] ?? 0);
  }
  if (!text.startsWith(`${point} `)) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
