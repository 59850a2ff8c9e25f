import { z } from 'zod';
import { idParamsSchema, successOf } from './envelope.api';
import { defineRoutes } from './route';

/** `takenBack` items returned to their waiting state; `goingOn` items are running or will be retried, and finish normally. */
export const cancelledRunSchema = z.object({ takenBack: z.int().min(0), goingOn: z.int().min(0) });
export type CancelledRun = z.infer<typeof cancelledRunSchema>;

export const runsRoutes = defineRoutes({
  cancel: {
    method: 'POST',
    path: '/api/runs/:id/cancel',
    access: 'admin',
    summary: 'Cancels the jobs of a run over all waiting items that have not started',
    params: idParamsSchema,
    response: successOf(cancelledRunSchema),
  },
});
