import {
  anItem,
  aReadyItem,
  aSubreddit,
  claimJob,
  fileFields,
  type FreshDatabase,
  pollUntil,
  postgresKinds,
  useFreshDatabases,
} from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from './database';

/** A PDQ hash of 256 bits whose last `bits` are flipped. */
const hash = (bits: number): string => (BigInt(`0x${'5a'.repeat(32)}`) ^ ((1n << BigInt(bits)) - 1n)).toString(16).padStart(64, '0');
const print = (bits: number, sha256: string | null = null) => ({ sha256, pdq: [{ hash: hash(bits), quality: 90, atSeconds: null }] });

describe.each(postgresKinds())('repositories on PostgreSQL (%s)', (kind) => {
  let fresh: FreshDatabase;
  let database: Database;
  const run: Database['unitOfWork'] = (work) => database.unitOfWork(work);

  useFreshDatabases(kind, (made) => {
    fresh = made;
    database = fresh.database;
  });

  it('stores a source post once and reports the ones that were removed', async () => {
    const item = await run((uow) => anItem(uow, { sourceId: 'abc' }));
    expect(await run((uow) => uow.items.createMany([{ ...item, id: uuidv7() }]))).toEqual([]);
    await run((uow) => anItem(uow, { sourceId: 'gone', state: 'discarded' }));
    expect(await database.read.items.findKnown('reddit', ['abc', 'gone', 'new'])).toEqual(
      new Map([
        ['abc', { id: item.id, removed: false, interrupted: false }],
        ['gone', expect.objectContaining({ removed: true })],
      ]),
    );
  });

  it('reads what was written, with the types of the entity', async () => {
    const made = await run((uow) =>
      anItem(uow, {
        upvoteRatio: 0.5,
        topComments: [{ id: 'c', author: 'a', score: 3, body: 'Nice', replies: 0 }],
        reviewReasons: ['NSFW'],
      }),
    );
    const item = await database.read.items.find(made.id);
    expect(item).toMatchObject({
      upvoteRatio: 0.5,
      topComments: [{ body: 'Nice' }],
      reviewReasons: ['NSFW'],
      retryCount: 0,
      maxRetries: 3,
      version: 1,
      sourceCreatedAt: null,
    });
    expect(item?.createdAt).toBeInstanceOf(Date);
    await run((uow) => uow.media.replace(made.id, 'original', [fileFields({ bytes: 5_000_000_000 }), fileFields()]));
    expect(await database.read.media.ofItem(made.id)).toMatchObject([
      { bytes: 5_000_000_000, position: 0, role: 'original' },
      { position: 1 },
    ]);
  });

  it('refuses the output of a cancelled job, so that purged content stays purged', async () => {
    const item = await run((uow) => anItem(uow, { state: 'captioning' }));
    const held = await run(async (uow) => {
      const { id } = item;
      const job = await uow.jobs.create({ stage: 'ai', subjectId: id, itemId: id, messageKey: id, maxAttempts: 3, correlationId: id });
      return claimJob(database, job?.id ?? '', { jobs: uow.jobs });
    });
    if (held === null) throw new Error('not claimed');
    expect(await database.read.jobs.journal(held, 'describe-visuals', { visuals: ['a cat'] })).toBe(true);
    await run(async (uow) => {
      await uow.jobs.cancelOpen(item.id);
      await uow.items.purgeContent(item.id);
    });
    expect(await database.read.jobs.journal(held, 'write-captions', { analysis: 'a cat' })).toBe(false);
    expect(await database.read.jobs.find(held.id)).toMatchObject({ state: 'cancelled', journal: {} });
  });

  it('pages through all items, newest first', async () => {
    const ids = await run(async (uow) => {
      const made: string[] = [];
      for (let index = 0; index < 7; index += 1) made.push((await anItem(uow)).id);
      return made;
    });
    const seen: string[] = [];
    for (let after: { createdAt: Date; id: string } | undefined; ;) {
      const page = await database.read.items.list({ limit: 3, ...(after ? { after } : {}) });
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (!last) break;
      after = last;
    }
    expect(seen).toEqual([...ids].reverse());
  });

  it('keeps the newest thirty errors of an item in order', async () => {
    const item = await run((uow) => anItem(uow));
    for (let index = 1; index <= 32; index += 1)
      await database.read.items.addError(item.id, { stage: 'download', message: `error ${index}`, timestamp: new Date().toISOString() });
    const errors = (await database.read.items.find(item.id))?.processingErrors ?? [];
    expect([errors.length, errors[0]?.message, errors.at(-1)?.message]).toEqual([30, 'error 3', 'error 32']);
  });

  it('finds claims and earlier items by file hash and by image hash within the distance', async () => {
    const ours = await run((uow) => anItem(uow));
    const near = await run((uow) => anItem(uow, { title: 'near' }));
    const far = await run((uow) => anItem(uow, { title: 'far' }));
    const blocked = await run((uow) => anItem(uow, { title: 'a copy', state: 'blocked' }));
    await run(async (uow) => {
      await uow.rights.saveFingerprints(ours.id, [print(0, 'f'.repeat(64))]);
      await uow.rights.saveFingerprints(near.id, [print(31)]);
      await uow.rights.saveFingerprints(far.id, [print(32)]);
      await uow.rights.saveFingerprints(blocked.id, [print(0)]);
      const claim = { claimant: 'Someone', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.org' };
      await uow.rights.addClaim({ ...claim, title: 'the work' }, [print(200, 'f'.repeat(64))]);
      const withdrawn = await uow.rights.addClaim({ ...claim, title: 'withdrawn' }, [print(0)]);
      await uow.claims.setStatus(withdrawn.id, { from: 'active', to: 'withdrawn', note: null, expiresAt: null });
    });
    const found = await database.read.rights.findMatches(ours.id, [print(0, 'f'.repeat(64))]);
    expect(found).toMatchObject([
      { kind: 'claim', title: 'the work', by: 'sha256', distance: 0, matched: 1, compared: 1, published: false },
      { kind: 'item', id: near.id, title: 'near', by: 'pdq', distance: 31, matched: 1, compared: 1, published: false },
      { kind: 'item', id: far.id, title: 'far', strength: 'flag', distance: 32 },
    ]);
    expect(await database.read.rights.findMatches(ours.id, [])).toEqual([]);
  });

  it('opens one attempt per item and finds a published one with the same caption and media', async () => {
    const item = await run((uow) => aReadyItem(uow, { state: 'queued' }));
    const place = await run((uow) => uow.queue.create({ itemId: item.id, status: 'posting', caption: 'A', queuedBy: 'x' }));
    const values = {
      itemId: item.id,
      queueItemId: place?.id ?? '',
      accountId: '1',
      kind: 'reel',
      caption: 'A',
      captionHash: 'h',
      mediaSha256: 'm',
    } as const;
    const open = () => run((uow) => uow.attempts.open(values));
    const attempts = (await Promise.all([open(), open(), open()])).filter((attempt) => attempt !== null);
    expect(attempts).toHaveLength(1);
    const first = attempts[0];
    if (!first) throw new Error('no attempt');
    const other = { ...first, id: uuidv7() };
    expect(await database.read.attempts.findEarlier(other)).toBeNull();
    const calledAt = new Date('2026-05-01T12:00:00Z');
    const patches = { container: {}, intent: { calledAt }, published: { mediaId: '99' } };
    const to = (state: keyof typeof patches, from: 'open' | 'container' | 'intent', fromVersion: number) =>
      run((uow) => uow.attempts.transition(first.id, { fromVersion, from, to: state, patch: patches[state] }));
    expect([await to('container', 'open', 1), await to('intent', 'container', 2)]).toEqual([true, true]);
    expect(await database.read.attempts.lastOpenCallAt('1', other.id)).toEqual(calledAt);
    expect(await database.read.attempts.lastOpenCallAt('1', first.id)).toBeNull();
    expect(await database.read.attempts.lastOpenCallAt('2', other.id)).toBeNull();
    expect(await to('published', 'intent', 3)).toBe(true);
    expect(await database.read.attempts.lastOpenCallAt('1', other.id)).toBeNull();
    expect(await to('published', 'intent', 3)).toBe(false);
    expect((await database.read.attempts.findEarlier(other))?.id).toBe(first.id);
    expect(await database.read.attempts.findLinked('1', ['98', '99'])).toEqual(new Set(['99']));
    // no second attempt after a published one
    const second = await run((uow) => uow.attempts.open(values));
    if (second === null) throw new Error('a failed repost must be possible to open');
    await expect(database.sql.query(`UPDATE publish_attempts SET state = 'published' WHERE id = $1`, [second.id])).rejects.toThrow(
      /one_live_per_item/,
    );
  });

  it('sorts the queue with items without a slot last, and counts it', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    await run(async (uow) => {
      for (const [title, scheduledFor, priority] of [
        ['late', at(20), 1],
        ['none', null, 9],
        ['early', at(-5), 3],
      ] as const) {
        const item = await aReadyItem(uow, { title, state: 'queued' });
        await uow.queue.create({
          itemId: item.id,
          status: scheduledFor ? 'scheduled' : 'pending',
          scheduledFor,
          priority,
          caption: 'A',
          queuedBy: 'x',
        });
      }
    });
    const titles = async (sortBy: 'scheduling.scheduledFor' | 'priority', sortOrder: 'asc' | 'desc') =>
      (await database.read.queue.page({ page: 1, limit: 10, sortBy, sortOrder })).rows.map(({ title }) => title);
    expect(await titles('scheduling.scheduledFor', 'asc')).toEqual(['early', 'late', 'none']);
    expect(await titles('scheduling.scheduledFor', 'desc')).toEqual(['late', 'early', 'none']);
    expect(await titles('priority', 'desc')).toEqual(['none', 'early', 'late']);
    expect(await database.read.queue.statistics()).toEqual({
      totalPosts: 3,
      pendingPosts: 3,
      completedPosts: 0,
      failedPosts: 0,
      averageQueueTimeHours: 0,
    });
    expect((await database.read.queue.next()).next?.title).toBe('early');
    expect(await run(async (uow) => (await uow.queue.lockDue(10)).length)).toBe(1);
  });

  it('creates the items of many posts with one statement, and leaves out those that exist', async () => {
    const posts = ['m1', 'm2', 'm1', 'm3'].map((sourceId) => ({
      platform: 'reddit' as const,
      sourceId,
      originalUrl: `https://www.reddit.com/comments/${sourceId}/`,
      autoProcessStage: 'dmcaProtection' as const,
    }));
    await run((uow) => uow.items.createMany(posts.slice(0, 1)));
    const created = await run((uow) => uow.items.createMany(posts));
    expect(created.map(({ sourceId, state }) => [sourceId, state])).toEqual([
      ['m2', 'accepted'],
      ['m3', 'accepted'],
    ]);
    expect(await run((uow) => uow.items.createMany(posts))).toEqual([]);
    expect(await run((uow) => uow.items.createMany([]))).toEqual([]);
  });

  it('keeps one row per skipped post with the newest reason, and filters rows', async () => {
    const post = { subreddit: 'aww', sourceId: 's1', originalUrl: 'https://www.reddit.com/r/aww/comments/s1/' };
    await run((uow) => uow.skipped.record({ ...post, reason: 'other' }, { ...post, reason: 'min_score_filter', score: 3 }));
    await run((uow) => uow.skipped.record({ ...post, reason: 'max_age_filter', score: 4 }));
    await run((uow) => uow.skipped.record({ ...post, sourceId: 's2', subreddit: 'pics', reason: 'nsfw_filter', score: 9 }));
    const page = { page: 1, limit: 50, sortBy: 'redditData.score', sortOrder: 'desc' } as const;
    const { rows, total } = await database.read.skipped.page(page);
    expect([total, rows.map(({ reason }) => reason)]).toEqual([2, ['nsfw_filter', 'max_age_filter']]);
    expect((await database.read.skipped.page({ ...page, subreddit: 'aww', reason: 'max_age_filter' })).total).toBe(1);
    expect((await database.read.skipped.page({ ...page, before: new Date(Date.now() - 60_000) })).total).toBe(0);
    expect(await database.read.skipped.statistics({})).toEqual([
      { reason: 'max_age_filter', count: 1 },
      { reason: 'nsfw_filter', count: 1 },
    ]);
    expect(await database.read.skipped.subreddits()).toEqual(['aww', 'pics']);
  });

  it('gives each due subreddit to one scheduler and opens one run for it', async () => {
    const subreddit = await run((uow) => aSubreddit(uow));
    expect(await run((uow) => uow.subreddits.create({ ...subreddit, id: uuidv7(), name: 'AWW' }))).toBeNull();
    const found = await Promise.all(
      [0, 1].map(() =>
        run(async (uow) => {
          const due = await uow.subreddits.lockDue(5);
          await new Promise((resolve) => setTimeout(resolve, 100));
          for (const one of due) await uow.subreddits.patch(one.id, { nextRunAt: new Date(Date.now() + 3_600_000) });
          return due.length;
        }),
      ),
    );
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(1);
    const runs = await Promise.all([0, 1, 2].map(() => run((uow) => uow.runs.create({ subredditId: subreddit.id, requestedBy: 'x' }))));
    expect(runs.filter((one) => one !== null)).toHaveLength(1);
  });

  it('never exceeds a daily quota', async () => {
    const taken = await Promise.all(Array.from({ length: 12 }, () => database.read.quota.take('ai.gemini', '2026-03-01', 5)));
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(await database.read.quota.used('ai.', '2026-03-01')).toBe(5);
    expect(await database.read.quota.take('ai.gemini', '2026-03-02', 5)).toBe(true);
    await database.read.quota.refund('ai.gemini', '2026-03-01');
    expect(await database.read.quota.take('ai.gemini', '2026-03-01', 5)).toBe(true);
    expect(await database.read.quota.take('ai.gemini', '2026-03-01', 5)).toBe(false);
    await database.read.quota.refund('ai.never', '2026-03-01');
  });

  it('stores settings, tasks, reports, sessions, audit entries and browser logs', async () => {
    const { read } = database;
    expect(await read.settings.get('queue')).toBeNull();
    await read.settings.set('queue', { intervalMinutes: 60 }, 'admin@example.org');
    expect(await read.settings.get('queue')).toEqual({ intervalMinutes: 60 });
    expect(await Promise.all([1, 2, 3].map(() => read.tasks.claim('plan-queue', 3600)))).toEqual(
      expect.arrayContaining([true, false, false]),
    );
    expect(await read.tasks.claim('plan-queue', 0)).toBe(true);
    await database.sql.query(`UPDATE task_runs SET last_run_at = now() + interval '1 hour', run_count = 1`);
    // recorded before the database clock was set back
    expect(await read.tasks.claim('plan-queue', 3600)).toBe(true);
    for (let run = 0; run < 21; run += 1) await read.tasks.end('plan-queue', run);
    await read.tasks.end('plan-queue', 60_000.4, 'It broke.');
    await read.tasks.end('plan-queue', 12.6);
    const [task] = await read.tasks.list();
    expect(task).toMatchObject({ id: 'plan-queue', runCount: 2, errorCount: 1, lastError: 'It broke.' });
    const recent = task?.recentRuns ?? [];
    expect(recent.map(({ durationMs, ok }) => (ok ? durationMs : -durationMs))).toEqual([
      13,
      -60_000,
      ...Array.from({ length: 18 }, (_, index) => 20 - index),
    ]);
    const agoMs = recent.slice(0, 2).map(({ startedAt }) => Date.now() - Date.parse(startedAt));
    expect(agoMs.map((ms) => Math.round(ms / 10_000))).toEqual([0, 6]);
    await read.workerReports.save('ffmpeg', { ok: false }, 'dmca-worker');
    await read.workerReports.save('ffmpeg', { ok: true }, 'dmca-worker');
    expect(await read.workerReports.find('ffmpeg')).toMatchObject({ report: { ok: true } });
    const session = uuidv7();
    expect(await read.sessions.isRevoked(session)).toBe(false);
    await read.sessions.revoke(session, new Date(Date.now() - 1));
    expect([
      await read.sessions.isRevoked(session),
      await read.retention.prune('revoked_sessions', 30, 100),
      await read.sessions.isRevoked(session),
    ]).toEqual([true, 1, false]);
    await read.audit.record({ actor: 'a', action: 'settings.changed', detail: { before: 1, after: 2 } });
    expect(await read.audit.list(1)).toMatchObject([{ action: 'settings.changed', detail: { after: 2 } }]);
    await read.browserLogs.add([1, 2, 3].map((n) => ({ level: 'error', message: `line ${n}`, source: null, loggedAt: new Date() })));
    expect((await read.browserLogs.last(2)).map(({ message }) => message)).toEqual(['line 2', 'line 3']);
    expect(await read.browserLogs.prune(1, 100)).toBe(2);
  });

  it('gives a lease to one owner at a time, with a new fence for each', async () => {
    const { leases } = database.read;
    const lapse = () => database.sql.query(`UPDATE leases SET until = now() - interval '1 second'`);
    expect([await leases.hold('scheduler', 'a', 30), await leases.hold('scheduler', 'b', 30)]).toEqual([1, null]);
    expect(await leases.hold('scheduler', 'a', 30)).toBe(1);
    await lapse();
    expect(await leases.hold('scheduler', 'a', 30)).toBe(2);
    await lapse();
    expect([await leases.hold('scheduler', 'b', 30), await leases.hold('scheduler', 'a', 30)]).toEqual([3, null]);
    await leases.release('scheduler', 'a');
    expect(await leases.hold('scheduler', 'a', 30)).toBeNull();
    await leases.release('scheduler', 'b');
    expect(await leases.hold('scheduler', 'a', 30)).toBe(4);
  });

  // times are stored in whole milliseconds: a release at 0.6 ms must not be stored as 1 ms, where the lease still holds
  it('gives a released lease to another owner at once', async () => {
    const { leases } = database.read;
    const fences: (number | null)[] = [];
    for (let round = 0; round < 300; round += 1) {
      const owner = round % 2 === 0 ? 'a' : 'b';
      fences.push(await leases.hold('scheduler', owner, 30));
      await leases.release('scheduler', owner);
    }
    expect(fences.filter((fence) => fence === null)).toEqual([]);
    expect(fences.at(-1)).toBe(300);
  });

  it('keeps the owner of a lease while a transaction depends on its fence', async () => {
    const { leases } = database.read;
    await leases.hold('scheduler', 'a', -1);
    const order: string[] = [];
    let taking: Promise<unknown> = Promise.resolve();
    await run(async (uow) => {
      expect([await uow.leases.lockFence('scheduler', 2), await uow.leases.lockFence('scheduler', 1)]).toEqual([false, true]);
      taking = leases.hold('scheduler', 'b', 30).then(() => order.push('taken'));
      await pollUntil(async () => (await database.sql.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0 || order.length > 0);
      order.push('committed');
    });
    await taking;
    expect(order).toEqual(['committed', 'taken']);
  });

  it('lists workers since their start and forgets silent ones', async () => {
    const { heartbeats } = database.read;
    const age = () => database.sql.query(`UPDATE workers SET since = now() - interval '1 day', seen_at = now() - interval '1 minute'`);
    await heartbeats.beat('a', ['dmca'], 3600, true);
    await age();
    await heartbeats.beat('a', ['dmca', 'register'], 3600);
    const [known] = await heartbeats.list();
    expect(known).toMatchObject({ id: 'a', stages: ['dmca', 'register'] });
    expect([known?.silentSeconds ?? 60, Date.now() - (known?.since.getTime() ?? 0) > 3_600_000]).toEqual([expect.closeTo(0, -1), true]);
    await heartbeats.beat('a', ['dmca'], 3600, true);
    expect(Date.now() - ((await heartbeats.list())[0]?.since.getTime() ?? 0)).toBeLessThan(3_600_000);
    await age();
    await heartbeats.beat('b', ['ai'], 30, true);
    expect((await heartbeats.list()).map(({ id }) => id)).toEqual(['b']);
  });

  it('keeps unreadable messages with the beginning of their text, and lists the newest first', async () => {
    const { quarantine } = database.read;
    for (const topic of ['first', 'second'])
      await quarantine.add({ topic, partition: 0, messageOffset: '1', body: 'x'.repeat(100_000), reason: 'not JSON' });
    const kept = await quarantine.list(5);
    expect(kept.map(({ topic, body }) => [topic, body.length])).toEqual([
      ['second', 16_384],
      ['first', 16_384],
    ]);
    expect([await quarantine.countAll(), (await quarantine.list(1, 1))[0]?.topic]).toEqual([2, 'first']);
  });
});
