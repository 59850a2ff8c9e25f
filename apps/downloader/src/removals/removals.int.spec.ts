import type { FailureKind } from '@autoposter/contracts';
import { PipelineError, type ItemState } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import {
  anItem,
  aReadyItem,
  claimJob,
  endJob,
  fileFields,
  freshDatabase,
  type FreshDatabase,
  pollUntil,
  type PostgresServer,
  startPostgres,
} from '@autoposter/testkit';
import { requestStage } from '@autoposter/job-engine';
import { enqueue } from '@autoposter/workflow';
import { findRemoved, type RemovalTools } from './find-removed';
import { watchRemovals } from './find-removed';
import { LocalStore } from '@autoposter/object-store';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

describe('posts that are gone from Reddit', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  /** Ids that the list no longer has, and those that Reddit says are gone when asked for one by one. */
  let missing: Set<string>;
  let gone: Set<string>;
  let asked: string[][];

  beforeAll(async () => {
    server = await startPostgres('embedded');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    missing = new Set();
    gone = new Set();
    asked = [];
  });
  afterEach(() => fresh.drop());

  const failing = (kind: FailureKind) =>
    new PipelineError({ code: 'reddit_failed', kind, message: 'Reddit says so.', side: 'reddit', nextAction: 'Wait.' });
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
  const folder = mkdtempSync(join(tmpdir(), 'removals-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const objects = new LocalStore({ folder });
  const look = (tools: Partial<RemovalTools> = {}) =>
    findRemoved({ reddit, database: fresh.database, objects, logger: silentLogger, ...tools });
  /** As if the next round were due. */
  const later = () => fresh.database.sql.query(`UPDATE content_items SET source_checked_at = source_checked_at - interval '2 days'`);
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
    expect(await look()).toBe(5);
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
    expect(await look()).toBe(0);
  });

  it('are only those of which Reddit says so itself: an answer that lacks them is no proof', async () => {
    const held = await item('ready');
    missing.add(held.sourceId);
    expect(await look()).toBe(0);
    expect((await found(held)).state).toBe('ready');
  });

  it('are found behind a post that Reddit does not show us any more', async () => {
    const [hidden, behind] = [await item('ready'), await item('ready')];
    missing.add(hidden.sourceId);
    gone.add(behind.sourceId);
    const resolve = (url: string) => (url.includes(hidden.sourceId) ? Promise.reject(failing('upstream_rejected')) : reddit.resolve(url));
    expect(await look({ reddit: { ...reddit, resolve } })).toBe(1);
    expect((await found(hidden)).state).toBe('ready');
    expect((await found(behind)).state).toBe('failed');
    await later();
    const refused = { ...reddit, resolve: () => Promise.reject(failing('not_authorised')) };
    await expect(look({ reddit: refused })).rejects.toMatchObject({ failure: { kind: 'not_authorised' } });
  });

  it('are found, if later, behind many posts that Reddit does not show us any more, without asking for all of them in one round', async () => {
    for (let index = 0; index < 45; index += 1) missing.add((await item('ready', { sourceId: `hidden${index}` })).sourceId);
    const behind = await item('ready');
    gone.add(behind.sourceId);
    let requests = 0;
    const resolve = (url: string) => {
      requests += 1;
      return url.includes(behind.sourceId) ? reddit.resolve(url) : Promise.reject(failing('upstream_rejected'));
    };
    const tools = { reddit: { ...reddit, resolve } };
    expect([await look(tools), requests]).toEqual([0, 40]);
    expect(await look(tools)).toBe(1);
    expect(requests).toBe(46);
  });

  it('lose their files and what was derived from them, and leave hashes and a line of the audit log', async () => {
    const held = await item('ready', { topComments: [{ id: 'c', author: 'x', score: 1, body: 'hi', replies: 0 }] });
    const areas = { original: 'originals', processed: 'processed', cover: 'covers' } as const;
    const stored = new Map<string, { key: string; sha256: string }>();
    for (const role of ['original', 'processed', 'cover'] as const) {
      const object = await objects.put(areas[role], Readable.from([Buffer.from(`the ${role}`)]), 'image/jpeg', 'jpg');
      stored.set(role, object);
      const { key: objectKey, sha256, bytes } = object;
      await fresh.database.unitOfWork((uow) => uow.media.replace(held.id, role, [{ ...fileFields(), objectKey, sha256, bytes }]));
    }
    const job = await fresh.database.unitOfWork(async (uow) => {
      await uow.rights.saveFingerprints(held.id, [{ sha256: stored.get('original')?.sha256 ?? '', pdq: [] }]);
      const visuals = { summary: 'A fox.' } as never;
      await uow.captions.save({ itemId: held.id, caption: 'A fox', captionModel: 'm', analysis: 'A fox in the snow.', visuals });
      const requested = await requestStage(uow, { stage: 'ai', subjectId: held.id, itemId: held.id, key: held.id, actor: 'test' });
      if (!requested.accepted) throw new Error('not accepted');
      const claimed = await claimJob(fresh.database, requested.job.id, { jobs: uow.jobs });
      if (claimed === null) throw new Error('not claimed');
      await uow.jobs.journal(claimed, 'describe-visuals', { summary: 'A fox.' });
      await endJob(uow.jobs, claimed, { state: 'done' });
      return claimed;
    });
    gone.add(held.sourceId);
    expect(await look()).toBe(1);
    for (const { key } of stored.values()) expect(await objects.stat(key)).toBeNull();
    expect(await fresh.database.read.media.ofItem(held.id)).toEqual([]);
    expect(await found(held)).toMatchObject({ topComments: [], sourcePost: null, sourceRemovedAt: expect.any(Date) });
    expect(await fresh.database.read.captions.of(held.id)).toMatchObject({ analysis: null, visuals: null, textAnalysis: null });
    expect((await fresh.database.read.jobs.find(job.id))?.journal).toEqual({});
    const { sha256 } = stored.get('original') ?? {};
    expect(await fresh.database.sql.query('SELECT sha256 FROM fingerprints WHERE owner_id = $1', [held.id])).toEqual([{ sha256 }]);
    const [line] = await fresh.database.sql.query<{ detail: unknown }>(
      `SELECT detail FROM audit_log WHERE action = 'item.removed_at_source' AND subject = $1`,
      [held.id],
    );
    expect(line?.detail).toMatchObject({
      sourceId: held.sourceId,
      was: 'ready',
      sha256: expect.arrayContaining([...stored.values()].map((file) => file.sha256)),
    });
    expect(await look()).toBe(0);
  });

  it('are found among published, failed, blocked and discarded posts as well, and become cases where they are out', async () => {
    const [out, broken, discarded] = [await item('posted'), await item('failed', { failedStage: 'ai' }), await item('discarded')];
    const blocked = await item('blocked');
    gone = new Set([out, broken, discarded, blocked].map(({ sourceId }) => sourceId));
    expect(await look()).toBe(4);
    expect(await found(out)).toMatchObject({
      state: 'posted',
      sourceRemovedAt: expect.any(Date),
      processingErrors: [{ message: expect.stringContaining('after it was published'), nextAction: expect.stringContaining('Instagram') }],
    });
    expect(await found(broken)).toMatchObject({ state: 'failed', failedStage: 'download', sourceRemovedAt: expect.any(Date) });
    expect(await found(blocked)).toMatchObject({ state: 'blocked', sourceRemovedAt: expect.any(Date) });
    expect((await found(discarded)).state).toBe('deleted');
    expect((await fresh.database.read.history.ofItem(out.id)).at(-1)).toMatchObject({ type: 'download.failed', state: 'posted' });
  });

  it('are looked for among published posts once a day', async () => {
    await item('posted');
    await look();
    await look();
    expect(asked).toHaveLength(1);
    await later();
    await look();
    expect(asked).toHaveLength(2);
  });

  it('are not looked for among what is being published, gone or not from Reddit', async () => {
    await item('posting');
    await item('deleted');
    await item('downloading');
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
    const watch = {
      reddit: flaky,
      database: fresh.database,
      objects,
      logger: silentLogger,
      signal: stop.signal,
      roundSeconds: 0.2,
      firstRoundMs: 0,
    };
    watchRemovals(watch);
    await pollUntil(() => rounds >= 2);
    const [lease] = await fresh.database.sql.query<{ fence: number }>("SELECT fence FROM leases WHERE name = 'removals'");
    expect(lease?.fence).toBeGreaterThan(1);
    away = false;
    await pollUntil(async () => (await found(held)).state === 'failed');
    stop.abort();
  });
});
