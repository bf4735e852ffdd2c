export { AGENTS } from './agents/agents.ts';
export { agentPackages } from './agents/agent-packages.ts';
export { type Ledger, ledgerProblems, MILLICENTS_A_TOKEN } from './ledger-problems.ts';
