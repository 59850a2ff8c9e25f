import { readJson } from '@autoposter/domain';
import { geminiFailure } from './gemini-failures';
import { readRefusal } from './model-call';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const refusal = (details: unknown[], message = 'You exceeded your current quota.', status = 429, headers: Record<string, string> = {}) =>
  geminiFailure(readRefusal(status, headers, { error: { code: status, message, status: 'RESOURCE_EXHAUSTED', details } }), NOW).failure;
const violations = (...list: Record<string, unknown>[]) => ({ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: list });
const retry = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
const DAY = { quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier', quotaValue: '20' };
const MINUTE = { quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', quotaValue: '5' };

test('ends a daily quota at midnight Pacific time despite the retry hint, and names the reported limit', () => {
  const found = refusal([violations(MINUTE, DAY), retry('37s')]);
  expect(found).toMatchObject({ kind: 'quota_exceeded', retryAfterSeconds: 20 * 3600, detail: { quotaValue: 20 } });
  expect(found.message).toMatch(/quota of 20 requests .*429/);
});

test('counts the time until midnight from the date of the answer, not from the process clock', () => {
  const date = new Date(NOW + 3_600_000).toUTCString();
  expect(refusal([violations(DAY)], undefined, 429, { date })).toMatchObject({ kind: 'quota_exceeded', retryAfterSeconds: 19 * 3600 });
});

test.each([
  ['37s', 38],
  ['37.963485137s', 38.964],
  ['999999s', 3600],
  ['soon', 60],
])('a minute waits for the hint %s', (delay, retryAfterSeconds) =>
  expect(refusal([violations(MINUTE), retry(delay)])).toMatchObject({ kind: 'rate_limited', retryAfterSeconds }),
);

test('reads the retry hint from the sentence when there are no details', () => {
  expect(refusal([], 'Please retry in 12.5s.')).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 13.5 });
});

test('does not wait for a quota of 0', () => {
  for (const quotaValue of ['0', 0]) expect(refusal([violations({ ...DAY, quotaValue })]).kind).toBe('not_offered');
  expect(refusal([], 'Quota exceeded for metric: x, limit: 0, model: y').kind).toBe('not_offered');
  expect(refusal([], 'Quota exceeded for metric: x, limit: 05').kind).toBe('rate_limited');
});

test('classifies an answer without a body by its status', () => {
  const bare = (status: number, body?: string) =>
    geminiFailure(readRefusal(status, { 'retry-after': '9' }, readJson(body ?? '')), NOW).failure;
  expect(bare(429)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 10 });
  expect(bare(402).kind).toBe('not_offered');
  expect(bare(400, '{"error":{"status":"FAILED_PRECONDITION","message":"User location is not supported"}}').kind).toBe('not_offered');
  expect(
    bare(400, '{"error":{"status":"INVALID_ARGUMENT","message":"Request payload size exceeds the limit: 20971520 bytes."}}').kind,
  ).toBe('too_large');
  expect(bare(400, '{"error":{"status":"INVALID_ARGUMENT","message":"Provided image is not valid."}}').kind).toBe('upstream_rejected');
  expect(bare(400, '{"error":{"message":"API key expired. Please renew the API key."}}').kind).toBe('not_authorised');
  expect(bare(403, '{"error":{"details":[{"reason":"SERVICE_DISABLED"}]}}').nextAction).toMatch(/Enable/);
  expect(bare(504).kind).toBe('transient');
});
