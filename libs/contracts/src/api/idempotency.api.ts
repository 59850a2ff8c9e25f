/** Header of a POST: a repetition with the same key is not executed, and gets the first answer. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** How long an answer is kept for its key. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

const KEY = /^[\x21-\x7e]{1,255}$/u;

export const isIdempotencyKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);
