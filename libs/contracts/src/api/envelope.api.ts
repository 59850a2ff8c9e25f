import { z } from 'zod';
import { LIMITS } from '../limits';
import { ERROR_CODES } from '../vocabulary';

/** Answer of a successful call with its data. */
export const successOf = <T extends z.ZodType>(data: T) => z.object({ success: z.literal(true), data, message: z.string().optional() });

/** Answer of a call that returns no data. */
export const acknowledgedSchema = z.object({ success: z.literal(true), message: z.string() });
export type Acknowledged = z.infer<typeof acknowledgedSchema>;

/** An invalid field of a request: its path, the violated rule and the received value (shortened). */
const fieldIssueSchema = z.object({ field: z.string(), rule: z.string(), value: z.string().optional() });
export type FieldIssue = z.infer<typeof fieldIssueSchema>;

/**
 * Every failure. `error` is a sentence that says what happened, with the provider's own words; `message` is the same sentence or the next
 * action. `code` is what programs decide by.
 */
export const errorResponseSchema = z.object({
  success: z.literal(false),
  error: z.string().min(1),
  message: z.string().min(1),
  requestId: z.string().min(1),
  code: z.enum(ERROR_CODES),
  nextAction: z.string().optional(),
  issues: z.array(fieldIssueSchema).optional(),
});
export type ErrorResponse = z.infer<typeof errorResponseSchema>;

export const idParamsSchema = z.object({ id: z.uuid() });

/** A moment in UTC, as ISO text. */
export const momentSchema = z.iso.datetime();

/** An address of the web as a person enters it. */
export const webAddressSchema = z
  .url({ protocol: /^https?$/u, error: 'Please give an address that begins with http:// or https://' })
  .max(2000, 'Please give an address of at most 2000 characters');

/** A whole day `YYYY-MM-DD` in the time zone of the queue settings. */
export const daySchema = z.iso.date();

/** When something happened, as a person enters it: an earlier year is a slip. */
const since2000 = [(text: string) => text >= '2000', 'Please give a date of the year 2000 or later'] as const;
export const pastMomentSchema = momentSchema.refine(...since2000);
export const pastDaySchema = daySchema.refine(...since2000);

const paginationSchema = z.object({
  currentPage: z.int().min(1),
  totalPages: z.int().min(0),
  totalCount: z.int().min(0),
  hasPrevPage: z.boolean(),
  hasNextPage: z.boolean(),
});
export type Pagination = z.infer<typeof paginationSchema>;

export const pageOf = <T extends z.ZodType>(entry: T) => successOf(z.object({ posts: z.array(entry), pagination: paginationSchema }));

const MAX_PAGE_SIZE = 200;

/** `page` starts at 1. */
export const pageQuery = (pageSize: number) => ({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(pageSize),
});

/** Without `limit` the whole list is returned; with it one page, and `cursor` selects the next one. */
export const cursorQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).optional(),
  cursor: z.string().max(200).optional(),
});
export type CursorQuery = z.infer<typeof cursorQuerySchema>;

export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    success: z.literal(true),
    data: z.array(item),
    message: z.string().optional(),
    nextCursor: z.string().nullable().optional(),
    totalCount: z.int().min(0).optional(),
  });

/** The first `limit` ready files; `totalCount` of the answer counts all of them. */
export const readyQuerySchema = z.object({ limit: z.coerce.number().int().min(1).max(LIMITS.readyFiles).default(LIMITS.readyFiles) });
export type ReadyQuery = z.infer<typeof readyQuerySchema>;

/** Parameters of a run over all ready files, with the product's defaults. */
export const processAllBody = (defaults: { batchSize: number; delayBetweenFilesMs: number; maxFiles: number }) => ({
  batchSize: z.int().min(1).max(10).default(defaults.batchSize),
  /** Milliseconds between two files. */
  delayBetweenFiles: z.int().min(0).max(60_000).default(defaults.delayBetweenFilesMs),
  maxFiles: z.int().min(1).max(defaults.maxFiles).default(defaults.maxFiles),
});

/** `total` = ready when called, `processed` = accepted by this call, `skipped` = omitted because already in progress or over the limit. */
export const processAllResponseSchema = z.object({
  success: z.literal(true),
  processed: z.int().min(0),
  total: z.int().min(0),
  skipped: z.int().min(0),
  message: z.string(),
  runId: z.uuid().optional(),
  error: z.string().optional(),
});
export type ProcessAllResponse = z.infer<typeof processAllResponseSchema>;

/** A stage was requested; the live events report its progress. */
const acceptedItemSchema = z.object({ id: z.uuid(), state: z.string(), jobId: z.uuid().optional() });
export const acceptedItemResponseSchema = successOf(acceptedItemSchema);
export type AcceptedItem = z.infer<typeof acceptedItemSchema>;

export const requiredText = (max: number) => z.string().trim().min(1).max(max);

/**
 * Trimmed text of at most `max` characters in UTF-16 units, as the counters of the console and the caption policy count them. zod alone counts
 * code points, so that it would accept twice as many emoji.
 */
export const limitedText = (max: number, message?: string) =>
  z
    .string()
    .trim()
    .max(max, message)
    .superRefine((value, context) => {
      if (value.length > max && [...value].length <= max)
        context.addIssue({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value, message });
    });

/** Header of a POST: a repeated request with the same key is not executed again; its response is the first one. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** How long a response is kept for its key. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

const KEY = /^[\x21-\x7e]{1,255}$/u;

export const isIdempotencyKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);
