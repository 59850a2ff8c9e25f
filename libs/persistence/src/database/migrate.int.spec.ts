import { createHash } from 'node:crypto';
import {
  accountSetting,
  comparableCaption,
  type Failure,
  failureOf,
  SETTING,
  sourceKeyOf,
  type SourceMedia,
  type SourcePost,
} from '@autoposter/domain';
import { anItem, aSubreddit, postgresKinds, useFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { MIGRATIONS } from '../migrations/migrations';
import { codeReviewReasons, codeStoredFailures } from '../migrations/jobs';
import { compareCaptions, originalityPerAccount } from '../migrations/publishing';
import { keyEarlierPosts, spellSubreddits } from '../migrations/sourcing';
import type { Database } from './database';
import { SchemaError } from './database-errors';

const NEWEST = Math.max(...MIGRATIONS.map(({ name }) => Number(/\d+$/u.exec(name)?.[0])));
/** Migrations from this one on state the oldest program that they serve. */
const RULE_SINCE = 1_763_750_000_000;

const run = async ({ sql }: Database, statements: readonly string[]) => {
  for (const statement of statements) await sql.query(statement);
};

describe.each(postgresKinds())('schema version on PostgreSQL (%s)', (kind) => {
  let fresh: FreshDatabase;
  let database: Database;
  useFreshDatabases(kind, (made) => {
    fresh = made;
    database = fresh.database;
  });

  const addNewer = (servesSince: number | null, name = `AddMoons${NEWEST + 10}`) =>
    database.sql.query('INSERT INTO schema_migrations (name, serves_since) VALUES ($1, $2)', [name, servesSince]);

  it.each([
    ['states nothing, as an additive one does', null],
    ['serves programs of this version', NEWEST],
    ['serves programs that are older still', NEWEST - 1],
  ])('serves this program after a newer migration that %s', async (_how, servesSince) => {
    await addNewer(servesSince);
    expect(await database.schemaState()).toMatchObject({ version: `AddMoons${NEWEST + 10}`, serves: true });
    expect(await database.health()).toMatchObject({ ok: true });
    expect(await database.migrate()).toEqual({ applied: [] });
  });

  it('refuses this program after a newer migration that serves newer programs only', async () => {
    await addNewer(NEWEST + 10);
    expect(await database.health()).toMatchObject({ ok: false, detail: expect.stringContaining(`AddMoons${NEWEST + 10}`) });
    await expect(database.migrate()).rejects.toThrow(SchemaError);
    await expect(database.migrate()).rejects.toThrow(/no longer serves this one/);
  });

  it('still refuses it after a later additive migration', async () => {
    await addNewer(NEWEST + 10);
    await addNewer(null, `AddMoons${NEWEST + 11}`);
    expect(await database.schemaState()).toMatchObject({ version: `AddMoons${NEWEST + 11}`, serves: false });
  });

  it('does not serve this program before each of its own migrations is applied', async () => {
    const name = MIGRATIONS.at(-1)?.name ?? '';
    await database.sql.query('DELETE FROM schema_migrations WHERE name = $1', [name]);
    await addNewer(null);
    expect(await database.health()).toMatchObject({ ok: false, detail: expect.stringContaining(`lacks ${name}`) });
  });

  it('turns stored review reasons into codes with the result that they came with', async () => {
    const item = await database.unitOfWork((uow) =>
      anItem(uow, { reviewReasons: ['Of the source.', 'Of the caption.', 'Of the rights.', 'A note.'] }),
    );
    await database.unitOfWork(async (uow) => {
      await uow.captions.save({ itemId: item.id, caption: 'x', captionModel: 'test', violations: ['Of the caption.'] });
      await uow.rights.saveDecision({
        itemId: item.id,
        verdict: 'flagged',
        reasons: ['Of the rights.'],
        matches: [],
        provenance: { notes: ['A note.'] },
      });
    });
    const reasons = async () => (await database.read.items.find(item.id))?.reviewReasons;
    const before = await reasons();
    await run(database, codeReviewReasons.up);
    const stored = (text: string, origin: string) => ({ code: 'stored_text', fields: { text, origin } });
    const coded = [
      stored('Of the source.', 'source'),
      stored('Of the caption.', 'caption'),
      stored('Of the rights.', 'rights'),
      stored('A note.', 'rights'),
    ];
    expect(await reasons()).toEqual(coded);
    await run(database, codeReviewReasons.up);
    expect(await reasons()).toEqual(coded);
    await run(database, codeReviewReasons.down);
    expect(await reasons()).toEqual(before);
  });

  it('gives failures that were stored without a code a code that keeps their sentences', async () => {
    const item = await database.unitOfWork((uow) => anItem(uow));
    const stored = { kind: 'transient', side: 'ours', message: 'Old.', nextAction: 'Wait.' };
    const coded = failureOf('disk_full');
    const queued = await Promise.all(
      [stored, coded].map((failure) =>
        database.read.queue.create({ itemId: item.id, status: 'failed', caption: 'x', queuedBy: 'x', failure: failure as Failure }),
      ),
    );
    const failures = () => Promise.all(queued.map(async (entry) => (await database.read.queue.find(entry?.id ?? ''))?.failure));
    await run(database, codeStoredFailures.up);
    expect(await failures()).toEqual([{ ...stored, code: 'stored_failure', action: 'none', fields: { text: 'Old.' } }, coded]);
    await run(database, codeStoredFailures.down);
    expect(await failures()).toEqual([stored, coded]);
  });

  it('hashes earlier captions as new ones are, where that differs', async () => {
    const earlier = (text: string) => createHash('sha256').update(text.trim()).digest('hex');
    const captions = ['Love \u2764\ufe0f \r\n#fox ', 'cafe\u0301', 'A fox.\n\n#fox'];
    const made = await Promise.all(
      captions.map((caption) =>
        database.unitOfWork(async (uow) => {
          const { id: itemId } = await anItem(uow);
          const place = await uow.queue.create({ itemId, status: 'posted', caption, queuedBy: 'x' });
          const attempt = { kind: 'reel', caption, captionHash: earlier(caption), mediaSha256: 'm' } as const;
          return uow.attempts.open({ itemId, queueItemId: place?.id ?? '', accountId: '1', ...attempt });
        }),
      ),
    );
    const hashes = () => Promise.all(made.map(async (one) => (await database.read.attempts.find(one?.id ?? ''))?.captionHash));
    await run(database, compareCaptions.up);
    expect(await hashes()).toEqual(captions.map((caption) => earlier(comparableCaption(caption))));
    await run(database, compareCaptions.down);
    expect(await hashes()).toEqual(captions.map(earlier));
  });

  it('keeps the originality rule of all accounts as a rule of each', async () => {
    const { accounts, settings } = database.read;
    const granted = { userId: '2', username: null, login: 'instagram' as const, scopes: [], token: {}, tokenExpiresAt: null };
    const { id } = await accounts.saveConnected({ ...granted, connectedBy: 'x' });
    const rule = { holdReposts: true, maxRepostShare: 0.3 };
    await settings.set(SETTING.originality, rule, 'ada');
    const rules = () => Promise.all([SETTING.originality, accountSetting('originality', id)].map((name) => settings.get(name)));
    await run(database, originalityPerAccount.up);
    expect(await rules()).toEqual([rule, rule]);
    await run(database, originalityPerAccount.down);
    expect(await rules()).toEqual([rule, null]);
  });

  it('reads a schema from before `serves_since`', async () => {
    await database.sql.query('ALTER TABLE schema_migrations DROP COLUMN serves_since');
    expect((await database.schemaState()).serves).toBe(true);
    expect(await database.migrate()).toEqual({ applied: [] });
    await addNewer(NEWEST + 10);
    expect((await database.schemaState()).serves).toBe(false);
  });
});

describe('KeyEarlierPosts', () => {
  let fresh: FreshDatabase;
  useFreshDatabases('embedded', (made) => {
    fresh = made;
  });

  const file = (url: string, manifestUrl: string | null = null) => ({ kind: 'video', url, manifestUrl }) as SourceMedia;
  const posts: readonly Partial<SourcePost>[] = [
    { media: [file('https://v.redd.it/one/CMAF_720.mp4?source=fallback', 'https://v.redd.it/one/DASHPlaylist.mpd?a=1&b=2#x')] },
    { media: [file('https://I.Redd.it/two.jpg?s=1'), file('https://i.redd.it/three.jpg')] },
    { media: [file('https://host.example?x=1'), file('no address')] },
    { media: [file(`https://i.redd.it/${'long/'.repeat(500)}`)] },
    { media: [], originId: 'origin' },
    { media: [] },
  ];

  it('gives earlier posts the key that new ones get, and leaves the others unchanged', async () => {
    const [keyed, unread, ...earlier] = await fresh.database.unitOfWork((uow) =>
      Promise.all([
        anItem(uow, { sourceKey: 'media:kept', sourcePost: posts[0] as SourcePost }),
        anItem(uow, { sourceKey: null, sourcePost: null }),
        ...posts.map((post) => anItem(uow, { sourceKey: null, sourcePost: post as SourcePost })),
      ]),
    );
    await run(fresh.database, keyEarlierPosts.up);
    const keyOf = async ({ id }: { id: string }) => (await fresh.database.read.items.find(id))?.sourceKey;
    expect([await keyOf(keyed), await keyOf(unread)]).toEqual(['media:kept', null]);
    for (const [index, item] of earlier.entries()) {
      expect(await keyOf(item)).toBe(sourceKeyOf({ media: [], sourceId: item.sourceId, ...posts[index] }));
    }
  });
});

describe('SpellSubreddits', () => {
  let fresh: FreshDatabase;
  useFreshDatabases('embedded', (made) => {
    fresh = made;
  });

  it("merges the rows of one subreddit under Reddit's spelling, keeps the newer of a post, and renames the configured one", async () => {
    const { database } = fresh;
    const row = { originalUrl: 'https://www.reddit.com/comments/1', reason: 'other' as const };
    await database.unitOfWork(async (uow) => {
      await aSubreddit(uow, { name: 'listsub' });
      await anItem(uow, { subreddit: 'ListSub' });
      await uow.skipped.record({ ...row, subreddit: 'ListSub', sourceId: 'a' }, { ...row, subreddit: 'ListSub', sourceId: 'b' });
    });
    await database.unitOfWork((uow) =>
      uow.skipped.record(
        { ...row, subreddit: 'listsub', sourceId: 'b', reason: 'nsfw_filter' },
        { ...row, subreddit: 'listsub', sourceId: 'c' },
        { ...row, subreddit: 'reddit', sourceId: 'd' },
      ),
    );
    await run(database, spellSubreddits.up);
    const { skipped, subreddits } = database.read;
    expect(await skipped.subreddits()).toEqual(['ListSub', 'reddit']);
    const page = { page: 1, limit: 10, sortBy: 'redditData.subreddit', sortOrder: 'asc', subreddit: 'ListSub' } as const;
    const { rows, total } = await skipped.page(page);
    expect([total, rows.map(({ sourceId }) => sourceId).sort()]).toEqual([3, ['a', 'b', 'c']]);
    expect(await skipped.statistics({ subreddit: 'ListSub' })).toEqual([
      { reason: 'other', count: 2 },
      { reason: 'nsfw_filter', count: 1 },
    ]);
    expect((await subreddits.list()).map(({ name }) => name)).toEqual(['ListSub']);
  });
});

describe('MIGRATIONS', () => {
  /** Statements that can break an older program. */
  const TAKES_AWAY = /\bDROP\s+(TABLE|COLUMN|VIEW|FUNCTION)\b|\bRENAME\b|\bALTER\s+COLUMN\s+\S+\s+(SET\s+NOT\s+NULL|TYPE|SET\s+DATA)/iu;

  it.each(MIGRATIONS)('$name states the oldest program it serves if it takes anything away', ({ name, servesSince, up }) => {
    const number = Number(/\d+$/u.exec(name)?.[0]);
    if (number >= RULE_SINCE && servesSince === undefined) expect(up.filter((text) => TAKES_AWAY.test(text))).toEqual([]);
    if (servesSince !== undefined) expect(servesSince).toBeLessThanOrEqual(number);
  });
});
