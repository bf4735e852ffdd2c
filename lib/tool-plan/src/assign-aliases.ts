/**
 * Upstream names for a set of tools, such that each can be told from the others (MOD-5). The result depends on the set
 * and not on its order: whoever would share a readable name gets the hashed one.
 */
import { hashedAlias, isLegalName, type NameRule, readableAlias } from './tool-alias.ts';
import { sayTool, type ToolName, toolKey } from './tool-declaration.ts';

export interface AliasWish {
  readonly tool: ToolName;
  /** The tool is unchanged upstream, so its kind tells it from another that keeps the same name. */
  readonly keepsName: boolean;
  /** False for a tool that only the history still names; it gives way to the declared ones. */
  readonly declared: boolean;
}

export interface AliasTable {
  /** Tool key to its name upstream. A tool without a legal name is missing. */
  readonly byTool: ReadonlyMap<string, string>;
  /** Set when a hash meets another name: one in four thousand million, and never resolved by order. */
  readonly collision: string | undefined;
}

interface Claims {
  readonly declaredKeepers: number;
  readonly declaredOthers: number;
  readonly gone: number;
}

export function assignAliases(wishes: readonly AliasWish[], rule: NameRule): AliasTable {
  const claims = countClaims(wishes);
  const byTool = new Map<string, string>();
  const owners = new Map<string, boolean>();
  let collision: string | undefined;
  for (const wish of wishes) {
    const readable = readableAlias(wish.tool);
    const alias = isLegalName(readable, rule) && mayKeep(wish, claims.get(readable)) ? readable : hashedAlias(wish.tool, rule);
    if (alias === undefined) continue;
    const keeps = wish.keepsName && alias === readable;
    if (owners.has(alias) && !(keeps && owners.get(alias) === true)) collision ??= `${sayTool(wish.tool)} and another tool need the same name upstream`;
    owners.set(alias, keeps);
    byTool.set(toolKey(wish.tool), alias);
  }
  return { byTool, collision };
}

function countClaims(wishes: readonly AliasWish[]): ReadonlyMap<string, Claims> {
  const claims = new Map<string, Claims>();
  for (const { tool, keepsName, declared } of wishes) {
    const before = claims.get(readableAlias(tool)) ?? { declaredKeepers: 0, declaredOthers: 0, gone: 0 };
    claims.set(readableAlias(tool), {
      declaredKeepers: before.declaredKeepers + (keepsName && declared ? 1 : 0),
      declaredOthers: before.declaredOthers + (!keepsName && declared ? 1 : 0),
      gone: before.gone + (declared ? 0 : 1),
    });
  }
  return claims;
}

function mayKeep({ keepsName, declared }: AliasWish, claims: Claims | undefined): boolean {
  if (claims === undefined) return true;
  if (keepsName) return declared || claims.declaredOthers === 0;
  return declared ? claims.declaredKeepers === 0 && claims.declaredOthers === 1 : claims.declaredKeepers + claims.declaredOthers === 0 && claims.gone === 1;
}
