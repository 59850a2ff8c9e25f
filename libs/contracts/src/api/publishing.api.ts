import { z } from 'zod';
import { PAUSE_CAUSES } from '../vocabulary';
import { momentSchema, successOf } from './envelope.api';
import { defineRoutes } from './route';

/**
 * While paused nothing is published, Post Now included. Autoposter pauses automatically when the platform refuses the access token (`token`)
 * or restricts the account (`account`), and says why and what to do; only a person resumes.
 */
export const publishingSchema = z.object({
  paused: z.boolean(),
  by: z.string().nullable(),
  since: momentSchema.nullable(),
  cause: z.enum(PAUSE_CAUSES).nullable().optional(),
  reason: z.string().nullable().optional(),
  nextAction: z.string().nullable().optional(),
});
export type Publishing = z.infer<typeof publishingSchema>;
export const publishingResponseSchema = successOf(publishingSchema);

const answer = { access: 'admin', response: publishingResponseSchema } as const;

export const publishingRoutes = defineRoutes({
  state: { ...answer, method: 'GET', path: '/api/publishing', summary: 'Whether publishing is paused' },
  pause: { ...answer, method: 'POST', path: '/api/publishing/pause', summary: 'Pauses all publishing' },
  resume: { ...answer, method: 'POST', path: '/api/publishing/resume', summary: 'Resumes publishing' },
});
