import { accountSetting, SETTING, type AccountHold, type PublishingSwitch } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem } from '@autoposter/persistence';
import { pollUntil, withWrongClock } from '@autoposter/testkit';
import { usePostingTestHarness } from '../testing/posting-test-harness';
import type { PostingTestHarness } from '../testing/posting-test-harness';
import { FakePublisher, TOKEN_EXPIRED } from '../testing/publisher.fake';
import { AccountBreaker } from './account-breaker';
import { GuardedPublisher } from './guarded-publisher';

describe('trouble of the whole account', () => {
  let harness: PostingTestHarness;
  usePostingTestHarness((entered) => {
    harness = entered;
  });

  const waits = (item: ContentItem, reason: string) =>
    pollUntil(async () => {
      const job = await harness.jobOf(item);
      expect(job).toMatchObject({ state: 'waiting', attempts: 0, waitReason: expect.stringContaining(reason) });
      return true;
    });

  it('pauses publishing at suspected spam, and publishes the same container once an administrator resumes', async () => {
    harness.publisher.script.push('spam');
    const item = await harness.postNow();
    await waits(item, 'paused');
    expect(await harness.switch()).toMatchObject({
      paused: true,
      by: 'autoposter',
      cause: 'account',
      reason: 'Instagram suspects spam and blocks publishing.',
      nextAction: expect.stringContaining('Check the account'),
    });
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'container', intentAt: null, calls: 1 });
    expect(harness.publisher.publishCalls).toBe(1);
    await harness.pause(false);
    await harness.goesOut(item);
    expect([harness.publisher.publishCalls, harness.publisher.containers.size, harness.publisher.media.length]).toEqual([2, 1, 1]);
  });

  it('finds the post that suspected spam was answered for although it went live', async () => {
    harness.publisher.script.push('spam-but-live');
    const item = await harness.postNow();
    await harness.goesOut(item);
    expect(await harness.attemptOf(item)).toMatchObject({ settledBy: 'reconcile', mediaId: 'media-1' });
    expect([harness.publisher.publishCalls, harness.publisher.media.length]).toEqual([1, 1]);
  });

  it('leaves other accounts alone: each publishes with its own publisher, pause and breaker', async () => {
    const { accounts, settings } = harness.read;
    const granted = { username: 'second', login: 'facebook' as const, scopes: [], token: {}, tokenExpiresAt: null, connectedBy: 'test' };
    const { id } = await accounts.saveConnected({ ...granted, userId: 'account-2' });
    const second = Object.assign(new FakePublisher(), { accountId: 'account-2' });
    const account = new AccountBreaker(harness.fresh.database, silentLogger, id);
    const switchName = accountSetting('publishing', id);
    harness.others.set('account-2', {
      ...harness.tools,
      publisher: new GuardedPublisher(second, account, silentLogger),
      account,
      publishing: { isPaused: async () => (await settings.get<PublishingSwitch>(switchName))?.paused === true },
    });
    second.refusal = TOKEN_EXPIRED;
    const other = await harness.postNow('Second.', undefined, {}, { accountId: 'account-2', queueAccountId: id });
    await waits(other, '');
    expect(await settings.get(switchName)).toMatchObject({ paused: true, cause: 'token', reason: TOKEN_EXPIRED.message });
    expect(await harness.switch()).toBeNull();
    expect((await accounts.claimDueForCheck()).map((due) => due.id)).toEqual([id]);
    const first = await harness.postNow('First.');
    await harness.goesOut(first);
    expect([harness.publisher.media.length, second.media.length]).toEqual([1, 0]);
    second.refusal = null;
    await settings.set(switchName, { paused: false, by: 'test', since: null });
    await harness.goesOut(other);
    expect([harness.publisher.media.length, second.media.length]).toEqual([1, 1]);
    expect(await harness.attemptOf(other)).toMatchObject({ accountId: 'account-2', state: 'published' });
  });

  it('a refused token pauses publishing before anything is made, once, and is said in the history', async () => {
    harness.publisher.refusal = TOKEN_EXPIRED;
    const { accounts } = harness.read;
    await accounts.claimEnvironmentCheck();
    const items = [await harness.postNow('One.'), await harness.postNow('Two.')];
    for (const item of items) await waits(item, '');
    const { since, ...rest } = (await harness.switch()) ?? {};
    expect(rest).toEqual({
      paused: true,
      by: 'autoposter',
      cause: 'token',
      reason: TOKEN_EXPIRED.message,
      nextAction: TOKEN_EXPIRED.nextAction,
    });
    expect(Date.parse(since ?? '')).toBeGreaterThan(0);
    const told = await harness.fresh.database.sql.query(`SELECT reason FROM event_history WHERE type = 'publishing.paused'`);
    expect(told).toEqual([{ reason: TOKEN_EXPIRED.message }]);
    const recorded = await harness.fresh.database.sql.query(`SELECT actor FROM audit_log WHERE action = 'publishing.pause'`);
    expect(recorded).toEqual([{ actor: 'autoposter' }]);
    expect(harness.publisher.containers.size).toBe(0);
    // a check is requested once, and not by its own refusal
    expect(await accounts.claimEnvironmentCheck()).toBe(true);
    await expect(harness.tools.publisher?.account()).rejects.toThrow();
    expect(await accounts.claimEnvironmentCheck()).toBe(false);
    harness.publisher.refusal = null;
    await harness.pause(false);
    for (const item of items) await harness.goesOut(item);
  });

  it('a token that is refused while the outcome is looked up leaves it unknown and waits', async () => {
    harness.publisher.script.push('publish-and-lose-the-answer');
    harness.tools.linked = {
      countUnidentified: () => Promise.resolve(0),
      findLinked: (account, ids) => {
        harness.publisher.refusal ??= TOKEN_EXPIRED;
        return harness.read.attempts.findLinked(account, ids);
      },
      countPublishedSince: () => Promise.resolve(0),
      countStoriesBetween: () => Promise.resolve(0),
    };
    const item = await harness.postNow();
    await pollUntil(async () => expect((await harness.switch())?.cause).toBe('token') ?? true);
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'unknown' });
    const looks = await harness.fresh.database.sql.query<{ state: string; attempts: number }>(
      `SELECT state, attempts FROM stage_jobs WHERE stage = 'reconcile' AND state IN ('waiting','requested','running')`,
    );
    expect(looks).toHaveLength(1);
    harness.publisher.refusal = { ...TOKEN_EXPIRED, kind: 'transient' };
    harness.tools.linked = harness.read.attempts;
    harness.publisher.refusal = null;
    await harness.goesOut(item);
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('a quota that is used up and a rate limit hold the queue for as long as was asked, by the database clock', async () => {
    harness.publisher.quotaTotal = 0;
    const item = await harness.postNow();
    await waits(item, 'quota');
    const hold = await harness.read.settings.get<AccountHold>(SETTING.accountHold);
    expect(hold).toMatchObject({ cause: 'quota', reason: "Instagram's quota is used up (0 of 0 posts in its window)." });
    expect(Date.parse(hold?.until ?? '')).toBeGreaterThan(Date.now() + 1_700_000);
    harness.publisher.refusal = {
      code: 'instagram_pause',
      kind: 'rate_limited',
      message: 'Too many calls.',
      side: 'instagram',
      nextAction: 'Nothing to do.',
      retryAfterSeconds: 600,
    };
    await withWrongClock(-3_600_000, async () => {
      await harness.stages.fireWaitingJobs();
      await waits(item, 'Too many calls');
    });
    const [until] = await harness.fresh.database.sql.query<{ seconds: number; due: number }>(
      `SELECT extract(epoch FROM (s.value ->> 'until')::timestamptz - now())::float AS seconds,
              (SELECT max(extract(epoch FROM due_at - now()))::float FROM stage_jobs WHERE state = 'waiting') AS due
       FROM settings s WHERE s.name = $1`,
      [SETTING.accountHold],
    );
    expect(await harness.read.settings.get(SETTING.accountHold)).toMatchObject({ cause: 'rate_limit', reason: 'Too many calls.' });
    for (const left of [until?.seconds, until?.due]) expect([left, left! > 540 && left! <= 600]).toEqual([left, true]);
    expect(await harness.switch()).toBeNull();
  });

  it('a post that goes out ends what held the account before its call, not what came meanwhile', async () => {
    const held = () => harness.read.settings.get(SETTING.accountHold);
    harness.publisher.quotaTotal = 0;
    const item = await harness.postNow();
    await waits(item, 'quota');
    expect(await held()).not.toBeNull();
    harness.publisher.quotaTotal = 50;
    await harness.goesOut(item);
    await pollUntil(async () => (await held()) === null);
    const { account } = harness.tools;
    const readHold = account.held.bind(account);
    let heldBeforeCall: Promise<unknown> = Promise.resolve();
    account.held = () => {
      const read = readHold();
      heldBeforeCall = read;
      return read;
    };
    const publish = harness.publisher.publish.bind(harness.publisher);
    harness.publisher.publish = async (containerId) => {
      // the new hold comes from the platform's answer, so it is always later than the read before the call
      await heldBeforeCall;
      await account.hold({ cause: 'rate_limit', reason: 'Too many calls.', seconds: 600 });
      return publish(containerId);
    };
    await harness.goesOut(await harness.postNow('Two.'));
    expect(await held()).toMatchObject({ cause: 'rate_limit', reason: 'Too many calls.' });
  });

  it('a pause by hand becomes one because of the token, and stays it whatever comes after', async () => {
    await harness.pause(true);
    await harness.tools.account.stop({ cause: 'token', reason: 'a', nextAction: 'b' });
    await harness.tools.account.stop({ cause: 'account', reason: 'c', nextAction: 'd' });
    expect(await harness.switch()).toMatchObject({ cause: 'token', reason: 'a' });
  });
});
