import type { CancelledRun } from '../api/runs.api';

export const cancelledRunSample: CancelledRun = { takenBack: 41, goingOn: 2 };
