/** `npm run generate`: writes every generated file, and removes rule pages whose rule is gone. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateDocuments } from './documents.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const documents = await generateDocuments(root);
const rules = path.join(root, 'docs/reference/rules');
await mkdir(rules, { recursive: true });
for (const entry of await readdir(rules, { recursive: true })) {
  const file = path.join('docs/reference/rules', entry);
  if (file.endsWith('.md') && !documents.has(file)) await rm(path.join(root, file));
}
for (const [file, text] of documents) {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}
process.stdout.write(`${documents.size} files are up to date\n`);
