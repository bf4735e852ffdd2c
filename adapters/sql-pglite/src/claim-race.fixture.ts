/** One of the processes that race for a folder: claims it again and again and looks whether somebody else is inside. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimFolder } from './claim-folder.ts';

const folder = process.argv[2] ?? '';
const marker = path.join(folder, 'inside');
let inside = 0;
let together = 0;
for (let round = 0; round < 10; round += 1) {
  const claim = await claimFolder(folder).catch(() => undefined);
  if (claim === undefined) continue;
  inside += 1;
  try {
    writeFileSync(marker, '', { flag: 'wx' });
    await new Promise(resolve => setTimeout(resolve, 5));
    rmSync(marker);
  } catch {
    together += 1;
  }
  await claim.release();
}
process.send?.({ inside, together });
