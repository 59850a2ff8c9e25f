import { HttpException } from '@nestjs/common';
import { createSubredditBodySchema, queueQuerySchema } from '@autoposter/contracts';
import { z } from 'zod';
import { PipelineError, FAILURE_KINDS, type FailureKind } from '@autoposter/domain';
import { retryAfterSeconds, statusOfFailure } from './failure-status';
import { idParam, valid } from './zod.pipe';

const claimsTitle = z.object({ title: z.string() });

function refusal(work: () => unknown): { status: number; body: { message: string; issues: object[] } } {
  try {
    work();
  } catch (error) {
    const thrown = error as HttpException;
    return { status: thrown.getStatus(), body: thrown.getResponse() as { message: string; issues: object[] } };
  }
  throw new Error('nothing was refused');
}

describe('the check of requests', () => {
  const body = valid(createSubredditBodySchema);

  it('fills in what is absent and reads numbers of a query', () => {
    expect(body.transform({ name: 'aww' })).toMatchObject({ interval: 60, postsToFetch: 100, filters: { minScore: 1 } });
    expect(valid(queueQuerySchema).transform({ page: '2' })).toMatchObject({ page: 2, limit: 20, sortOrder: 'asc' });
  });

  it('tells a broken shape from a value that is not acceptable', () => {
    expect(refusal(() => body.transform(undefined)).status).toBe(400);
    expect(refusal(() => body.transform({ name: 5 })).status).toBe(400);
    expect(refusal(() => body.transform({ name: 'aww', other: 1 })).status).toBe(400);
    const limit = refusal(() => body.transform({ name: 'aww', interval: 4, filters: { maxAge: 169 } }));
    expect(limit.status).toBe(422);
    expect(limit.body.issues).toEqual([
      expect.objectContaining({ field: 'interval', value: '4' }),
      expect.objectContaining({ field: 'filters.maxAge', value: '169' }),
    ]);
    expect(limit.body.message).toMatch(/^interval: .+\. filters\.maxAge: .+\.$/);
  });

  it.each([{ name: 'a\0b' }, { name: 'a\ud800' }, { 'a\0': 1 }, { filters: [{ deep: '\0' }] }])(
    'refuses what no database keeps: %j',
    (given) => {
      expect(refusal(() => body.transform(given))).toMatchObject({ status: 400, body: { message: expect.stringContaining('no text') } });
    },
  );

  it('lets whole pairs pass', () => {
    expect(valid(claimsTitle).transform({ title: 'a 😀 b' })).toEqual({ title: 'a 😀 b' });
  });

  it('takes ids in any case, and what is no id is unknown', () => {
    const id = '01890000-0000-7000-8000-00000000ABCD';
    expect(idParam.transform(id, { type: 'param' })).toBe(id.toLowerCase());
    expect(refusal(() => idParam.transform('1', { type: 'param' })).status).toBe(404);
  });
});

describe('the status of a failure', () => {
  const failure = (kind: FailureKind, retryAt?: string, retryAfterSeconds?: number) =>
    new PipelineError({ kind, message: 'm', side: 'gemini', nextAction: 'n', retryAt, retryAfterSeconds }).failure;

  it('never signs the user out', () => {
    expect(FAILURE_KINDS.map((kind) => statusOfFailure(failure(kind)))).not.toContain(401);
  });

  it('says when to come back', () => {
    const now = new Date('2026-05-05T10:00:00Z');
    expect(retryAfterSeconds(failure('quota_exceeded', '2026-05-05T10:01:30.500Z'), now)).toBe(91);
    expect(retryAfterSeconds(failure('rate_limited', undefined, 89.2), now)).toBe(90);
    expect(retryAfterSeconds(failure('rate_limited'), now)).toBe(60);
    expect(retryAfterSeconds(failure('quota_exceeded', '2026-05-05T09:00:00Z'), now)).toBe(1);
    expect(retryAfterSeconds(failure('internal'), now)).toBeNull();
  });
});
