import { z } from 'zod';
import { LIMITS } from '../limits';
import { momentSchema, pageOf, pageQuery, successOf } from './envelope.api';
import { defineRoutes, get, post, put } from './route';

const PAGE_SIZE = 20;
const MATCH_VERDICTS = ['flagged', 'blocked'] as const;
/** `different` releases the item from this work for good; `same` blocks it. */
const MATCH_ANSWERS = ['same', 'different'] as const;
export type MatchAnswer = (typeof MATCH_ANSWERS)[number];

/** A segment of a video, in seconds. */
const segmentSchema = z.object({ fromSeconds: z.number(), toSeconds: z.number() });
/** One side of a match, to be shown: its stored file or preview, and the second of the frame in a video. `null` if neither is stored. */
const comparedSchema = z
  .object({ url: z.string(), mediaType: z.enum(['video', 'image']), atSeconds: z.number().min(0).nullable() })
  .nullable();

/** What the files of an item and another work have in common. */
export const matchEvidenceSchema = z.object({
  /** `sha256`, `pdq` or `sound`. */
  by: z.string(),
  /** Bits of 256 in which the closest pictures, or the sounds, differ. */
  distance: z.number(),
  matched: z.number(),
  compared: z.number(),
  /** Number of the item's file, from 0. */
  file: z.int().min(0),
  /** Part of the item's file that the work fills, and part of the work that it shows, 0 to 1; `null` if unknown. */
  shareOfOurs: z.number().nullable(),
  shareOfTheirs: z.number().nullable(),
  /** Views that match, ours first: `full`, `mirrored`, a crop. */
  views: z.array(z.string()).length(2),
  /** Of two videos: where they match, and by how much the work is ahead of the item. */
  segment: z.object({ ours: segmentSchema, theirs: segmentSchema, offsetSeconds: z.number() }).nullable(),
  /** Result of the second stage, the comparison on pixels; `null` for videos. */
  comparison: z.object({ correlation: z.number(), differing: z.number(), leastAlike: z.number().optional() }).nullable(),
  ours: comparedSchema,
  theirs: comparedSchema,
});
export type MatchEvidence = z.infer<typeof matchEvidenceSchema>;

/** Another work that an item was matched with, for an administrator to decide. */
const openMatchSchema = matchEvidenceSchema.extend({
  itemId: z.uuid(),
  title: z.string(),
  state: z.string(),
  verdict: z.enum(MATCH_VERDICTS),
  other: z.object({ kind: z.enum(['claim', 'item']), id: z.uuid(), title: z.string() }),
  decidedAt: momentSchema,
  /** What an administrator answered; `null` for a match that waits. */
  answered: z.object({ answer: z.enum(MATCH_ANSWERS), by: z.string(), at: momentSchema }).nullable(),
});
export type OpenMatchView = z.infer<typeof openMatchSchema>;

/** With `answered`, the matches that have an answer instead of those that wait for one. */
export const matchesQuerySchema = z.object({
  verdict: z.enum(MATCH_VERDICTS).optional(),
  answered: z.literal('true').optional(),
  ...pageQuery(PAGE_SIZE),
});
export type MatchesQuery = z.infer<typeof matchesQuerySchema>;

/** Replaces an earlier answer. */
export const answerMatchBodySchema = z.strictObject({
  itemId: z.uuid(),
  other: z.strictObject({ kind: z.enum(['claim', 'item']), id: z.uuid() }),
  answer: z.enum(MATCH_ANSWERS),
});
export type AnswerMatchBody = z.infer<typeof answerMatchBodySchema>;

const answerCountSchema = z.object({
  verdict: z.enum(MATCH_VERDICTS),
  rule: z.enum(['identical', 'video', 'picture', 'sound']),
  /**
   * Share (videos), correlation of the area that agrees least (pictures) or share of differing bits (sounds) of this row, from here to a tenth
   * more; `null` where none was measured.
   */
  from: z.number().nullable(),
  confirmed: z.int().min(0),
  rejected: z.int().min(0),
});
export type AnswerCountView = z.infer<typeof answerCountSchema>;

const { rightsThresholds } = LIMITS;
const threshold = ({ min, max }: { min: number; max: number }) =>
  z.number(`Please give a number from ${min} to ${max}`).min(min, `Please give at least ${min}`).max(max, `Please give at most ${max}`);
export const rightsThresholdsSchema = z
  .strictObject({
    videoBlockShare: threshold(rightsThresholds.videoBlockShare),
    videoFlagShare: threshold(rightsThresholds.videoFlagShare),
    videoExcerptSeconds: threshold(rightsThresholds.videoExcerptSeconds),
    pictureCorrelation: threshold(rightsThresholds.pictureCorrelation),
    pictureLeastAlike: threshold(rightsThresholds.pictureLeastAlike),
    soundBitErrors: threshold(rightsThresholds.soundBitErrors).default(rightsThresholds.soundBitErrors.default),
    soundSeconds: threshold(rightsThresholds.soundSeconds).default(rightsThresholds.soundSeconds.default),
  })
  .refine(({ videoFlagShare, videoBlockShare }) => videoFlagShare <= videoBlockShare, {
    message: 'Videos must be flagged at no greater share than they are blocked at',
    path: ['videoFlagShare'],
  });
export type RightsThresholdsBody = z.infer<typeof rightsThresholdsSchema>;

export const rightsMatchesRoutes = defineRoutes({
  list: get('/api/rights/matches', 'Matches that wait for an administrator, or have an answer, newest first', {
    query: matchesQuerySchema,
    response: pageOf(openMatchSchema),
  }),
  answer: post('/api/rights/answers', 'Says whether a post shows the work that it was matched with', {
    body: answerMatchBodySchema,
    response: successOf(z.object({ itemId: z.uuid(), state: z.string() })),
  }),
  counts: get('/api/rights/answers', 'How often matches were confirmed and rejected, per threshold', {
    response: successOf(z.array(answerCountSchema)),
  }),
  thresholds: get('/api/rights/thresholds', 'The thresholds of new rights decisions', { response: successOf(rightsThresholdsSchema) }),
  setThresholds: put('/api/rights/thresholds', 'Sets the thresholds of new rights decisions', {
    body: rightsThresholdsSchema,
    response: successOf(rightsThresholdsSchema),
  }),
});
