import { z } from 'zod';
import { successOf } from './envelope.api';
import { defineRoutes, post } from './route';

/** `returned` items are back in their waiting state; `running` items are running or will be retried, and finish normally. */
const cancelledRunSchema = z.object({ returned: z.int().min(0), running: z.int().min(0) });
export type CancelledRun = z.infer<typeof cancelledRunSchema>;

export const runsRoutes = defineRoutes({
  cancel: post('/api/runs/:id/cancel', 'Cancels the jobs of a run over all waiting items that have not started', {
    response: successOf(cancelledRunSchema),
  }),
});
