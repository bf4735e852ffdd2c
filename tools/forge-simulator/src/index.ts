export type { Account, Permission } from './state/account.ts';
export type { Change, Place, Review, Thread } from './state/change.ts';
export type { Fault, FaultRule } from './http/faults.ts';
export type { DeliveryRecord, ForgeKind } from './http/dialect.ts';
export type { SeenRequest, Violation } from './http/forge-server.ts';
export { type Forge, type ForgeOptions, startForge } from './start-forge.ts';
export type { Issue, Label, Remark } from './state/issue.ts';
export type { Repository } from './state/repository.ts';
export type { ChangeSeed, CommitSeed, Seed } from './state/seed.ts';
