/**
 * Finds the built-in specialists: every package under specialists/ whose package.json has `weir.specialist` (SPEC-1).
 * Nothing lists them by name.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Specialist } from '@weir/specialist-kit';

export interface FoundSpecialist {
  readonly packageName: string;
  readonly specialist: Specialist;
}

interface Manifest {
  readonly name: string;
  readonly weir?: { readonly specialist?: string };
}

/** Loads each declaration, sorted by key. Throws where a package has no entry or its entry no `specialist`. */
export async function findSpecialists(root: string): Promise<readonly FoundSpecialist[]> {
  const room = path.join(root, 'specialists');
  const found: FoundSpecialist[] = [];
  for (const folder of (await readdir(room)).sort()) {
    const manifest = JSON.parse(await readFile(path.join(room, folder, 'package.json'), 'utf8')) as Manifest;
    const entry = manifest.weir?.specialist;
    if (entry === undefined) throw new Error(`specialists/${folder}/package.json has no "weir": {"specialist": …}`);
    const loaded = (await import(pathToFileURL(path.join(room, folder, entry)).href)) as { readonly specialist?: Specialist };
    if (loaded.specialist === undefined) throw new Error(`specialists/${folder} exports no \`specialist\``);
    found.push({ packageName: manifest.name, specialist: loaded.specialist });
  }
  return found.sort((a, b) => (a.specialist.key < b.specialist.key ? -1 : 1));
}
