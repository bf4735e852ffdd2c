/**
 * Manifests whose grammar is one dependency a line: go.mod, Gemfile, mix.exs, pubspec.yaml, requirements files and .NET
 * project files. Code that computes a dependency (a loop in a Gemfile) is not seen.
 */
import type { DependencyEntry } from '../dependency-entry.ts';
import type { NumberedLine, Piece } from '../piece.ts';
import { EMPTY_MANIFEST, type Manifest } from './manifest.ts';
import { readRequirement } from './requirement.ts';

/** Longer lines are no dependency; the bound keeps every expression below cheap. */
const MAX_LINE_CHARS = 2_000;

/** Entries of one line; `block` is the name of the block that the line stands in, '' outside, null where that is not shown. */
type LineReader = (text: string, block: string | null) => readonly Omit<DependencyEntry, 'line'>[];
/** The block that a line opens or ends; undefined when it does neither. */
type BlockReader = (text: string) => string | undefined;

const readLines =
  (entriesOf: LineReader, blockOf: BlockReader = () => undefined) =>
  (pieces: readonly Piece[]): Manifest => {
    const entries: DependencyEntry[] = [];
    for (const piece of pieces) {
      let block: string | null = piece.whole ? '' : null;
      for (const { line, text } of piece.lines.filter((shown: NumberedLine) => shown.text.length <= MAX_LINE_CHARS)) {
        const next = blockOf(text);
        for (const entry of next === undefined ? entriesOf(text, block) : []) entries.push({ ...entry, line });
        block = next ?? block;
      }
    }
    return { ...EMPTY_MANIFEST, entries };
  };

const withoutComment = (text: string, mark: string): string => (text.includes(mark) ? text.slice(0, text.indexOf(mark)) : text);

/** The directive that a line belongs to (null when that is not shown), then its words. */
const goWords = (text: string, block: string | null): readonly [directive: string | null, ...words: string[]] => {
  const words = withoutComment(text, '//').trim().split(/\s+/);
  const [first = ''] = words;
  return first === 'require' || first === 'replace' ? [first, ...words.slice(1)] : [block, ...words];
};

/** go.dev/ref/mod: `require m v`, `replace m [v] => target [v]`, alone or in a block. */
const goEntries: LineReader = (text, block) => {
  const [directive, ...words] = goWords(text, block);
  const arrow = words.indexOf('=>');
  if (arrow > 0 && directive !== 'exclude') {
    return [{ section: 'replace', name: words.slice(0, arrow).join(' '), spec: words.slice(arrow + 1).join(' ') }];
  }
  const [name = '', version = ''] = words;
  const required = directive === 'require' || (directive === null && name.includes('.'));
  return required && version.startsWith('v') ? [{ section: directive ?? '', name, spec: version }] : [];
};
const goBlock: BlockReader = text => {
  const opened = /^\s*(\w+)\s*\(\s*(?:\/\/.*)?$/.exec(text)?.[1];
  return opened ?? (text.trim() === ')' ? '' : undefined);
};

const QUOTED = /(["'])((?:(?!\1).)*)\1/g;
const quotedTexts = (text: string): string[] => [...text.matchAll(QUOTED)].map(found => found[2] ?? '');
const option = (text: string, name: string): string | undefined => new RegExp(`(?::${name}\\s*=>|\\b${name}:)\\s*["']([^"']+)["']`).exec(text)?.[1];

/** The source that options of a Ruby or Elixir dependency name; undefined for the registry. */
const sourceOption = (text: string): string | undefined => {
  const at = option(text, 'ref') ?? option(text, 'tag') ?? option(text, 'branch') ?? '';
  const git = option(text, 'git');
  if (git !== undefined) return `git+${git}#${at}`;
  const github = option(text, 'github');
  if (github !== undefined) return `github:${github}#${at}`;
  const path = option(text, 'path');
  return path === undefined ? undefined : `file:${path}`;
};

const VERSION_START = /^[~><=!]*\s*\d/;

/** bundler.io/man/gemfile: `gem "name", "~> 1.0", git: "…"`. */
const gemEntries: LineReader = text => {
  const code = withoutComment(text, ' #').trim();
  const source = /^source\s*\(?\s*["']([^"']+)["']/.exec(code)?.[1];
  if (source !== undefined) return [{ section: 'source', name: source, spec: source }];
  if (!/^gem[\s(]/.test(code)) return [];
  const [name, ...rest] = quotedTexts(code);
  const versions = rest.filter(part => VERSION_START.test(part));
  return name === undefined ? [] : [{ section: 'gem', name, spec: sourceOption(code) ?? versions.join(', ') }];
};

/** hexdocs.pm/mix "Mix.Tasks.Deps": `{:name, "~> 1.0", only: :test}`. */
const mixEntries: LineReader = text => {
  const found = /^(?:defp? deps,? do: )?\[?\{:([a-z][a-z0-9_]*), *(.*)$/.exec(text.trim());
  if (found === null) return [];
  const rest = found[2] ?? '';
  const version = quotedTexts(rest).find(part => VERSION_START.test(part));
  const local = rest.includes('in_umbrella: true') ? 'workspace:*' : undefined;
  const spec = sourceOption(rest) ?? local ?? version;
  return spec === undefined ? [] : [{ section: 'deps', name: found[1] ?? '', spec }];
};

const PUB_SECTIONS = new Set(['dependencies', 'dev_dependencies', 'dependency_overrides']);
/** dart.dev/tools/pub/pubspec: two spaces below a section's key; a git source stands below its name. */
const pubEntries: LineReader = (text, block) => {
  const git = /^ {4,}(?:git|url):\s*["']?((?:https?|git|ssh):\/\/\S+?\.git)["']?\s*$/.exec(text)?.[1];
  if (git !== undefined) return [{ section: 'git', name: git, spec: `git+${git}` }];
  const found = /^ {2}([a-z_][a-z0-9_]*):\s*(.*)$/.exec(text);
  if (found === null || (block !== null && !PUB_SECTIONS.has(block))) return [];
  const spec = withoutComment(found[2] ?? '', ' #')
    .trim()
    .replace(/^["']|["']$/g, '');
  return [{ section: block ?? '', name: found[1] ?? '', spec }];
};
const pubBlock: BlockReader = text => /^([a-z_]+):/.exec(text)?.[1];

/** learn.microsoft.com "PackageReference in project files". */
const projectEntries: LineReader = text => {
  const found = /<(PackageReference|PackageVersion)\s[^>]{0,300}?Include="([^"]+)"/.exec(text);
  if (found === null) return [];
  return [{ section: found[1] ?? '', name: (found[2] ?? '').toLowerCase(), spec: /\bVersion="([^"]*)"/.exec(text)?.[1] ?? '' }];
};

/** pip.pypa.io "Requirements File Format". */
const requirementEntries: LineReader = text => {
  const index = /^\s*(?:-i|--index-url|--extra-index-url|-f|--find-links)[ =]\s*(\S+)/.exec(text)?.[1];
  if (index !== undefined) return [{ section: 'source', name: index, spec: index }];
  const entry = readRequirement(text.replace(/\s\\$|\s--hash.*$/, ''), 'requirements', 0);
  return entry === null ? [] : [{ section: entry.section, name: entry.name, spec: entry.spec }];
};

export const readGoMod = readLines(goEntries, goBlock);
export const readGemfile = readLines(gemEntries);
export const readMixExs = readLines(mixEntries);
export const readPubspec = readLines(pubEntries, pubBlock);
export const readProjectFile = readLines(projectEntries);
export const readRequirements = readLines(requirementEntries);
