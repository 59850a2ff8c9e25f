import { z } from 'zod';
import { PAUSE_CAUSES } from '../vocabulary';
import { momentSchema, successOf } from './envelope.api';
import { defineRoutes, get, post } from './route';

/**
 * While paused nothing is published, Post Now included. Autoposter pauses automatically when the platform refuses the access token (`token`)
 * or restricts the account (`account`), when many posts missed their time (`backlog`), when another account is configured
 * (`account_changed`) and at the third strike (`strikes`), and says why and what to do; only a person resumes. Where another pause hid the
 * strikes, resuming it shows them as the next pause; resuming that acknowledges them.
 */
export const publishingSchema = z.object({
  paused: z.boolean(),
  by: z.string().nullable(),
  since: momentSchema.nullable(),
  cause: z.enum(PAUSE_CAUSES).nullable().optional(),
  reason: z.string().nullable().optional(),
  nextAction: z.string().nullable().optional(),
  /** Whether a person paused all accounts, not only the account of the environment. */
  all: z.boolean().optional(),
});
export type Publishing = z.infer<typeof publishingSchema>;

/** `since` of the pause that the caller was shown: one that replaced it meanwhile is not resumed unseen. */
export const resumeBodySchema = z.strictObject({ since: momentSchema.optional() });
export type ResumeBody = z.infer<typeof resumeBodySchema>;

const answer = { response: successOf(publishingSchema) };

export const publishingRoutes = defineRoutes({
  state: get('/api/publishing', 'Whether publishing is paused', answer),
  pause: post('/api/publishing/pause', 'Pauses all publishing', answer),
  resume: post('/api/publishing/resume', 'Resumes publishing', { body: resumeBodySchema, ...answer }),
});
