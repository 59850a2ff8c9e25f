import { exchange, wordsFrom, type ExchangeProblem } from './exchange';

const REQUEST = { url: 'http://127.0.0.1/', method: 'GET' as const, headers: {} };
const LIMITS = { timeoutMs: 1000, maxBytes: 1000 };

class Explained extends Error {
  constructor(readonly problem: ExchangeProblem) {
    super(problem.reason);
  }
}
const ask = (fetchFn: (url: string, init: RequestInit) => Promise<Response>, limits = LIMITS) =>
  exchange(fetchFn as typeof fetch, REQUEST, limits, (problem) => new Explained(problem));
const answering = (text: string, status = 200) => ask(() => Promise.resolve(new Response(text, { status })));
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Explained) => error.problem,
  );

describe('exchange', () => {
  it('removes what no database keeps from the words of people, and nothing else', async () => {
    const text = '{"title":"a\\u0000b \\ud83d c \\ud83d\\ude00 d 😀","deep":[{"body":"\\udc00"}],"n":1}';
    const { json } = await answering(text);
    expect(json).toEqual({ title: 'ab \ufffd c 😀 d 😀', deep: [{ body: '\ufffd' }], n: 1 });
  });

  it('returns an answer of any status, without JSON for HTML and an empty body', async () => {
    expect(await answering('{"a":1}', 503)).toMatchObject({ status: 503, json: { a: 1 } });
    expect(await answering('<html></html>', 403)).toMatchObject({ status: 403, json: undefined });
    expect(await ask(() => Promise.resolve(new Response(null, { status: 429 })))).toMatchObject({ status: 429, json: undefined });
  });

  it('never follows a redirect', async () => {
    const seen: RequestInit[] = [];
    await ask((_url, init) => (seen.push(init), Promise.resolve(new Response('{}'))));
    expect(seen[0]).toMatchObject({ redirect: 'manual', method: 'GET' });
  });

  it('reports a body above the limit with its status and stops reading it', async () => {
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(600)),
      cancel: () => void (cancelled = true),
    });
    const problem = await problemOf(ask(() => Promise.resolve(new Response(body, { status: 201 }))));
    expect(problem).toMatchObject({ reason: 'too_large', status: 201 });
    expect(cancelled).toBe(true);
  });

  it('reports the time limit of a request without an answer', async () => {
    const silent = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    expect(await problemOf(ask(silent, { timeoutMs: 10, maxBytes: 10 }))).toMatchObject({ reason: 'timed_out', seconds: 0 });
  });

  it('reports the code of a broken connection', async () => {
    const broken = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }));
    expect(await problemOf(ask(broken))).toMatchObject({ reason: 'unreachable', code: 'ECONNREFUSED' });
  });
});

describe('wordsFrom', () => {
  it('removes the tokens, keys and organisations of every system', () => {
    const secrets = [
      'EAAabcdefghijklmnopqrst',
      'IGQabcdefghijklmnopqrst',
      'AIzaabcdefghijklmnopqrst',
      'gsk_abcdefghijklmnopqrst',
      'org_abcdefghij',
    ];
    const words = wordsFrom(`x ${secrets.join(' ')} access_token=secret&y`);
    expect(words).toBe(`x ${secrets.map(() => '[redacted]').join(' ')} access_token=[redacted]&y`);
  });

  it('returns one line of at most the given length', () => {
    expect(wordsFrom(' a\n\n b\u202e\u0007 ')).toBe('a b');
    expect(wordsFrom('word '.repeat(100), 20).length).toBeLessThanOrEqual(20);
  });
});
