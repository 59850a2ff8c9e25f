/** Header of a POST: a repeated request with the same key is not executed again; its response is the first one. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** How long a response is kept for its key. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

const KEY = /^[\x21-\x7e]{1,255}$/u;

export const isIdempotencyKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);
