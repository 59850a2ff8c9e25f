/** Header by which a caller names a POST: repeated under the same name it is not done again, and the first answer comes back. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** How long an answer is kept for its name. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

const KEY = /^[\x21-\x7e]{1,255}$/u;

export const isIdempotencyKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);
