import { type CopyrightCheck, type Failure, failureOf, PipelineError, type PublishedMedia } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem, PostCheckRow } from '@autoposter/persistence';
import { withWrongClock } from '@autoposter/testkit';
import { PostingTestHarness, usePostingTestHarness } from '../testing/posting-test-harness';
import { checkPosts, type PostCheckTools } from './check-posts';

/** What the account shows of the post that was published. */
class AccountFake {
  comments: { id: string; text: string }[] = [];
  commentCalls = 0;
  /** Thrown by the next comment call, after the comment was made or without it. */
  commentFails: { after: boolean; code: 'instagram_unavailable' | 'instagram_permission_missing' | 'instagram_token_expired' } | null =
    null;
  metrics: Record<string, number> = {};
  copyright: CopyrightCheck | null = { state: 'completed', matchesFound: false, matches: [] };
  post: Partial<PublishedMedia> | null = {};
  /** How long the worker is frozen right before its comment call. */
  frozenForMs = 0;
  /** Every read fails with it. */
  failure: Failure | null = null;

  constructor(private readonly harness: PostingTestHarness) {}

  tools(): PostCheckTools {
    const publisher: PostCheckTools['publisher'] = {
      accountId: this.harness.publisher.accountId,
      readPost: (id) => {
        if (this.failure !== null) return Promise.reject(new PipelineError(this.failure));
        const media = this.harness.publisher.media.find((one) => one.id === id);
        return Promise.resolve(media === undefined || this.post === null ? null : { ...media, ...this.post });
      },
      copyrightOf: () => this.read(this.copyright),
      insights: () => this.read(this.metrics),
      comments: () => this.read(this.comments),
      comment: async (_id, text, beforeCall) => {
        await withWrongClock(this.frozenForMs, async () => beforeCall?.());
        this.commentCalls += 1;
        const failure = this.commentFails;
        this.commentFails = null;
        if (failure?.after !== false) this.comments.push({ id: `comment-${this.commentCalls}`, text });
        if (failure !== null) throw new PipelineError(failureOf(failure.code));
        return 'comment';
      },
    };
    const { publishing, account } = this.harness.tools;
    return { publisher, publishing, account, database: this.harness.fresh.database, logger: silentLogger };
  }

  private read<T>(value: T): Promise<T> {
    return this.failure === null ? Promise.resolve(value) : Promise.reject(new PipelineError(this.failure));
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
  ])('names the differences of %j', async (post, differences) => {
    const item = await published();
    account.post = post;
    await round();
    expect((await checks(item))['read_back']?.result).toEqual({ differences });
  });

  it('names a post as missing that was not found for six hours', async () => {
    const item = await published();
    account.post = null;
    await round();
    await round();
    expect((await checks(item))['read_back']?.doneAt).toBeNull();
    await harness.fresh.database.sql.query(
      `UPDATE post_checks SET result = jsonb_set(result, '{missingSince}', to_jsonb(now() - interval '6 hours')) WHERE kind = 'read_back'`,
    );
    await round();
    expect((await checks(item))['read_back']).toMatchObject({ doneAt: expect.any(Date), result: { differences: ['missing'] } });
  });

  it('finds no difference in a post that was not found at first', async () => {
    const item = await published();
    account.post = null;
    await round();
    account.post = {};
    await round();
    expect((await checks(item))['read_back']).toMatchObject({ doneAt: expect.any(Date), result: { differences: [] } });
  });

  it('looks again for insights that Instagram does not have yet, and repeats a call that fails', async () => {
    const item = await published();
    await round();
    expect((await checks(item))['insights_1h']).toMatchObject({ doneAt: null, tries: 0 });
    account.failure = failureOf('instagram_unavailable');
    for (let tries = 0; tries < 6; tries += 1) await round();
    expect((await checks(item))['insights_1h']).toMatchObject({ doneAt: expect.any(Date), failure: { code: 'instagram_unavailable' } });
  });

  it('reads insights without a value until two days after their time', async () => {
    const item = await published();
    await harness.fresh.database.sql.query(`UPDATE publish_attempts SET published_at = now() - interval '48 hours'`);
    await round();
    expect((await checks(item))['insights_1h']?.doneAt).toBeNull();
    await harness.fresh.database.sql.query(`UPDATE publish_attempts SET published_at = now() - interval '50 hours'`);
    await round();
    expect(await checks(item)).toMatchObject({ insights_1h: { doneAt: expect.any(Date), failure: null }, insights_24h: { doneAt: null } });
  });

  it('gives up a check after failures in a row only', async () => {
    const item = await published();
    for (let day = 0; day < 8; day += 1) {
      account.failure = failureOf('instagram_unavailable');
      await round();
      account.failure = null;
      await round();
    }
    expect((await checks(item))['copyright']).toMatchObject({ doneAt: null, tries: 0 });
  });

  it('reads the copyright check daily for 30 days and weekly afterwards, also after six failures in a row', async () => {
    const item = await published();
    for (const [age, days] of [
      ['29 days', 1],
      ['31 days', 7],
    ] as const) {
      await harness.fresh.database.sql.query(`UPDATE publish_attempts SET published_at = now() - $1::interval`, [age]);
      for (const failure of [null, failureOf('instagram_unavailable')]) {
        account.failure = failure;
        for (let tries = 0; tries < (failure === null ? 1 : 6); tries += 1) await round();
        const { dueAt, ...rest } = (await checks(item))['copyright']!;
        expect(rest).toMatchObject({ doneAt: null, tries: 0, failure: null });
        const now = await harness.read.now();
        expect(Math.round((dueAt.getTime() - now.getTime()) / 86_400_000)).toBe(days);
      }
    }
  });

  it('ends the copyright check of a post that the account no longer has', async () => {
    const item = await published();
    account.copyright = null;
    await round();
    expect((await checks(item))['copyright']).toMatchObject({ doneAt: expect.any(Date), failure: null });
  });

  it.each(['instagram_token_expired', 'instagram_account_restricted', 'instagram_app_limit'] as const)(
    'gives up no check because of trouble of the account: %s',
    async (code) => {
      const item = await published('Which one is yours?');
      account.failure = failureOf(code);
      for (let tries = 0; tries < 40; tries += 1) await round();
      const open = { doneAt: null, tries: 0 };
      expect(await checks(item)).toMatchObject({ read_back: open, copyright: open, insights_1h: open, first_comment: open });
      account.failure = null;
      await round();
      expect([account.commentCalls, (await checks(item))['read_back']?.doneAt]).toEqual([1, expect.any(Date)]);
    },
  );

  it('makes one call of a round while the account is in trouble', async () => {
    await published();
    account.failure = failureOf('instagram_token_expired');
    const reads = jest.spyOn(account as unknown as { read: () => unknown }, 'read');
    await round();
    expect(reads.mock.calls.length).toBeLessThan(2);
  });

  it('gives up a check that the permissions of the token do not allow', async () => {
    const item = await published();
    account.failure = failureOf('instagram_permission_missing');
    for (let tries = 0; tries < 6; tries += 1) await round();
    expect((await checks(item))['insights_1h']).toMatchObject({ failure: { code: 'instagram_permission_missing' } });
  });

  it('repeats the first comment that trouble of the account refused', async () => {
    const item = await published('Which one is yours?');
    for (let calls = 0; calls < 3; calls += 1) {
      account.commentFails = { after: false, code: 'instagram_token_expired' };
      await round();
      await harness.fresh.database.sql.query(`UPDATE post_checks SET called_at = called_at - interval '11 minutes'`);
    }
    await round();
    expect([account.comments.length, (await checks(item))['first_comment']]).toMatchObject([
      1,
      { doneAt: expect.any(Date), failure: null },
    ]);
  });

  it('opens a case for a match that an owner claims later', async () => {
    const item = await published();
    await round();
    account.copyright = { state: 'completed', matchesFound: true, matches: [{ title: 'A song', owner: null, actions: [], segments: [] }] };
    await round();
    await round();
    const { cases } = await harness.read.cases.page('open', 0, 10);
    expect(cases).toMatchObject([{ reason: 'platform_match', itemId: item.id, detail: { matches: ['"A song"'] } }]);
    expect((await checks(item))['copyright']).toMatchObject({ doneAt: null, result: { matches: ['"A song"'] } });
  });

  it('opens no second case for a match that a person dismissed, and one for the match of another owner', async () => {
    const item = await published();
    const match = (title: string) => ({ title, owner: null, actions: [], segments: [] });
    const opened = async () =>
      (await harness.read.cases.page('open', 0, 10)).cases.map(({ id, detail }) => ({ id, matches: detail['matches'] }));
    const show = async (...titles: string[]) => {
      account.copyright = { state: 'completed', matchesFound: true, matches: titles.map(match) };
      await round();
    };
    await show('A song');
    await show('A song', 'A film');
    const [known, ...others] = await opened();
    expect([known?.matches, others]).toEqual([['"A song"', '"A film"'], []]);
    await harness.fresh.database.unitOfWork((uow) => uow.cases.move(known?.id ?? '', ['open'], 'dismissed', 'admin@example.com'));
    await show('A film', 'A song');
    expect(await opened()).toEqual([]);
    await show('A film', 'A clip');
    expect(await opened()).toMatchObject([{ matches: ['"A film"', '"A clip"'] }]);
    expect((await checks(item))['copyright']).toMatchObject({ doneAt: null });
  });

  it('posts the first comment once', async () => {
    const item = await published('Which one is yours?');
    await round();
    await round();
    expect([account.comments.map(({ text }) => text), account.commentCalls]).toEqual([['Which one is yours?'], 1]);
    expect((await checks(item))['first_comment']).toMatchObject({ doneAt: expect.any(Date), failure: null });
  });

  it('posts the first comment only when publishing is not paused and the account not held', async () => {
    const item = await published('Which one is yours?');
    await harness.pause(true);
    await round();
    expect((await checks(item))['first_comment']).toMatchObject({ doneAt: null, calls: 0 });
    const { account: breaker } = harness.tools;
    await breaker.hold({ cause: 'rate_limit', reason: 'Too many calls.', seconds: 600 });
    await harness.pause(false);
    await round();
    expect([account.commentCalls, (await checks(item))['first_comment']?.doneAt]).toEqual([0, null]);
    const hold = await breaker.held();
    if (hold !== null) await breaker.lift(hold);
    await round();
    expect([account.commentCalls, (await checks(item))['first_comment']?.doneAt]).toEqual([1, expect.any(Date)]);
  });

  it('makes no comment call after the worker was frozen, because another one may have made it', async () => {
    const item = await published('Which one is yours?');
    account.frozenForMs = 11 * 60_000;
    await round();
    expect([account.commentCalls, (await checks(item))['first_comment']]).toMatchObject([0, { doneAt: null, calls: 1 }]);
    account.frozenForMs = 0;
    await harness.fresh.database.sql.query(`UPDATE post_checks SET called_at = called_at - interval '11 minutes'`);
    await round();
    expect([account.commentCalls, account.comments.length]).toEqual([1, 1]);
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
