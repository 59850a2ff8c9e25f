import { EventEmitter } from 'node:events';
import { silentLogger } from '@autoposter/observability';
import type { Response } from 'express';
import type { AuthService } from '../auth/auth.service';
import type { Session } from '../auth/session-tokens';
import { FakeDatabase, NOW } from '@autoposter/testkit';
import { LiveController } from './live.controller';
import { LiveService } from './live.service';

class FakeResponse extends EventEmitter {
  readonly req: { method: string };
  written = '';
  destroyed = false;
  writableEnded = false;
  readonly writableLength = 0;

  constructor(method = 'GET') {
    super();
    this.req = { method };
  }

  status = () => this;
  set = () => this;
  flushHeaders = () => undefined;
  write = (text: string) => (this.written += text).length > 0;
  end = () => {
    this.writableEnded = true;
    this.emit('close');
  };
}
const session = (sessionId: string) => ({ sessionId }) as Session;
const fact = (seq: number) => ({
  seq,
  type: 'item.queued',
  subjectId: 's',
  itemId: null,
  stage: null,
  state: null,
  reason: null,
  occurredAt: NOW,
});

function arrange(stubs: Record<string, unknown> = {}, ended: readonly Session[] = []) {
  const fake = new FakeDatabase({ 'history.range': { first: 1, last: 2 }, 'history.after': [], ...stubs });
  let wake: () => void = () => undefined;
  const stop = jest.fn(async () => undefined);
  const database = Object.assign(fake, {
    onEvents: async (listener: () => void) => {
      wake = listener;
      return stop;
    },
  });
  const auth = { endedAmong: async () => new Set(ended) } as unknown as AuthService;
  const live = new LiveService(database.database, auth, silentLogger);
  const open = async (id = 'one', lastSeen: number | null = null, response = new FakeResponse()) => {
    await live.open(response as unknown as Response, session(id), lastSeen);
    return response;
  };
  return { fake, live, open, stop, wake: () => wake() };
}

describe('LiveService', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('sends facts after the last one that the client received', async () => {
    const { open, fake } = arrange({ 'history.after': (seq: number) => (seq === 1 ? [fact(2)] : []) });
    const { written } = await open('one', 1);
    expect(written).toContain('id: 2\nevent: fact\n');
    expect(fake.argsOf('history.after')[0]).toEqual([1, 500]);
  });

  it('reports a gap if numbering restarted', async () => {
    expect((await arrange().open('one', 99)).written).toContain('event: gap');
  });

  it('sends keep-alive events until the client disconnects', async () => {
    const response = await arrange().open();
    jest.advanceTimersByTime(60_000);
    const beats = response.written.split('event: beat').length - 1;
    expect(beats).toBeGreaterThan(0);
    response.emit('close');
    jest.advanceTimersByTime(60_000);
    expect(response.written.split('event: beat').length - 1).toBe(beats);
  });

  it.each([
    ['to a connected client', false, true],
    ['no longer to one that disconnected', true, false],
  ])('sends new facts %s', async (_what, leaves, sent) => {
    let facts: object[] = [];
    const { live, open, wake } = arrange({ 'history.after': () => facts.splice(0) });
    await live.onApplicationBootstrap();
    await open('other');
    const response = await open();
    if (leaves) response.emit('close');
    facts = [fact(3)];
    wake();
    await jest.advanceTimersByTimeAsync(1);
    expect(response.written.includes('id: 3')).toBe(sent);
    await live.onModuleDestroy();
  });

  it('ends a HEAD request immediately', async () => {
    expect((await arrange().open('one', null, new FakeResponse('HEAD'))).writableEnded).toBe(true);
  });

  it('opens no stream for a client that left meanwhile', async () => {
    const gone = new FakeResponse();
    gone.destroyed = true;
    expect((await arrange().open('one', null, gone)).written).toBe('');
  });

  it('limits the streams of a session, and frees one that closes', async () => {
    const { open } = arrange();
    const first = await open();
    for (let opened = 1; opened < 12; opened += 1) await open();
    await expect(open()).rejects.toMatchObject({ status: 429 });
    await open('another');
    first.emit('close');
    await open();
  });

  it('closes the streams of ended sessions', async () => {
    const one = session('one');
    const { live, open } = arrange({}, [one]);
    await live.onApplicationBootstrap();
    const response = new FakeResponse();
    await live.open(response as unknown as Response, one, null);
    const other = await open('other');
    await jest.advanceTimersByTimeAsync(2_000);
    expect([response.writableEnded, other.writableEnded]).toEqual([true, false]);
    await live.onModuleDestroy();
  });

  it('closes all streams when the process stops and opens no new one', async () => {
    const { live, open, stop } = arrange();
    await live.onApplicationBootstrap();
    const response = await open();
    await live.onModuleDestroy();
    expect([response.writableEnded, stop.mock.calls.length]).toEqual([true, 1]);
    await expect(open()).rejects.toMatchObject({ status: 429 });
  });
});

describe('LiveController', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each(['abc', '-1', '1.5', '1'.repeat(16)])('reports a gap to a client whose last event is %s', async (lastEventId) => {
    const { live } = arrange();
    const response = new FakeResponse();
    await new LiveController(live).events(response as unknown as Response, session('one'), {}, lastEventId);
    expect(response.written).toContain('event: gap');
  });

  it.each([
    ['2', {}, false],
    ['2', { lastEventId: 99 }, false],
    ['', { lastEventId: 99 }, true],
    [undefined, {}, false],
  ])('prefers the header %j to the query %j', async (header, query, gap) => {
    const { live } = arrange();
    const response = new FakeResponse();
    await new LiveController(live).events(response as unknown as Response, session('one'), query, header);
    expect(response.written.includes('event: gap')).toBe(gap);
  });
});
