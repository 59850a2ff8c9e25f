import { type CopyrightCheck, failureOf, PipelineError, type PublishedMedia } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem, PostCheckRow } from '@autoposter/persistence';
import { PostingTestHarness, usePostingTestHarness } from '../testing/posting-test-harness';
import { checkPosts, type PostCheckTools } from './check-posts';

/** What the account shows of the post that was published. */
class AccountFake {
  comments: { id: string; text: string }[] = [];
  commentCalls = 0;
  /** Thrown by the next comment call, after the comment was made or without it. */
  commentFails: { after: boolean; code: 'instagram_unavailable' | 'instagram_permission_missing' } | null = null;
  metrics: Record<string, number> = {};
  copyright: CopyrightCheck | null = { state: 'completed', matchesFound: false, matches: [] };
  post: Partial<PublishedMedia> | null = {};
  fails = false;

  constructor(private readonly harness: PostingTestHarness) {}

  tools(): PostCheckTools {
    const publisher: PostCheckTools['publisher'] = {
      accountId: this.harness.publisher.accountId,
      readPost: (id) => {
        if (this.fails) return Promise.reject(PipelineError.of('instagram_unavailable'));
        const media = this.harness.publisher.media.find((one) => one.id === id);
        return Promise.resolve(media === undefined || this.post === null ? null : { ...media, ...this.post });
      },
      copyrightOf: () => Promise.resolve(this.copyright),
      insights: () => Promise.resolve(this.metrics),
      comments: () => Promise.resolve(this.comments),
      comment: (_id, text) => {
        this.commentCalls += 1;
        const failure = this.commentFails;
        this.commentFails = null;
        if (failure?.after !== false) this.comments.push({ id: `comment-${this.commentCalls}`, text });
        return failure === null ? Promise.resolve('comment') : Promise.reject(new PipelineError(failureOf(failure.code)));
      },
    };
    return { publisher, database: this.harness.fresh.database, logger: silentLogger };
  }
}

describe('checkPosts', () => {
  let harness: PostingTestHarness;
  let account: AccountFake;
  usePostingTestHarness((entered) => {
    harness = entered;
    account = new AccountFake(entered);
  });

  it('takes a story that ended after a day for no difference, and reads its metrics before', async () => {
    const item = await harness.postNow('Snow day.', undefined, { story: true });
    await harness.goesOut(item);
    account.post = null;
    await harness.fresh.database.sql.query(`UPDATE publish_attempts SET published_at = now() - interval '24 hours'`);
    await round();
    expect(await checks(item)).toMatchObject({
      read_back: { result: { differences: [] }, failure: null },
      insights_24h: { result: { metrics: {} }, failure: null },
    });
  });

  const published = async (firstComment?: string): Promise<ContentItem> => {
    const item = await harness.postNow('Snow day.', undefined, firstComment === undefined ? {} : { firstComment });
    await harness.goesOut(item);
    return item;
  };
  /** Lets all checks that are not done become due, and runs them. */
  const round = async (): Promise<void> => {
    await harness.fresh.database.sql.query(`UPDATE post_checks SET due_at = now() - interval '1 second' WHERE done_at IS NULL`);
    await checkPosts(account.tools());
  };
  const checks = async (item: ContentItem) =>
    Object.fromEntries((await harness.read.postChecks.ofItem(item.id)).map((check) => [check.kind, check])) as Record<string, PostCheckRow>;

  it('plans the checks of a published post at their times', async () => {
    const item = await published();
    const publishedAt = (await harness.attemptOf(item))?.publishedAt?.getTime() ?? 0;
    const planned = Object.values(await checks(item)).map(({ kind, dueAt }) => [kind, (dueAt.getTime() - publishedAt) / 60_000]);
    expect(planned).toEqual([
      ['read_back', 1],
      ['insights_1h', 60],
      ['copyright', 1440],
      ['insights_24h', 1440],
      ['insights_7d', 10_080],
    ]);
    expect(await checkPosts(account.tools())).toBe(0);
  });

  it('compares the post with what was sent and stores insights', async () => {
    const item = await published();
    account.metrics = { views: 120, likes: 7 };
    await round();
    expect(await checks(item)).toMatchObject({
      read_back: { result: { differences: [] }, failure: null, doneAt: expect.any(Date) },
      insights_1h: { result: { metrics: { views: 120, likes: 7 } } },
      copyright: { result: { matches: [] }, doneAt: null },
    });
  });

  it.each([
    [{ caption: 'Another caption' }, ['caption']],
    [{ mediaType: 'IMAGE', permalink: 'https://example.test/other' }, ['media_type', 'permalink']],
    [null, ['missing']],
  ])('names the differences of %j', async (post, differences) => {
    const item = await published();
    account.post = post;
    await round();
    expect((await checks(item))['read_back']?.result).toEqual({ differences });
  });

  it('looks again for insights that Instagram does not have yet, and repeats a call that fails', async () => {
    const item = await published();
    account.fails = true;
    await round();
    expect(await checks(item)).toMatchObject({ insights_1h: { doneAt: null, tries: 1 }, read_back: { doneAt: null, tries: 1 } });
    for (let tries = 0; tries < 5; tries += 1) await round();
    expect((await checks(item))['read_back']).toMatchObject({ doneAt: expect.any(Date), failure: { code: 'instagram_unavailable' } });
  });

  it('opens a case for a match that an owner claims later', async () => {
    const item = await published();
    await round();
    account.copyright = { state: 'completed', matchesFound: true, matches: [{ title: 'A song', owner: null, actions: [], segments: [] }] };
    await round();
    await round();
    const { cases } = await harness.read.cases.page('open', 0, 10);
    expect(cases).toMatchObject([{ reason: 'platform_match', itemId: item.id, detail: { matches: ['"A song"'] } }]);
    expect((await checks(item))['copyright']).toMatchObject({ doneAt: expect.any(Date), result: { matches: ['"A song"'] } });
  });

  it('posts the first comment once', async () => {
    const item = await published('Which one is yours?');
    await round();
    await round();
    expect([account.comments.map(({ text }) => text), account.commentCalls]).toEqual([['Which one is yours?'], 1]);
    expect((await checks(item))['first_comment']).toMatchObject({ doneAt: expect.any(Date), failure: null });
  });

  it('finds a comment whose answer was lost instead of posting it twice', async () => {
    const item = await published('Which one is yours?');
    account.commentFails = { after: true, code: 'instagram_unavailable' };
    await round();
    expect((await checks(item))['first_comment']?.doneAt).toBeNull();
    await round();
    expect([account.commentCalls, (await checks(item))['first_comment']?.doneAt]).toEqual([1, expect.any(Date)]);
  });

  it('knows a comment whose emoji Instagram wrote in another way', async () => {
    const item = await published('Yours \u2764\ufe0f');
    account.commentFails = { after: true, code: 'instagram_unavailable' };
    await round();
    account.comments = [{ id: 'comment-1', text: 'Yours \u2764 ' }];
    await harness.fresh.database.sql.query(`UPDATE post_checks SET called_at = called_at - interval '11 minutes'`);
    await round();
    expect([account.commentCalls, (await checks(item))['first_comment']?.failure]).toEqual([1, null]);
  });

  it('repeats a lost call only after ten minutes, once, and then fails with an alert', async () => {
    const item = await published('Which one is yours?');
    const before = new Date(Date.now() - 60_000);
    for (const calls of [1, 2]) {
      account.commentFails = { after: false, code: 'instagram_unavailable' };
      await round();
      await round();
      expect(account.commentCalls).toBe(calls);
      await harness.fresh.database.sql.query(`UPDATE post_checks SET called_at = called_at - interval '11 minutes'`);
    }
    await round();
    expect((await checks(item))['first_comment']).toMatchObject({ failure: { code: 'first_comment_unconfirmed' } });
    expect(await harness.read.postChecks.problemsBetween(before, new Date(Date.now() + 60_000))).toEqual({ comments: 1, matches: 0 });
  });

  it('does not repeat a refused comment', async () => {
    const item = await published('Which one is yours?');
    account.commentFails = { after: false, code: 'instagram_permission_missing' };
    await round();
    await round();
    expect([account.commentCalls, (await checks(item))['first_comment']?.failure?.code]).toEqual([1, 'instagram_permission_missing']);
  });
});
