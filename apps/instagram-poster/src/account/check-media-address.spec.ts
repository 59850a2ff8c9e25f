import { PipelineError } from '@autoposter/domain';
import { checkMediaAddress, mediaAddressWatch, mediaReach, testMediaAddress, watchMediaAddress } from './check-media-address';

const LINK = { url: 'https://cdn.example.test/media/1/s/processed/ab/c.mp4', contentType: 'video/mp4', bytes: 1000 };

const seen: { url: string; headers: Record<string, string> }[] = [];
beforeEach(() => void seen.splice(0));

/** Answers for the media and for robots.txt, which is missing unless given. */
const check = (media: Response | Error, robots = new Response('', { status: 404 })) => {
  const fake = (url: string, init: { headers: Record<string, string> }) => {
    seen.push({ url, headers: init.headers });
    const answer = url.endsWith('/robots.txt') ? robots : media;
    return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer);
  };
  return checkMediaAddress(LINK, fake as unknown as typeof fetch);
};
const file = (headers: Record<string, string> = {}, status = 200) =>
  new Response(status === 200 ? 'video' : null, { status, headers: { 'content-type': 'video/mp4', 'content-length': '1000', ...headers } });
const broken = (code: string) => new TypeError('fetch failed', { cause: { code } });

describe('checkMediaAddress', () => {
  it('accepts a file as it is stored, fetched as Instagram does', async () => {
    expect(await check(file())).toBeNull();
    expect(seen.map(({ url }) => url)).toEqual(['https://cdn.example.test/robots.txt', LINK.url]);
    expect(Object.keys(seen[1]?.headers ?? {})).toEqual(['user-agent', 'accept']);
    expect(seen[1]?.headers['user-agent']).toContain('facebookexternalhit');
  });

  it.each([
    [broken('ENOTFOUND'), 'media_address_unknown', 'The name cdn.example.test of CDN_BASE_URL is not known to DNS.'],
    [broken('DEPTH_ZERO_SELF_SIGNED_CERT'), 'media_address_untrusted', /DEPTH_ZERO_SELF_SIGNED_CERT/],
    [broken('CERT_HAS_EXPIRED'), 'media_address_untrusted', /CERT_HAS_EXPIRED/],
    [broken('ECONNREFUSED'), 'media_address_unreachable', /ECONNREFUSED/],
    [new DOMException('The operation timed out', 'TimeoutError'), 'media_address_unreachable', /15 s/],
    [file({ location: 'https://login.example.test' }, 302), 'media_address_redirects', /302/],
    [file({}, 403), 'media_address_refuses', /403/],
    [file({ 'content-type': 'text/html; charset=utf-8' }), 'media_address_wrong_content', /type is text\/html, not video\/mp4/],
    [file({ 'content-length': '17' }), 'media_address_wrong_content', /17 bytes, not 1000/],
  ] as [Response | Error, string, string | RegExp][])('names what is wrong: %s', async (answer, code, message) => {
    const failure = await check(answer);
    expect(failure?.code).toBe(code);
    expect(failure?.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  it.each([
    ['User-agent: *\nDisallow: /', true],
    ['User-agent: *\nDisallow: /media/', true],
    ['User-agent: *\nDisallow: /admin\nDisallow:', false],
    ['User-agent: *\nDisallow: /\nAllow: /media/', false],
    ['User-agent: *\nDisallow: /\n\nUser-agent: FacebookExternalHit\nDisallow: /private', false],
    ['User-agent: one\nUser-agent: facebookexternalhit\nDisallow: / # all', true],
    ['User-agent: *\nDisallow: /*?s=\nDisallow: /*.pdf$\nDisallow: /*/wp-admin/', false],
    ['User-agent: *\nDisallow: /*/processed/', true],
    ['User-agent: *\nDisallow: /*.mp4$', true],
    ['User-agent: *\nDisallow: /media$', false],
    ['User-agent: *\nDisallow: /\nAllow: /*.mp4', false],
    ['<!doctype html>', false],
  ])('follows robots.txt %j', async (robots, isForbidden) => {
    expect((await check(file(), new Response(robots)))?.code).toBe(isForbidden ? 'media_address_robots' : undefined);
  });

  it('reads no more of an endless robots.txt than it judges', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(Buffer.from('User-agent: *\nDisallow: /media/\n'.padEnd(10_000, '#')));
      },
    });
    expect((await check(file(), new Response(endless)))?.code).toBe('media_address_robots');
    expect(chunks).toBeLessThanOrEqual(12);
  });
});

describe('mediaReach', () => {
  const links = { isPublic: true, forMeta: () => LINK.url };
  const stored = { key: 'processed/ab/c.mp4', bytes: 1000, sha256: 'ab', contentType: 'video/mp4' };
  const stat = jest.fn(() => Promise.resolve<typeof stored | null>(stored));
  beforeEach(() => void stat.mockReset().mockResolvedValue(stored));
  const problem = async (answer: Response | Error, isPublic = true) => {
    const fetchFn = (url: string) => {
      if (url.endsWith('/robots.txt')) return Promise.resolve(new Response('', { status: 404 }));
      return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer);
    };
    const reach = mediaReach({ ...links, isPublic }, { stat }, fetchFn as unknown as typeof fetch);
    return (await reach.problemWith({ objectKey: 'processed/ab/c.mp4', contentType: 'video/mp4', bytes: 1000 }, new Date(0)))?.code;
  };

  it('names what Instagram would find, but no address that only this process does not reach', async () => {
    expect(await problem(file({}, 403))).toBe('media_address_refuses');
    expect(await problem(broken('CERT_HAS_EXPIRED'))).toBe('media_address_untrusted');
    expect(await problem(broken('ENOTFOUND'))).toBeUndefined();
    expect(await problem(broken('ECONNREFUSED'))).toBeUndefined();
    expect(await problem(file({}, 403), false)).toBeUndefined();
  });

  it('names the object store where the address lacks the file because of it', async () => {
    stat.mockRejectedValue(PipelineError.of('storage_unavailable', { fields: { operation: 'stat', code: 'ECONNREFUSED' } }));
    expect(await problem(file({}, 503))).toBe('storage_unavailable');
    expect(await problem(broken('CERT_HAS_EXPIRED'))).toBe('media_address_untrusted');
    expect(await problem(file())).toBeUndefined();
    stat.mockResolvedValue(null);
    expect(await problem(file({}, 404))).toBe('stored_file_missing');
  });
});

describe('the test of the public address', () => {
  const reports: unknown[] = [];
  beforeEach(() => void reports.splice(0));
  const systems = (
    newest: object | null = { objectKey: 'processed/ab/c.mp4', contentType: 'video/mp4', bytes: 1000 },
    stored: object = {},
  ) =>
    ({
      database: {
        read: {
          media: { newestProcessed: () => Promise.resolve(newest) },
          now: () => Promise.resolve(new Date()),
          workerReports: { save: (...saved: unknown[]) => Promise.resolve(void reports.push(saved)), find: () => Promise.resolve(null) },
          settings: { get: () => Promise.resolve(null) },
          ...stored,
        },
      },
      objects: { stat: () => Promise.resolve({}) },
      config: { service: 'instagram-poster' },
    }) as never;
  const links = (isPublic = true) => ({ isPublic, forMeta: () => LINK.url });
  const answering = (status: number) =>
    ((url: string) =>
      Promise.resolve(url.endsWith('/robots.txt') ? new Response('', { status: 404 }) : file({}, status))) as unknown as typeof fetch;

  it.each([
    ['a file that can be fetched', links(), undefined, 200, true, { hasAddress: true, tested: true, problem: null }],
    ['a refusal', links(), undefined, 403, false, { hasAddress: true, tested: true, problem: expect.stringContaining('403') }],
    ['no file, and tests again soon', links(), null, 200, false, { hasAddress: true, tested: false, problem: null }],
    ['no public address', links(false), undefined, 200, true, { hasAddress: false, tested: false, problem: null }],
  ])('reports %s', async (_what, of, newest, status, isWell, findings) => {
    expect(await testMediaAddress(systems(newest), of, false, answering(status))).toBe(isWell);
    expect(reports).toEqual([['media-address', findings, 'instagram-poster']]);
  });

  it('is requested until a worker has made it', async () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 1, 9, 0, seconds));
    const asked = (requested: number | null, reported: number | null) =>
      mediaAddressWatch(
        systems(null, {
          settings: { get: () => Promise.resolve(requested === null ? null : { requestedAt: at(requested).toISOString() }) },
          workerReports: { find: () => Promise.resolve(reported === null ? null : { reportedAt: at(reported) }) },
        }),
        links(),
      ).isRequested();
    expect(await Promise.all([asked(null, null), asked(1, null), asked(2, 1), asked(1, 2)])).toEqual([false, true, true, false]);
  });

  it('runs at once, daily, every ten minutes while there is a problem, and on request, without an account of the environment', async () => {
    jest.useFakeTimers();
    const end = new AbortController();
    const tests: number[] = [];
    const begun = Date.now();
    let isWell = true;
    let isRequested = false;
    const logger = { warn: () => undefined, error: () => undefined } as never;
    const test = () => {
      tests.push(Math.round((Date.now() - begun) / 60_000));
      isRequested = false;
      return Promise.resolve(isWell);
    };
    watchMediaAddress({ test, isRequested: () => Promise.resolve(isRequested), logger, signal: end.signal });
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    isRequested = true;
    isWell = false;
    await jest.advanceTimersByTimeAsync(26 * 60_000);
    expect(tests).toEqual([0, 5, 15, 25]);
    isWell = true;
    await jest.advanceTimersByTimeAsync(1440 * 60_000);
    expect(tests).toEqual([0, 5, 15, 25, 35]);
    end.abort();
    jest.useRealTimers();
  });
});
