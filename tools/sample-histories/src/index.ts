export { buildHistories, type PlantedFinding, type SampleHistory } from './build-histories.ts';
