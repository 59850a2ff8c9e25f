import type { Platform } from '@autoposter/contracts';
import { PipelineError, type SourceMedia, type SourcePost, type SubredditSource } from '@autoposter/domain';
import type { CollectRun, Subreddit } from '@autoposter/persistence';
import { bindStage, requestStage } from '@autoposter/job-engine';
import {
  anItem,
  aSubreddit,
  freshDatabase,
  StageTestHarness,
  startPostgres,
  type FreshDatabase,
  type PostgresServer,
} from '@autoposter/testkit';
import { collectStage } from './collect.stage';

const HOUR_MS = 3_600_000;
const post = (sourceId: string, change: Partial<SourcePost> = {}): SourcePost => ({
  platform: 'reddit',
  sourceId,
  permalink: `https://www.reddit.com/r/aww/comments/${sourceId}/`,
  title: `Post ${sourceId}`,
  author: 'someone',
  subreddit: 'aww',
  postType: 'video',
  media: [],
  unfetchable: null,
  nsfw: false,
  spoiler: false,
  stickied: false,
  removed: false,
  score: 500,
  upvoteRatio: 0.98,
  likes: null,
  createdAt: new Date(Date.now() - HOUR_MS).toISOString(),
  ...change,
});

describe('collecting', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  let subreddit: Subreddit;
  let reddit: SubredditSource;

  beforeAll(async () => {
    server = await startPostgres('embedded');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    reddit = { listTop: () => Promise.resolve([]) };
    const tools = {
      reddit: { listTop: (...asked: Parameters<SubredditSource['listTop']>) => reddit.listTop(...asked) },
      claims: fresh.database.read.claims,
      known: { findKnown: (platform: Platform, ids: readonly string[]) => fresh.database.read.items.findKnown(platform, ids) },
    };
    harness = await StageTestHarness.open(fresh.database, [bindStage(collectStage, tools)]);
    subreddit = await fresh.database.unitOfWork((uow) =>
      aSubreddit(uow, { postsToFetch: 7, timePeriod: 'week', autoProcessStage: 'aiCaption' }),
    );
  });
  afterEach(async () => {
    await harness.close();
    await fresh.drop();
  });

  async function run(ends: 'done' | 'dead' = 'done', forPerson = false): Promise<CollectRun> {
    const asked = await fresh.database.unitOfWork(async (uow) => {
      const created = await uow.runs.create({ subredditId: subreddit.id, requestedBy: 'admin@example.test' });
      if (created === null) throw new Error('a run is open');
      const actor = forPerson ? 'admin@example.test' : 'clock';
      await requestStage(uow, { stage: 'collect', subjectId: created.id, itemId: null, key: subreddit.id, actor, forPerson });
      return created;
    });
    await harness.latestJob('collect', asked.id, ends);
    const ended = await fresh.database.read.runs.find(asked.id);
    if (ended === null) throw new Error('the run is gone');
    return ended;
  }

  const skippedRows = () =>
    fresh.database.sql.query<{ source_id: string; reason: string; additional_info: string }>(
      'SELECT source_id, reason, additional_info FROM skipped_posts ORDER BY source_id',
    );

  it('asks for what the subreddit is set to, takes what passes and logs the rest with its reason', async () => {
    const asked: unknown[] = [];
    reddit.listTop = (...parameters) => {
      asked.push(parameters);
      return Promise.resolve([post('a1'), post('b2', { score: 0 }), post('c3', { postType: 'text' })]);
    };
    expect(await run()).toMatchObject({ state: 'done', listed: 3, accepted: 1, skipped: 2 });
    expect(asked).toEqual([['aww', 'week', 7, false]]);
    const item = await fresh.database.read.items.findBySource('reddit', 'a1');
    expect(item).toMatchObject({ state: 'downloading', autoProcessStage: 'aiCaption', title: 'Post a1', subredditId: subreddit.id });
    expect(await fresh.database.read.jobs.findOpen('download', item?.id ?? '')).not.toBeNull();
    expect(await skippedRows()).toMatchObject([
      { source_id: 'b2', reason: 'min_score_filter' },
      { source_id: 'c3', reason: 'content_type_filter' },
    ]);
    expect(await fresh.database.read.subreddits.find(subreddit.id)).toMatchObject({
      totalRuns: 1,
      successfulRuns: 1,
      totalPostsScraped: 1,
    });
  });

  it("records skipped posts under Reddit's spelling of the name, and takes it over", async () => {
    await fresh.database.read.subreddits.patch(subreddit.id, { name: 'aWW' });
    reddit.listTop = () => Promise.resolve([post('other', { subreddit: 'pics', score: 0 }), post('b2', { score: 0 })]);
    await run();
    expect(await fresh.database.read.skipped.subreddits()).toEqual(['aww']);
    expect((await fresh.database.read.subreddits.find(subreddit.id))?.name).toBe('aww');
  });

  const file = (name: string): SourceMedia => ({
    kind: 'video',
    url: `https://v.redd.it/${name}/CMAF_720.mp4`,
    manifestUrl: `https://v.redd.it/${name}/DASHPlaylist.mpd`,
    audioUrl: null,
    width: null,
    height: null,
    durationSeconds: null,
  });

  it('accepts one of several crossposts of a post, within a run and after it', async () => {
    const sibling = (id: string) => post(id, { originId: 'origin', media: [file('one')] });
    reddit.listTop = () => Promise.resolve([sibling('s1'), sibling('s2'), post('other', { media: [file('two')] })]);
    expect(await run()).toMatchObject({ listed: 3, accepted: 2, skipped: 1 });
    expect(await skippedRows()).toMatchObject([{ source_id: 's2', reason: 'duplicate_post' }]);
    reddit.listTop = () => Promise.resolve([sibling('s3'), post('origin', { originId: 'origin', media: [file('one')] })]);
    expect(await run()).toMatchObject({ listed: 2, accepted: 0, skipped: 2 });
  });

  it('accepts a video that its source is still processing', async () => {
    reddit.listTop = () => Promise.resolve([post('soon', { unfetchable: 'Reddit is still processing this video.', pending: true })]);
    expect(await run()).toMatchObject({ accepted: 1, skipped: 0 });
  });

  it('removes a post from the skipped ones when a later run accepts it', async () => {
    reddit.listTop = () => Promise.resolve([post('late', { score: 0 })]);
    await run();
    expect(await skippedRows()).toHaveLength(1);
    reddit.listTop = () => Promise.resolve([post('late')]);
    expect(await run()).toMatchObject({ accepted: 1 });
    expect(await skippedRows()).toEqual([]);
  });

  it('takes nothing a second time, and nothing that a person removed', async () => {
    await fresh.database.unitOfWork((uow) => anItem(uow, { sourceId: 'known', state: 'ready' }));
    await fresh.database.unitOfWork((uow) => anItem(uow, { sourceId: 'removed', state: 'deleted' }));
    reddit.listTop = () => Promise.resolve([post('known'), post('removed'), post('fresh')]);
    expect(await run()).toMatchObject({ listed: 3, accepted: 1, skipped: 1 });
    expect(await skippedRows()).toMatchObject([{ source_id: 'removed', reason: 'duplicate_post' }]);
    expect(await run()).toMatchObject({ listed: 3, accepted: 0, skipped: 1 });
  });

  it('keeps one row for a post that is left out again, with the newest reason', async () => {
    reddit.listTop = () => Promise.resolve([post('x', { score: 0 })]);
    await run();
    reddit.listTop = () => Promise.resolve([post('x', { nsfw: true })]);
    await fresh.database.read.subreddits.patch(subreddit.id, { filters: { ...subreddit.filters, allowNSFW: false } });
    await run();
    expect(await skippedRows()).toMatchObject([{ source_id: 'x', reason: 'nsfw_filter' }]);
  });

  const DENIED = {
    code: 'reddit_token_rejected',
    kind: 'not_authorised',
    message: 'Reddit rejected the credentials.',
    side: 'operator',
    nextAction: 'Check them.',
  } as const;

  it('ends an automatic run without a dead job while Reddit denies access, and leaves the subreddit due', async () => {
    reddit.listTop = () => Promise.reject(new PipelineError(DENIED));
    expect(await run()).toMatchObject({ state: 'failed', failure: { message: DENIED.message } });
    const after = await fresh.database.read.subreddits.find(subreddit.id);
    expect(after).toMatchObject({ totalRuns: 0 });
    expect(after?.nextRunAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    expect(await fresh.database.sql.query(`SELECT id FROM stage_jobs WHERE state = 'dead'`)).toEqual([]);
  });

  it('tells a person at once that Reddit denies access', async () => {
    reddit.listTop = () => Promise.reject(new PipelineError(DENIED));
    expect(await run('dead', true)).toMatchObject({ state: 'failed', failure: { message: DENIED.message } });
  });

  it('downloads posts that failed while Reddit denied access when a later run lists them again', async () => {
    const error = { stage: 'download', message: DENIED.message, timestamp: new Date().toISOString(), nextAction: null, kind: DENIED.kind };
    const failed = { state: 'failed', failedStage: 'download' } as const;
    const interrupted = await fresh.database.unitOfWork((uow) => anItem(uow, { ...failed, sourceId: 'cut', processingErrors: [error] }));
    const broken = await fresh.database.unitOfWork((uow) =>
      anItem(uow, { ...failed, sourceId: 'broken', processingErrors: [{ ...error, kind: 'corrupt_media' }] }),
    );
    reddit.listTop = () => Promise.resolve([post('cut'), post('broken')]);
    expect(await run()).toMatchObject({ listed: 2, accepted: 1, skipped: 0 });
    expect(await fresh.database.read.items.find(interrupted.id)).toMatchObject({ state: 'downloading' });
    expect(await fresh.database.read.items.find(broken.id)).toMatchObject({ state: 'failed' });
  });

  it('says why a run failed, and counts it as one', async () => {
    reddit.listTop = () =>
      Promise.reject(
        new PipelineError({
          code: 'subreddit_private',
          kind: 'upstream_rejected',
          message: 'r/aww is private.',
          side: 'reddit',
          nextAction: 'Remove it or ask to be let in.',
        }),
      );
    expect(await run('dead')).toMatchObject({ state: 'failed', failure: { message: 'r/aww is private.' } });
    expect(await fresh.database.read.subreddits.find(subreddit.id)).toMatchObject({ totalRuns: 1, successfulRuns: 0 });
  });

  it('waits without losing an attempt while Reddit asks to slow down', async () => {
    let calls = 0;
    reddit.listTop = () => {
      calls += 1;
      const slowDown = {
        code: 'reddit_pause',
        kind: 'rate_limited',
        message: 'Too many requests.',
        side: 'reddit',
        nextAction: 'Wait.',
        retryAfterSeconds: 60,
      } as const;
      return calls === 1 ? Promise.reject(new PipelineError(slowDown)) : Promise.resolve([post('later')]);
    };
    expect(await run()).toMatchObject({ accepted: 1 });
    expect(calls).toBe(2);
  });
});
