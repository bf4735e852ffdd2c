/** Python requirements: `name[extra]>=1,<2; marker`, `name @ https://…` and pip's bare URLs (PEP 508, pip "Requirement Specifiers"). */
import type { DependencyEntry } from '../dependency-entry.ts';

/** Names compare in lower case with `-`, `_` and `.` alike (PEP 503). */
export const normalizedPythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Runs of spaces are made one before it is matched. */
const REQUIREMENT = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?) ?(?:\[[^\]]*\])? ?(@ ?\S+|[<>=!~(][^;#]*|) ?(?:[;#].*)?$/;
const BARE_URL = /^(?:-e |--editable[ =])?((?:git\+|hg\+|svn\+|bzr\+)?(?:https?|ssh|git|file):\/\/\S+)/;

/** Longest requirement that is read; longer text is prose. */
const MAX_REQUIREMENT_CHARS = 1_000;

/** The entry that a requirement's text states; null when it is none. */
export const readRequirement = (text: string, section: string, line: number): DependencyEntry | null => {
  if (text.length > MAX_REQUIREMENT_CHARS) return null;
  const trimmed = text.trim().replace(/\s+/g, ' ');
  const url = BARE_URL.exec(trimmed)?.[1];
  if (url !== undefined) return { section, name: /[#&]egg=([^&]+)/.exec(url)?.[1] ?? url, spec: url, line };
  const found = REQUIREMENT.exec(trimmed);
  if (found === null) return null;
  const wanted = (found[2] ?? '').trim();
  const spec = wanted.startsWith('@') ? wanted.slice(1).trim() : wanted.replace(/\s+/g, '');
  return { section, name: normalizedPythonName(found[1] ?? ''), spec, line };
};
