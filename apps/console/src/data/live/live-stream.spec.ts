import { type LiveFact, liveFactSample } from '@autoposter/contracts';
import { keepToken, readToken } from '../session/session-token';
import { type ConnectionState, LiveStream } from './live-stream';

/** A response body that yields `chunks`, then ends or stays open. */
const body = (chunks: string[], open = false) => {
  const rest = [...chunks];
  const read = (): Promise<{ done: boolean; value?: Uint8Array }> => {
    const chunk = rest.shift();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: new TextEncoder().encode(chunk) });
    return open ? new Promise(() => undefined) : Promise.resolve({ done: true });
  };
  return { getReader: () => ({ read }) };
};

const fact = (seq: number) => `id: ${seq}\nevent: fact\ndata: ${JSON.stringify({ ...liveFactSample, seq })}\n\n`;

describe('LiveStream', () => {
  let requests: Record<string, string>[];
  let responses: { status: number; body: unknown }[];
  let facts: LiveFact[];
  let states: ConnectionState[];
  let gaps: number;

  const stream = () =>
    new LiveStream({ onFact: (each) => facts.push(each), onGap: () => (gaps += 1), onState: (state) => states.push(state) }, () => 0.5);
  const settled = () => jest.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    jest.useFakeTimers();
    [requests, responses, facts, states, gaps] = [[], [], [], [], 0];
    keepToken('abc');
    globalThis.fetch = ((_address: string, init: RequestInit) => {
      requests.push(init.headers as Record<string, string>);
      const response = responses.shift();
      if (response === undefined) return Promise.reject(new Error('refused'));
      return Promise.resolve({ ok: response.status < 400, ...response } as unknown as Response);
    }) as typeof fetch;
  });
  afterEach(() => jest.useRealTimers());

  it('sends the session token and passes facts to its handler', async () => {
    responses = [{ status: 200, body: body([fact(41), 'event: beat\ndata: {}\n\n', 'event: fact\ndata: nonsense\n\n'], true) }];
    stream().start();
    await settled();
    expect(requests[0]?.['authorization']).toBe('Bearer abc');
    expect(facts.map((each) => each.seq)).toEqual([41]);
    expect(states).toEqual(['connecting', 'live']);
  });

  it('reads a fact that arrives in several chunks, after a comment', async () => {
    const [first, second] = [fact(41), fact(42).replaceAll('\n', '\r\n')];
    responses = [{ status: 200, body: body([': hello\n\n', first.slice(0, 25), first.slice(25), second.slice(0, -3)], true) }];
    stream().start();
    await settled();
    // The second one lacks its end.
    expect(facts.map((each) => each.seq)).toEqual([41]);
  });

  it('reconnects with the last event id after a disconnect', async () => {
    responses = [
      { status: 200, body: body([fact(41)]) },
      { status: 200, body: body([fact(42)], true) },
    ];
    stream().start();
    await settled();
    expect(states.at(-1)).toBe('reconnecting');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(requests[1]?.['last-event-id']).toBe('41');
    expect(facts.map((each) => each.seq)).toEqual([41, 42]);
  });

  it('backs off exponentially, up to thirty seconds', async () => {
    stream().start();
    for (let tries = 0; tries < 9; tries += 1) await jest.advanceTimersByTimeAsync(30_000);
    const before = requests.length;
    await jest.advanceTimersByTimeAsync(29_000);
    expect(requests.length - before).toBeLessThanOrEqual(1);
    expect(before).toBeLessThan(16);
  });

  it('stops when the session has ended', async () => {
    responses = [{ status: 401, body: null }];
    stream().start();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(requests).toHaveLength(1);
    expect(readToken()).toBeNull();
    expect(states.at(-1)).toBe('off');
  });

  it('reports a gap', async () => {
    responses = [{ status: 200, body: body(['event: gap\ndata: {}\n\n'], true) }];
    stream().start();
    await settled();
    expect(gaps).toBe(1);
  });

  it('reports a gap when it reconnects without a last event id', async () => {
    responses = [
      { status: 200, body: body(['event: beat\ndata: {}\n\n'], true) },
      { status: 200, body: body([], true) },
    ];
    const live = stream();
    live.start();
    await settled();
    expect(gaps).toBe(0);
    live.stop();
    live.start();
    await settled();
    expect(requests).toHaveLength(2);
    expect(gaps).toBe(1);
  });

  it('aborts an idle connection', async () => {
    const idle = { getReader: () => ({ read: () => new Promise(() => undefined) }) };
    let aborted = false;
    globalThis.fetch = ((_address: string, init: RequestInit) => {
      init.signal?.addEventListener('abort', () => (aborted = true));
      return Promise.resolve({ ok: true, status: 200, body: idle } as unknown as Response);
    }) as typeof fetch;
    stream().start();
    await jest.advanceTimersByTimeAsync(46_000);
    expect(aborted).toBe(true);
  });
});
