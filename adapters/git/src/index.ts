export { isDirty, openBranch, openRange, openStaged, openWorkingTree } from './local-change.ts';
export { defaultBranch, gitVersion, openRepository, type Repository } from './repository.ts';
