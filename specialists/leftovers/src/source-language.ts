/**
 * What language a path is written in, and whether it is a test of that language.
 * A path decides alone: a change shows too little text to tell by content.
 */
export type Language = 'js' | 'python' | 'ruby' | 'go' | 'rust' | 'php' | 'java' | 'csharp' | 'elixir';

const EXTENSIONS: Readonly<Record<Language, string>> = {
  js: 'js jsx mjs cjs ts tsx mts cts vue svelte',
  python: 'py',
  ruby: 'rb rake',
  go: 'go',
  rust: 'rs',
  php: 'php phtml',
  java: 'java kt kts scala groovy',
  csharp: 'cs',
  elixir: 'ex exs',
};

const LANGUAGE_OF_EXTENSION: ReadonlyMap<string, Language> = new Map(
  (Object.keys(EXTENSIONS) as Language[]).flatMap(language => EXTENSIONS[language].split(' ').map(extension => [extension, language] as const)),
);

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|testing)\//i;

/** Test files by their usual names; a language without a row has no tests apart from its sources. */
const TEST_NAME: Readonly<Partial<Record<Language, RegExp>>> = {
  js: /[.\-_](?:tests?|specs?|e2e|cy|int|unit|it)(?:[.-]d)?\.[a-z]+$|(?:^|\/)(?:tests?|specs?)\.[a-z]+$/i,
  python: /(?:^|\/)(?:test_[^/]*|[^/]*_tests?|tests?|conftest)\.py$/,
  ruby: /_(?:spec|test)\.rb$/,
  go: /_test\.go$/,
  php: /Test\.php$|\.phpt$/,
  java: /(?:Tests?|IT|Spec|TestCase)\.[a-z]+$|(?:^|\/)src\/[a-z]*test[a-z]*\//i,
  csharp: /Tests?\.cs$|\.(?:unit|integration)?tests?\//i,
  elixir: /_test\.exs$/,
};

/** Last extension of a path in lower case, without its dot; empty when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

export const languageOf = (path: string): Language | null => LANGUAGE_OF_EXTENSION.get(extensionOf(path)) ?? null;

/** True for a test file of `language`: by its name, or by a folder such as `test/`. Rust keeps its tests in its sources. */
export function isTestFile(path: string, language: Language): boolean {
  if (language === 'rust') return true;
  // Go compiles tests only from `_test.go`, so a folder says nothing there.
  return (TEST_NAME[language]?.test(path) ?? false) || (language !== 'go' && TEST_FOLDER.test(path));
}

/** Folders of inputs for tests, where a leftover is often the very thing under test. */
export const isFixturePath = (path: string): boolean =>
  /(?:^|\/)(?:[^/]*fixtures?[^/]*|_?testdata|test-data|test_data|__snapshots__|snapshots?|corpus|corpora|golden|goldens|__mocks__|samples?)\//i.test(path) ||
  /\.snap$/.test(path);
