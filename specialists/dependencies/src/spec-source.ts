/**
 * Where a dependency's spec says that it comes from. Forms: docs.npmjs.com "npm install", pip "VCS Support",
 * doc.rust-lang.org/cargo "Specifying Dependencies"; other manifests are read into the same forms.
 */
export interface SpecSource {
  readonly kind: 'git' | 'archive' | 'local';
  /** False for http:, git: and other schemes that anyone on the way can answer. */
  readonly encrypted: boolean;
  /** True where a whole commit id names the exact code. */
  readonly pinned: boolean;
  /** Path of a local source as written; '' for others. */
  readonly path: string;
}

const HOSTED = /^(?:github|gitlab|bitbucket|gist):/;
const SHORTHAND = /^[A-Za-z0-9][\w.-]*\/[\w.-]+(?:#.*)?$/;
const FORGE = /^https?:\/\/(?:github\.com|gitlab\.com|bitbucket\.org)\/[^/]+\/[^/#]+(?:#.*)?$/;
const SCP = /^[\w.-]+@[\w.-]+:/;
const GIT_SCHEME = /^(?:git|hg|svn|bzr)\+|^git:\/\/|^ssh:\/\//;
const COMMIT = /[#@=](?:commit[=:])?[0-9a-f]{40}(?:[0-9a-f]{24})?(?:[#&]|$)/;
const PLAIN = /^(?:(?:git|hg|svn|bzr)\+)?http:\/\/|^git:\/\//;
/** A machine's own address: nobody stands in between. */
const LOOPBACK = /^(?:git\+)?http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

const isGit = (spec: string, shorthand: boolean): boolean =>
  GIT_SCHEME.test(spec) ||
  HOSTED.test(spec) ||
  SCP.test(spec) ||
  FORGE.test(spec) ||
  (shorthand && SHORTHAND.test(spec)) ||
  /^https?:\/\/[^#]*\.git(?:[#@]|$)/.test(spec);

/** True for a URL that travels unencrypted to another machine. */
export const isPlain = (url: string): boolean => PLAIN.test(url) && !LOOPBACK.test(url);

/**
 * The source that a spec names, or null for a range, a tag, an alias or a workspace link.
 * @param shorthand whether `owner/repository` means GitHub, as in package.json.
 */
export const sourceOf = (spec: string, shorthand: boolean): SpecSource | null => {
  const text = spec.trim();
  const local = /^file:/.test(text) || /^\.{0,2}\//.test(text) || text.startsWith('~/');
  if (local) return { kind: 'local', encrypted: true, pinned: false, path: text.replace(/^file:(?:\/\/)?/, '') };
  const common = { encrypted: !isPlain(text), pinned: COMMIT.test(text), path: '' };
  if (isGit(text, shorthand)) return { kind: 'git', ...common };
  return /^https?:\/\//.test(text) ? { kind: 'archive', ...common } : null;
};
