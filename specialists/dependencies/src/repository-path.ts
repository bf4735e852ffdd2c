/** Paths inside a repository: slashes, no leading slash, '' for the root. */

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Folders that are looked through above a manifest. */
export const MAX_FOLDERS = 32;

/** The folder and those above it, nearest first, at most `limit` of them. */
export const upwards = (folder: string, limit: number): readonly string[] => {
  const folders = [folder];
  for (let at = folder; at !== '' && folders.length < limit; ) {
    at = folderOf(at);
    folders.push(at);
  }
  return folders;
};

/** `folder` as seen from `from`, which is the same or above it. */
export const below = (from: string, folder: string): string => (from === '' ? folder : folder.slice(from.length + 1));

/** Where a relative path leads from a folder; null when it leaves the repository. */
export const resolved = (folder: string, relative: string): string | null => {
  const steps = folder === '' ? [] : folder.split('/');
  for (const step of relative.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return null;
    } else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
};

const segmentFits = (pattern: string, segment: string): boolean => {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === segment;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (segment.startsWith(part) ? 0 : -1) : segment.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return parts.at(-1) === '' || segment.endsWith(parts.at(-1) ?? '');
};

/** Whether a workspace pattern (`packages/*`, `apps/**`) names the folder. A leading `!` is not read here. */
export const workspaceFits = (pattern: string, folder: string): boolean => {
  const want = pattern.replace(/^\.\//, '').replace(/\/$/, '').split('/');
  const have = folder.split('/');
  const deep = want.at(-1) === '**';
  const steps = deep ? want.slice(0, -1) : want;
  if (deep ? have.length < steps.length : have.length !== steps.length) return false;
  return steps.every((step, index) => segmentFits(step, have[index] ?? ''));
};

const VENDORED = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'third_party',
  'fixtures',
  '__fixtures__',
  'testdata',
  'test-fixtures',
  'site-packages',
]);
const ILLUSTRATIVE = new Set(['examples', 'example', 'samples', 'templates', 'template', 'test', 'tests', '__tests__', 'e2e', 'playground']);

const hasFolder = (path: string, names: ReadonlySet<string>): boolean =>
  folderOf(path)
    .split('/')
    .some(step => names.has(step));

/** Copies of other projects and test data: not judged at all. */
export const isVendored = (path: string): boolean => hasFolder(path, VENDORED);
/** Examples, templates and test projects: not judged for drift, since they are often kept without a lockfile. */
export const isIllustrative = (path: string): boolean => hasFolder(path, ILLUSTRATIVE);
