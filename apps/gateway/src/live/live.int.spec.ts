import { connect } from 'node:net';
import { LIVE_BEAT_MS, liveFactSchema, type LiveFact } from '@autoposter/contracts';
import { v7 as uuidv7 } from 'uuid';
import { GatewayFixture, tokenOf } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

/** All timers except intervals. */
const REAL_TIMERS = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'] as const;

interface Heard {
  event: string;
  id: string | null;
  data: string;
}

/** Reads a stream of events until told to stop. */
class Listener {
  readonly heard: Heard[] = [];
  private readonly abort = new AbortController();
  private waiting: (() => void)[] = [];
  readonly ended: Promise<void>;
  status = 0;

  constructor(address: string, token: string, lastEventId?: number) {
    const headers = { authorization: `Bearer ${token}`, ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }) };
    this.ended = this.read(`${address}/api/events`, headers).catch(() => undefined);
  }

  get facts(): LiveFact[] {
    return this.heard.filter(({ event }) => event === 'fact').map(({ data }) => liveFactSchema.parse(JSON.parse(data)));
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  stop(): void {
    this.abort.abort();
  }

  private async read(url: string, headers: Record<string, string>): Promise<void> {
    const response = await fetch(url, { headers, signal: this.abort.signal });
    this.status = response.status;
    this.wake();
    let rest = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (rest + Buffer.from(chunk).toString()).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
      this.wake();
    }
  }

  private take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null;
    const event = field('event');
    if (event !== null) this.heard.push({ event, id: field('id'), data: field('data') ?? '' });
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

describeGateway('event stream', () => {
  let gateway: GatewayFixture;
  const listeners: Listener[] = [];
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterEach(() => {
    listeners.splice(0).forEach((listener) => listener.stop());
    jest.useRealTimers();
  });
  afterAll(() => gateway?.stop());

  const listen = (lastEventId?: number) => {
    const listener = new Listener(gateway.address, gateway.token, lastEventId);
    listeners.push(listener);
    return listener;
  };
  const happen = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      await gateway.database.unitOfWork(async (uow) =>
        uow.history.append({ type: 'queue.changed', subjectId: uuidv7(), state: String(index) }),
      );
    }
  };

  it('sends facts in order with their sequence numbers', async () => {
    const listener = listen();
    await listener.until(() => listener.status === 200);
    await happen(1);
    await listener.until(() => listener.facts.length > 0);
    const item = await gateway.item('ready');
    await gateway.call('post', `/api/instagram-queue/${item.id}`, {}).expect(200);
    await listener.until(() => listener.facts.some((fact) => fact.type === 'item.queued'));
    const numbers = listener.facts.map((fact) => fact.seq);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(listener.heard.map(({ id }) => id)).toEqual(numbers.map(String));
    expect(listener.facts.find((fact) => fact.type === 'item.queued')?.itemId).toBe(item.id);
  });

  it('replays missed facts once after a reconnect', async () => {
    const { last } = await gateway.database.read.history.range();
    await happen(7);
    const listener = listen(last);
    await listener.until(() => listener.facts.length >= 7);
    await happen(1);
    await listener.until(() => listener.facts.length >= 8);
    expect(listener.facts.map((fact) => fact.seq)).toEqual(Array.from({ length: 8 }, (_, index) => last + 1 + index));
  });

  it('reports a gap if missed facts cannot be replayed', async () => {
    const listener = listen(999_999);
    await listener.until(() => listener.heard.length > 0);
    expect(listener.heard[0]?.event).toBe('gap');
  });

  it('ends with its own session', async () => {
    const [leaver, stayer] = [await tokenOf('admin@example.com'), await tokenOf('admin@example.com')];
    const streams = [leaver, stayer].map((token) => new Listener(gateway.address, token));
    listeners.push(...streams);
    await Promise.all(streams.map((stream) => stream.until(() => stream.status === 200)));
    const beside = await gateway.beside();
    await beside.visitor.post('/api/auth/logout').set('Authorization', `Bearer ${leaver}`).expect(200);
    await beside.stop();
    await streams[0]?.ended;
    const { length } = streams[1]?.heard ?? [];
    await happen(1);
    await streams[1]?.until(() => (streams[1]?.heard.length ?? 0) > length);
  });

  it('sends keep-alive events', async () => {
    // only the interval of this stream is fake: everything else runs in real time
    jest.useFakeTimers({ doNotFake: [...REAL_TIMERS] });
    const listener = listen();
    await listener.until(() => listener.status === 200);
    jest.advanceTimersByTime(LIVE_BEAT_MS - 1);
    await happen(1);
    await listener.until(() => listener.facts.length > 0);
    expect(listener.heard.map(({ event }) => event)).not.toContain('beat');
    jest.advanceTimersByTime(1);
    await listener.until(() => listener.heard.some(({ event }) => event === 'beat'));
    expect(listener.heard.find(({ event }) => event === 'beat')).toEqual({ event: 'beat', id: null, data: '{}' });
  });

  it('requires a bearer token in the header', async () => {
    expect((await gateway.visitor.get('/api/events')).status).toBe(401);
    expect((await gateway.visitor.get(`/api/events?token=${gateway.token}`)).status).toBe(401);
  });

  it('ends a HEAD request immediately', async () => {
    const { port } = new URL(gateway.address);
    const socket = connect(Number(port), '127.0.0.1');
    const ask = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token}\r\n${more}\r\n`;
    socket.write(ask('HEAD /api/events') + ask('GET /api/health', 'Connection: close\r\n'));
    const answers = Buffer.concat(await socket.toArray()).toString();
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*content-type: text\/event-stream/iu);
    expect(answers).toContain('"status":"healthy"');
  });

  it('is limited per session', async () => {
    const many = Array.from({ length: 14 }, () => listen());
    await Promise.all(many.map((listener) => listener.until(() => listener.status !== 0)));
    expect(many.filter((listener) => listener.status === 429)).toHaveLength(2);
  });
});
