/**
 * Which commands run code of the working directory: package managers with their scripts, build tools, test runners, scripts.
 * Data over guesses: a command that is not listed counts as harmless.
 */
import { commandsOf, scriptLines } from './script-text.ts';

const COMMANDS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun|corepack (?:pnpm|yarn))(?:\s+(?:ci|i|install|add|run|run-script|test|t|start|build|exec|x|pack|rebuild|lint)\b|$)/,
  /^(?:yarn|pnpm|bun)\s+(?!config\b|cache\b|--version\b|-v\b|set\b)[a-z]/,
  /^(?:npx|bunx|make|cmake|ninja|gradle|mvn|ant|sbt|lein|mix|rake|tox|nox|pytest|phpunit|pre-commit|bazel|just|task|jest|vitest|eslint|webpack|rollup|tsx|ts-node)\b/,
  /^cargo\s+(?:\+\S+\s+)?(?:b|build|t|test|r|run|check|clippy|bench|doc|nextest)\b/,
  /^go\s+(?:test|run|generate)\b/,
  /^python[\d.]*\s+(?:-m\s+)?[\w./-]/,
  /^(?:pip|pip3|pipx|uv pip)\s+install\s+(?:\S+\s+)*(?:-r|-e|--requirement|--editable|\.)/,
  /^(?:poetry|pdm|hatch|uv|rye)\s+(?:install|run|build|sync|test)\b/,
  /^bundle\s+(?:install|exec)\b|^bundle$/,
  /^composer\s+(?:install|update|run|test|exec)\b/,
  /^dotnet\s+(?:build|run|test|restore|publish|pack)\b/,
  /^(?:swift|zig|stack|cabal|dune|nix|nix-build)\s+(?:build|test|run|exec|develop)\b/,
  /^(?:terraform|tofu|pulumi)\s+(?:init|plan|apply|validate|preview|up)\b/,
  /^(?:docker|podman)\s+(?:buildx\s+)?(?:build|compose)\b/,
  /^deno\s+(?:run|task|test)\b/,
  /^(?:node|ruby|perl|php|bash|sh|zsh|source|\.)\s+(?!-)[\w./"$-]/,
  /^\.{1,2}\/[\w./-]/,
];

/** Actions that run code of the working directory by themselves. */
const ACTIONS: ReadonlySet<string> = new Set([
  'pre-commit/action',
  'oxsecurity/megalinter',
  'bahmutov/npm-install',
  'cypress-io/github-action',
  'gradle/gradle-build-action',
  'docker/build-push-action',
  'golangci/golangci-lint-action',
  'actions/jekyll-build-pages',
]);

/** Package managers that were told to run no scripts. */
const HARMLESS = /--ignore-scripts\b|--version\b|--help\b/;

const runsCode = (command: string): boolean => !HARMLESS.test(command) && COMMANDS.some(pattern => pattern.test(command));

/** Offset of the first line of a script, from an offset on, that runs code of the working directory; -1 if none is known to. */
export const runningLine = (script: string, from: number): number =>
  scriptLines(script).find(({ offset, text, region }) => offset >= from && region === 'code' && commandsOf(text).some(runsCode))?.offset ?? -1;

/** True for a local action, which comes out of the working directory, and for the actions above. */
export const actionRunsCode = (uses: string): boolean => uses.startsWith('./') || ACTIONS.has((uses.split('@')[0] ?? '').toLowerCase());
