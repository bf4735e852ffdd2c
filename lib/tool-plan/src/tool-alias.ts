/**
 * The name under which an adapted tool goes upstream: readable where it can be, hashed where it cannot (MOD-5).
 * Both forms depend on the tool alone, so that the same request gives the same bytes and prompt caches hold.
 */
import type { CapabilityFacts } from './capability-facts.ts';
import { type ToolName, toolKey } from './tool-declaration.ts';

/** Characters of the hash: 8 hexadecimal digits. */
const HASH_DIGITS = 8;
/** Starts a name that would else be empty or start with an illegal character. */
const FALLBACK_PREFIX = 'tool';

export interface NameRule {
  readonly pattern: RegExp;
  readonly max: number;
}

export const nameRule = (facts: Pick<CapabilityFacts, 'name_pattern' | 'name_max'>): NameRule => ({
  pattern: new RegExp(facts.name_pattern, 'u'),
  max: facts.name_max,
});

export const isLegalName = (name: string, rule: NameRule): boolean => name.length > 0 && name.length <= rule.max && rule.pattern.test(name);

/** `namespace__name`, or the bare name at the root; it may be illegal or taken. */
export const readableAlias = ({ namespace, name }: ToolName): string => (namespace === undefined ? name : `${namespace}__${name}`);

/** A legal prefix of the readable form and 8 hexadecimal digits; undefined when the rule allows no such name. */
export function hashedAlias(tool: ToolName, rule: NameRule): string | undefined {
  const room = rule.max - HASH_DIGITS - 1;
  const suffix = `_${hash32(toolKey(tool)).toString(16).padStart(HASH_DIGITS, '0')}`;
  const cleaned = readableAlias(tool)
    .slice(0, Math.max(0, room))
    .replace(/[^a-zA-Z0-9_-]/g, '_');
  const bare = suffix.slice(1);
  return [`${cleaned}${suffix}`, `${FALLBACK_PREFIX}${suffix}`, `${FALLBACK_PREFIX}${bare}`].find(alias => isLegalName(alias, rule));
}

/** FNV-1a over UTF-16 units, stirred at the end so that names with the same tail differ in every digit. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
