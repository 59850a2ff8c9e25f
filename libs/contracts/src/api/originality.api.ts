import { z } from 'zod';
import { LIMITS } from '../limits';
import { successOf } from './envelope.api';
import { queueAccountQuerySchema } from './instagram.api';
import { defineRoutes, get, put } from './route';

/** `original` and `edited` (materially) as an administrator says; a post with collaborators is a collaboration; the others are plain reposts. */
export const ORIGINALITY_KINDS = ['original', 'edited', 'collaboration', 'repost'] as const;
export type OriginalityKind = (typeof ORIGINALITY_KINDS)[number];

const { min, max } = LIMITS.originality.maxRepostShare;
const ruleFields = {
  /** Holds back the next plain repost if its share would be greater than `maxRepostShare`. */
  holdReposts: z.boolean(),
  maxRepostShare: z
    .number(`Please give a share from ${min} to ${max}`)
    .min(min, `Please give at least ${min}`)
    .max(max, `Please give at most ${max}`),
};
export const originalityRuleSchema = z.strictObject(ruleFields);
export type OriginalityRule = z.infer<typeof originalityRuleSchema>;

const posts = z.int().min(0);
const originalityStateSchema = z.object({
  ...ruleFields,
  windowDays: posts,
  minPosts: posts,
  posts: z.object({ original: posts, edited: posts, collaboration: posts, repost: posts }),
  /** Share of plain reposts; `null` without posts. An estimate: Instagram does not publish how it counts. */
  repostShare: z.number().min(0).max(1).nullable(),
  /** Plain reposts that may follow before the share is greater than `maxRepostShare`; `null` for any number. */
  repostsLeft: posts.nullable(),
  /** Other posts that bring the share back to `maxRepostShare`; 0 while it is not greater. */
  othersNeeded: posts,
});
export type OriginalityState = z.infer<typeof originalityStateSchema>;

const mark = z.enum(['original', 'edited']).nullable();
export const markOriginalityBodySchema = z.strictObject({ mark });
export type MarkOriginalityBody = z.infer<typeof markOriginalityBodySchema>;
const markResponse = { response: successOf(z.object({ mark })) };

const state = { query: queueAccountQuerySchema, response: successOf(originalityStateSchema) };
export const originalityRoutes = defineRoutes({
  state: get('/api/rights/originality', 'How original the posts that an account published in the last 30 days are, as an estimate', state),
  setRule: put('/api/rights/originality', 'Sets whether the queue of an account holds back plain reposts', {
    ...state,
    body: originalityRuleSchema,
  }),
  ofItem: get('/api/rights/items/:id/originality', 'What an administrator said about the originality of a post', markResponse),
  markItem: put('/api/rights/items/:id/originality', 'Marks a post as original or materially edited', {
    ...markResponse,
    body: markOriginalityBodySchema,
  }),
});
