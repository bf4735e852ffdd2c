/** The parts that a process of the server may play (`weir serve --role`). */
import { AppError } from '@weir/kernel';

export const ROLES = ['ingress', 'orchestrator', 'reviewer', 'gateway', 'sweeper', 'dashboard'] as const;
export type Role = (typeof ROLES)[number];

/** Named in the design, not in this version. */
const LATER: ReadonlySet<string> = new Set(['tools', 'runner']);

/** @param text names separated by commas; undefined for all. Throws USAGE. */
export function readRoles(text: string | undefined): ReadonlySet<Role> {
  if (text === undefined) return new Set(ROLES);
  const names = text.split(',').map(name => name.trim());
  return new Set(names.map(roleOf));
}

function roleOf(name: string): Role {
  const role = ROLES.find(one => one === name);
  if (role !== undefined) return role;
  if (LATER.has(name)) throw new AppError('USAGE', `the role ${name} is not available yet`, { next: `Choose from: ${ROLES.join(', ')}.` });
  throw new AppError('USAGE', `there is no role ${JSON.stringify(name.slice(0, 40))}`, { next: `Choose from: ${ROLES.join(', ')}.` });
}
