/** Topics of the bus, and which group of consumers reads which: the same in every process of a deployment. */
import type { BusTopology } from '@weir/ports';

export const INTEGRATION = 'integration';
export const EVENTS = 'events';
export const RESULTS = 'results';

export const INTAKE_GROUP = 'review-intake';
export const SAGA_GROUP = 'review-saga';
export const RESULTS_GROUP = 'review-results';

export const TOPOLOGY: BusTopology = { [INTAKE_GROUP]: [INTEGRATION], [SAGA_GROUP]: [EVENTS], [RESULTS_GROUP]: [RESULTS] };
