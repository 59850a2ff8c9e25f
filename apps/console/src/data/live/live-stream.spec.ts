import { liveFactSample, type LiveFact } from '@autoposter/contracts';
import { keepToken, readToken } from '../session/session-token';
import { LiveStream, type LinkState, createSseParser, type ServerEvent } from './live-stream';

const parsed = (...chunks: string[]): ServerEvent[] => {
  const events: ServerEvent[] = [];
  const parse = createSseParser((event) => events.push(event));
  for (const chunk of chunks) parse(chunk);
  return events;
};

describe('reading server-sent events', () => {
  it('puts together what came in pieces and skips comments', () => {
    expect(parsed(': hello\n\nid: 7\nevent: fact\nda', 'ta: {"a":\ndata: 1}\n', '\nid: 8\r\ndata: x\r\n\r\n')).toEqual([
      { id: '7', event: 'fact', data: '{"a":\n1}' },
      { id: '8', event: 'message', data: 'x' },
    ]);
  });

  it('holds back what is not complete', () => {
    expect(parsed('id: 1\ndata: x\n')).toEqual([]);
  });
});

/** A body that gives `chunks` and then ends, or stays open. */
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

describe('the live stream', () => {
  let asked: Record<string, string>[];
  let answers: { status: number; body: unknown }[];
  let facts: LiveFact[];
  let states: LinkState[];
  let gaps: number;

  const stream = () =>
    new LiveStream({ onFact: (each) => facts.push(each), onGap: () => (gaps += 1), onState: (state) => states.push(state) }, () => 0.5);
  const settled = () => jest.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    jest.useFakeTimers();
    [asked, answers, facts, states, gaps] = [[], [], [], [], 0];
    keepToken('abc');
    globalThis.fetch = ((_address: string, init: RequestInit) => {
      asked.push(init.headers as Record<string, string>);
      const answer = answers.shift();
      if (answer === undefined) return Promise.reject(new Error('refused'));
      return Promise.resolve({ ok: answer.status < 400, ...answer } as unknown as Response);
    }) as typeof fetch;
  });
  afterEach(() => jest.useRealTimers());

  it('sends the token and hands facts over', async () => {
    answers = [{ status: 200, body: body([fact(41), 'event: beat\ndata: {}\n\n', 'event: fact\ndata: nonsense\n\n'], true) }];
    stream().start();
    await settled();
    expect(asked[0]?.['authorization']).toBe('Bearer abc');
    expect(facts.map((each) => each.seq)).toEqual([41]);
    expect(states).toEqual(['connecting', 'live']);
  });

  it('comes back with the last id after a cut', async () => {
    answers = [
      { status: 200, body: body([fact(41)]) },
      { status: 200, body: body([fact(42)], true) },
    ];
    stream().start();
    await settled();
    expect(states.at(-1)).toBe('reconnecting');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked[1]?.['last-event-id']).toBe('41');
    expect(facts.map((each) => each.seq)).toEqual([41, 42]);
  });

  it('waits longer after each failure, thirty seconds at most', async () => {
    stream().start();
    for (let tries = 0; tries < 9; tries += 1) await jest.advanceTimersByTimeAsync(30_000);
    const soFar = asked.length;
    await jest.advanceTimersByTimeAsync(29_000);
    expect(asked.length - soFar).toBeLessThanOrEqual(1);
    expect(soFar).toBeLessThan(16);
  });

  it('stops for good when the session is over', async () => {
    answers = [{ status: 401, body: null }];
    stream().start();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(asked).toHaveLength(1);
    expect(readToken()).toBeNull();
    expect(states.at(-1)).toBe('off');
  });

  it('tells a gap', async () => {
    answers = [{ status: 200, body: body(['event: gap\ndata: {}\n\n'], true) }];
    stream().start();
    await settled();
    expect(gaps).toBe(1);
  });

  it('has missed something when it begins again without a last fact', async () => {
    answers = [
      { status: 200, body: body(['event: beat\ndata: {}\n\n'], true) },
      { status: 200, body: body([], true) },
    ];
    const away = stream();
    away.start();
    await settled();
    expect(gaps).toBe(0);
    away.stop();
    away.start();
    await settled();
    expect(asked).toHaveLength(2);
    expect(gaps).toBe(1);
  });

  it('gives up a silent line', async () => {
    const silent = { getReader: () => ({ read: () => new Promise(() => undefined) }) };
    let cut = false;
    globalThis.fetch = ((_address: string, init: RequestInit) => {
      init.signal?.addEventListener('abort', () => (cut = true));
      return Promise.resolve({ ok: true, status: 200, body: silent } as unknown as Response);
    }) as typeof fetch;
    stream().start();
    await jest.advanceTimersByTimeAsync(46_000);
    expect(cut).toBe(true);
  });
});
