import { api } from '@autoposter/contracts';
import { FakeApi } from '../../testing/fake-api';
import { keepToken, readToken } from '../session/session-token';
import { call, CallError, errorText, fetchData, idempotencyKeyOf, isRejected, releaseIdempotencyKey } from './client';

const failureOf = (promise: Promise<unknown>): Promise<CallError> => promise.then(fail, (error: unknown) => error as CallError);
const fail = (): never => {
  throw new Error('The call succeeded');
};

/** Request headers in the order of the requests; each response is taken from `responses`, the last one repeats. */
function recordHeaders(...responses: { ok: boolean; status: number; body: unknown }[]): Record<string, string>[] {
  const headers: Record<string, string>[] = [];
  globalThis.fetch = ((_url: string, init: RequestInit) => {
    headers.push(init.headers as Record<string, string>);
    const response = (responses.length > 1 ? responses.shift() : responses[0]) as (typeof responses)[number];
    return Promise.resolve({ ...response, headers: new Map(), json: () => Promise.resolve(response.body) } as unknown as Response);
  }) as typeof fetch;
  return headers;
}

beforeEach(() => keepToken('abc'));
afterEach(() => jest.useRealTimers());

describe('idempotencyKeyOf', () => {
  it('returns the same key for a request until that request has succeeded', () => {
    const first = idempotencyKeyOf('POST /a');
    expect(first).toMatch(/^[0-9a-f]{32}$/u);
    expect(idempotencyKeyOf('POST /a')).toBe(first);
    expect(idempotencyKeyOf('POST /b')).not.toBe(first);
    releaseIdempotencyKey('POST /a');
    expect(idempotencyKeyOf('POST /a')).not.toBe(first);
  });
});

describe('call', () => {
  it('sends token, path parameters, non-empty query values and the body', async () => {
    const fake = new FakeApi().on('GET /api/downloads', { success: true, data: [] }).on('PUT /api/instagram-queue/a%2Fb/priority', {});
    await call(api.downloads.list, { query: { limit: 5, cursor: undefined, status: '' } });
    await call({ ...api.instagramQueue.setPriority, method: 'PUT', path: '/api/instagram-queue/:id/priority' } as never, {
      params: { id: 'a/b' },
      body: { priority: 3 } as never,
    });
    expect(fake.requests.map(({ path, query, body }) => ({ path, query, body }))).toEqual([
      { path: '/api/downloads', query: { limit: '5' }, body: undefined },
      { path: '/api/instagram-queue/a%2Fb/priority', query: {}, body: { priority: 3 } },
    ]);
  });

  it('repeats the idempotency key of a failed POST and changes it after a success', async () => {
    const failed = { ok: false, status: 503, body: { error: 'Try later' } };
    const succeeded = { ok: true, status: 200, body: { success: true } };
    const headers = recordHeaders(failed, succeeded, succeeded);
    await call(api.publishing.pause).catch(() => undefined);
    await call(api.publishing.pause);
    await call(api.publishing.pause);
    const [first, second, third] = headers.map((each) => each['idempotency-key']);
    expect([first === second, second === third]).toEqual([true, false]);
    expect(headers[0]?.['authorization']).toBe('Bearer abc');
  });

  it('reports the message, status and fields of an error response', async () => {
    new FakeApi().fail('GET /api/health', 'The database is unavailable', 503);
    const error = await failureOf(call(api.health.health));
    expect(error).toMatchObject({ message: 'The database is unavailable', status: 503, detail: { requestId: 'req-1' } });
    expect(isRejected(error)).toBe(false);
  });

  it('treats a 2xx response with success: false as rejected', async () => {
    recordHeaders({ ok: true, status: 200, body: { success: false, error: 'No files' } });
    const error = await failureOf(call(api.health.health));
    expect([error.message, error.status, isRejected(error)]).toEqual(['No files', 422, true]);
  });

  it('reports an answer that is not JSON, such as the page of a proxy, and one without data', async () => {
    const expected = 'The server sent an answer that could not be read';
    recordHeaders({ ok: true, status: 200, body: null });
    expect((await failureOf(call(api.health.health))).message).toBe(expected);
    recordHeaders({ ok: true, status: 200, body: { success: true } });
    expect((await failureOf(fetchData(api.health.health)({ signal: new AbortController().signal }))).message).toBe(expected);
  });

  it('ends the session on a 401, but not for a token that the caller passed', async () => {
    new FakeApi().fail('GET /api/health', 'Sign in', 401);
    await failureOf(call(api.health.health, { token: 'other' }));
    expect(readToken()).toBe('abc');
    await failureOf(call(api.health.health));
    expect(readToken()).toBeNull();
    await expect(call(api.health.health)).rejects.toMatchObject({ status: 401, message: 'Please sign in again' });
  });

  it('gives up after the timeout with status 0', async () => {
    jest.useFakeTimers();
    globalThis.fetch = ((_url: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      })) as typeof fetch;
    const result = failureOf(call(api.health.health, { timeoutMs: 5_000 }));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await result).toMatchObject({ status: 0, message: 'The server did not answer in time' });
  });

  it('reports an unreachable server with status 0', async () => {
    globalThis.fetch = (() => Promise.reject(new TypeError('Failed to fetch'))) as typeof fetch;
    expect(await failureOf(call(api.health.health))).toMatchObject({ status: 0, message: 'The server could not be reached' });
  });
});

describe('errorText', () => {
  it('returns the message of an error and a fallback for anything else', () => {
    expect([errorText(new Error('Full')), errorText('x'), errorText(new Error(''), 'Failed')]).toEqual([
      'Full',
      'Something went wrong',
      'Failed',
    ]);
  });
});
