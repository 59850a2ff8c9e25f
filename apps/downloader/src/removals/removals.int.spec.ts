import { PipelineError, type FailureKind, type ItemState } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import { anItem, aReadyItem, eventually, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { enqueue, requestStage } from '@autoposter/stage-runner';
import { findRemoved, type RemovalTools } from './find-removed';
import { watchRemovals } from './watch-removals';

jest.setTimeout(60_000);

describe('posts that are gone from Reddit', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  /** Ids that the list no longer has, and those that Reddit says are gone when asked for one by one. */
  let missing: Set<string>;
  let gone: Set<string>;
  let asked: string[][];

  beforeAll(async () => {
    server = await startPostgres('embedded');
  }, 120_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    missing = new Set();
    gone = new Set();
    asked = [];
  });
  afterEach(() => fresh.drop());

  const failing = (kind: FailureKind) => new PipelineError({ kind, message: 'Reddit says so.', side: 'reddit', nextAction: 'Wait.' });
  const reddit: RemovalTools['reddit'] = {
    removedAmong: (ids) => {
      asked.push([...ids]);
      return Promise.resolve(new Set(ids.filter((id) => missing.has(id) || gone.has(id))));
    },
    resolve: (url) =>
      [...gone].some((id) => url.includes(id))
        ? Promise.reject(failing('not_found'))
        : Promise.resolve({ post: {} as never, topComments: [] }),
  };
  const look = (tools: Partial<RemovalTools> = {}) => findRemoved({ reddit, database: fresh.database, ...tools }, null);
  const item = (state: ItemState, change = {}) => fresh.database.unitOfWork((uow) => anItem(uow, { state, ...change }));
  const found = async ({ id }: { id: string }) => (await fresh.database.read.items.find(id)) ?? Promise.reject(new Error('gone'));

  it('leave the way, wherever they wait, and say why', async () => {
    const held = [await item('downloaded'), await item('protected'), await item('captioning'), await item('ready')];
    const writing = held[2]!;
    await fresh.database.unitOfWork((uow) =>
      requestStage(uow, { stage: 'ai', subjectId: writing.id, itemId: writing.id, key: writing.id, actor: 'test' }),
    );
    const queued = await fresh.database.unitOfWork(async (uow) => {
      const ready = await aReadyItem(uow);
      await enqueue(uow, ready, { immediate: false, actor: 'test' });
      return ready;
    });
    const stays = await item('ready');
    gone = new Set([...held, queued].map(({ sourceId }) => sourceId));
    expect(await look()).toEqual({ removed: 5, place: null });
    for (const one of [...held, queued]) {
      expect(await found(one)).toMatchObject({
        state: 'failed',
        failedStage: 'download',
        processingErrors: [{ kind: 'not_found', message: expect.stringContaining('removed at its source') }],
      });
    }
    expect(await fresh.database.read.jobs.findOpen('ai', writing.id)).toBeNull();
    expect(await fresh.database.read.queue.findOpenOf(queued.id)).toBeNull();
    expect((await fresh.database.read.history.ofItem(queued.id)).at(-1)).toMatchObject({ type: 'download.failed', state: 'failed' });
    expect((await found(stays)).state).toBe('ready');
    expect(await look()).toEqual({ removed: 0, place: null });
  });

  it('are only those of which Reddit says so itself: an answer that lacks them is no proof', async () => {
    const held = await item('ready');
    missing.add(held.sourceId);
    expect(await look()).toEqual({ removed: 0, place: null });
    expect((await found(held)).state).toBe('ready');
  });

  it('are found behind a post that Reddit does not show us any more', async () => {
    const [hidden, behind] = [await item('ready'), await item('ready')];
    missing.add(hidden.sourceId);
    gone.add(behind.sourceId);
    const resolve = (url: string) => (url.includes(hidden.sourceId) ? Promise.reject(failing('upstream_rejected')) : reddit.resolve(url));
    expect(await look({ reddit: { ...reddit, resolve } })).toEqual({ removed: 1, place: null });
    expect((await found(hidden)).state).toBe('ready');
    expect((await found(behind)).state).toBe('failed');
    const refused = { ...reddit, resolve: () => Promise.reject(failing('not_authorised')) };
    await expect(look({ reddit: refused })).rejects.toMatchObject({ failure: { kind: 'not_authorised' } });
  });

  it('are found, if later, behind many posts that Reddit does not show us any more, without asking for all of them in one round', async () => {
    // the newest are looked at first
    const behind = await item('ready');
    gone.add(behind.sourceId);
    for (let index = 0; index < 45; index += 1) missing.add((await item('ready', { sourceId: `hidden${index}` })).sourceId);
    let requests = 0;
    const resolve = (url: string) => {
      requests += 1;
      return url.includes(behind.sourceId) ? reddit.resolve(url) : Promise.reject(failing('upstream_rejected'));
    };
    const tools = { reddit: { ...reddit, resolve }, database: fresh.database };
    const first = await findRemoved(tools, null);
    expect([first.removed, requests]).toEqual([0, 40]);
    expect(await findRemoved(tools, first.place)).toEqual({ removed: 1, place: null });
    expect(requests).toBe(46);
  });

  it('are not looked for among what is out, gone, failed or not from Reddit', async () => {
    await item('posting');
    await item('posted');
    await item('deleted');
    await item('failed');
    await item('ready', { platform: 'instagram', sourceId: 'Cabc_def-1', originalUrl: 'https://www.instagram.com/p/Cabc_def-1/' });
    await look();
    expect(asked.flat()).toEqual([]);
  });

  it('are asked for in hundreds, each post once', async () => {
    const many = await Promise.all(Array.from({ length: 130 }, (_, index) => item('ready', { sourceId: `many${index}` })));
    await look();
    expect(asked.map((ids) => ids.length)).toEqual([100, 30]);
    expect(new Set(asked.flat())).toEqual(new Set(many.map(({ sourceId }) => sourceId)));
  });

  it('are asked for by one of several downloaders in a round, and again after Reddit was away', async () => {
    const held = await item('ready');
    gone.add(held.sourceId);
    const stop = new AbortController();
    let away = true;
    let rounds = 0;
    const flaky = {
      ...reddit,
      removedAmong: (ids: readonly string[]) => {
        rounds += 1;
        return away ? Promise.reject(failing('rate_limited')) : reddit.removedAmong(ids);
      },
    };
    await fresh.database.read.leases.hold('removals', 'another downloader', 1);
    const watch = { reddit: flaky, database: fresh.database, logger: silentLogger, signal: stop.signal, roundSeconds: 0.2, firstLookMs: 0 };
    watchRemovals(watch);
    await eventually(() => rounds >= 2);
    const waited = await fresh.database.read.leases.find('removals');
    expect(waited?.fence).toBeGreaterThan(1);
    away = false;
    await eventually(async () => (await found(held)).state === 'failed');
    stop.abort();
  });
});
