import { z } from 'zod';
import { idParamsSchema, successOf } from './envelope.api';
import { defineRoutes } from './route';

/** `takenBack` files went back to where they waited before the run; `goingOn` files of the run are in work, or are to be tried again, and end by themselves. */
export const cancelledRunSchema = z.object({ takenBack: z.int().min(0), goingOn: z.int().min(0) });
export type CancelledRun = z.infer<typeof cancelledRunSchema>;

export const runsRoutes = defineRoutes({
  cancel: {
    method: 'POST',
    path: '/api/runs/:id/cancel',
    access: 'admin',
    summary: 'Takes back what a run over all ready files has not started yet',
    params: idParamsSchema,
    response: successOf(cancelledRunSchema),
  },
});
