export const PLATFORMS = ['reddit', 'instagram'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const TIME_PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type TimePeriod = (typeof TIME_PERIODS)[number];

/** How media are brought to another ratio: on a blurred copy of themselves, on black, or cropped around the centre. */
export const MEDIA_LAYOUTS = ['blur', 'pad', 'crop'] as const;
export type MediaLayout = (typeof MEDIA_LAYOUTS)[number];
export const DEFAULT_MEDIA_LAYOUT: MediaLayout = 'blur';

export const POST_TYPES = ['video', 'image', 'gallery', 'text', 'link', 'other'] as const;
export type PostType = (typeof POST_TYPES)[number];

export const MEDIA_TYPES = ['video', 'image', 'other'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** Status of a download on the wire. */
export const DOWNLOAD_STATUSES = ['pending', 'processing', 'downloaded', 'completed', 'failed'] as const;
export type DownloadStatus = (typeof DOWNLOAD_STATUSES)[number];

/** Statuses of a queue item. `pending` has no slot yet, `scheduled` has one. */
export const QUEUE_STATUSES = ['pending', 'scheduled', 'posting', 'posted', 'failed', 'cancelled'] as const;
export type QueueStatus = (typeof QUEUE_STATUSES)[number];

/** States of a job. `waiting` for a date, `retrying` after a failure, `dead` after its last attempt or a permanent failure. */
export const JOB_STATES = ['requested', 'running', 'waiting', 'retrying', 'done', 'dead', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/**
 * Who paused publishing: a person, or Autoposter itself because of the access token, the account, more posts that missed their time than the
 * queue's limit, a changed INSTAGRAM_BUSINESS_ACCOUNT_ID, or the strikes against the account.
 */
export const PAUSE_CAUSES = ['person', 'token', 'account', 'backlog', 'account_changed', 'strikes'] as const;
export type PauseCause = (typeof PAUSE_CAUSES)[number];

/** The two logins through which an account authorises Autoposter. */
export const LOGIN_FLAVOURS = ['instagram', 'facebook'] as const;
export type LoginFlavour = (typeof LOGIN_FLAVOURS)[number];

export const LOGIN_NAMES: Record<LoginFlavour, string> = { instagram: 'Instagram Login', facebook: 'Facebook Login' };

/** The account of INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_BUSINESS_ACCOUNT_ID. */
export const ENVIRONMENT_ACCOUNT_ID = '00000000-0000-7000-8000-000000000001';

/** Why the account has to wait for a while. */
export const HOLD_CAUSES = ['quota', 'rate_limit'] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

/** Checks of a published post: comparison with the sent one, first comment, metrics, Instagram's copyright check. */
export const POST_CHECKS = ['read_back', 'first_comment', 'insights_1h', 'insights_24h', 'insights_7d', 'copyright'] as const;
export type PostCheckKind = (typeof POST_CHECKS)[number];

/** Differences between the published post and the sent one. */
export const POST_DIFFERENCES = ['missing', 'caption', 'media_type', 'permalink'] as const;
export type PostDifference = (typeof POST_DIFFERENCES)[number];

/** What happens to a post that Instagram's copyright check gave no result for. */
export const UNCHECKED_POLICIES = ['hold', 'publish'] as const;
export type UncheckedPolicy = (typeof UNCHECKED_POLICIES)[number];

/** Why Instagram's copyright check of a post has no result. */
export type RightsCheckState = 'in_progress' | 'not_started' | 'error' | 'timed_out';

/** Why a post was left out: the value on the wire and the label that people read. */
export const SKIP_REASON_LABELS = {
  min_score_filter: 'Score too low',
  max_age_filter: 'Post too old',
  nsfw_filter: 'NSFW filtered',
  content_type_filter: 'Content type not allowed',
  stickied_filter: 'Stickied excluded',
  download_failure: 'Download failed',
  processing_failure: 'Processing failed',
  dmca_failure: 'DMCA failed',
  ai_failure: 'AI failed',
  duplicate_post: 'Duplicate',
  invalid_url: 'Invalid URL',
  rate_limit: 'Rate limited',
  network_error: 'Network error',
  unsupported_format: 'Unsupported format',
  file_size_limit: 'File too large',
  other: 'Other',
} as const;
export type SkipReason = keyof typeof SKIP_REASON_LABELS;
export const SKIP_REASONS = Object.keys(SKIP_REASON_LABELS) as [SkipReason, ...SkipReason[]];

/** What a failure means for the job, the HTTP status and the log of skipped posts. A code of the catalogue says which failure it is. */
export const FAILURE_KINDS = [
  'transient',
  'unavailable',
  'rate_limited',
  'quota_exceeded',
  'not_configured',
  'not_authorised',
  'not_found',
  'not_offered',
  'invalid_input',
  'conflict',
  'upstream_rejected',
  'unsupported_media',
  'too_large',
  'corrupt_media',
  'integrity',
  'rights_blocked',
  'policy',
  'unknown_outcome',
  'internal',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/**
 * `code` of every error response: the kind of a failure, or why the API itself refused the request. `request_running`: the same
 * `Idempotency-Key` is being executed. `run_finished`: nothing is left to cancel. `claim_withdrawn`: the claim of a notice that is to be upheld ended. `too_many_requests`: a limit of this API, while `rate_limited`
 * and `quota_exceeded` are limits of another system. `continues`: the response would arrive too late; the work continues.
 */
export const ERROR_CODES = [
  ...FAILURE_KINDS,
  'malformed_request',
  'not_signed_in',
  'not_allowed',
  'method_not_allowed',
  'request_running',
  'run_finished',
  'claim_withdrawn',
  'too_many_requests',
  'continues',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];
