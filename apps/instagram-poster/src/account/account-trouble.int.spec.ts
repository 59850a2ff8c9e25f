import { SETTING, type AccountHold } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { pollUntil, withWrongClock } from '@autoposter/testkit';
import { inPostingWorlds } from '../testing/in-posting-worlds';
import type { PostingWorld } from '../testing/posting-world';
import { TOKEN_EXPIRED } from '../testing/publisher.fake';

describe('trouble of the whole account', () => {
  let world: PostingWorld;
  inPostingWorlds((entered) => {
    world = entered;
  });

  const waits = (item: ContentItem, reason: string) =>
    pollUntil(async () => {
      const job = await world.jobOf(item);
      expect(job).toMatchObject({ state: 'waiting', attempts: 0, waitReason: expect.stringContaining(reason) });
      return true;
    }, 20_000);

  it('a spam block pauses publishing with reason and advice, burns no attempt, and the post goes out once a person resumes', async () => {
    world.publisher.script.push('spam');
    const item = await world.postNow();
    await waits(item, 'spam');
    expect(await world.switch()).toMatchObject({
      paused: true,
      by: 'autoposter',
      cause: 'account',
      reason: 'Instagram suspects spam.',
      nextAction: 'Look at the account.',
    });
    expect(await world.attemptOf(item)).toMatchObject({ state: 'container', intentAt: null });
    await world.harness.fireWaitingJobs();
    await waits(item, 'paused');
    expect(world.publisher.publishCalls).toBe(1);
    await world.pause(false);
    await world.goesOut(item);
    expect([world.publisher.publishCalls, world.publisher.containers.size, world.publisher.media.length]).toEqual([2, 1, 1]);
  });

  it('a refused token pauses publishing before anything is made, once, and is said in the history', async () => {
    world.publisher.refusal = TOKEN_EXPIRED;
    const items = [await world.postNow('One.'), await world.postNow('Two.')];
    for (const item of items) await waits(item, '');
    const { since, ...rest } = (await world.switch()) ?? {};
    expect(rest).toEqual({
      paused: true,
      by: 'autoposter',
      cause: 'token',
      reason: TOKEN_EXPIRED.message,
      nextAction: TOKEN_EXPIRED.nextAction,
    });
    expect(Date.parse(since ?? '')).toBeGreaterThan(0);
    const told = await world.fresh.database.sql.query(`SELECT reason FROM event_history WHERE type = 'publishing.paused'`);
    expect(told).toEqual([{ reason: TOKEN_EXPIRED.message }]);
    const recorded = await world.fresh.database.sql.query(`SELECT actor FROM audit_log WHERE action = 'publishing.pause'`);
    expect(recorded).toEqual([{ actor: 'autoposter' }]);
    expect(world.publisher.containers.size).toBe(0);
    world.publisher.refusal = null;
    await world.pause(false);
    for (const item of items) await world.goesOut(item);
  });

  it('a token that is refused while the outcome is looked up leaves it unknown and waits', async () => {
    world.publisher.script.push('publish-and-lose-the-answer');
    world.tools.linked = {
      findLinked: (account, ids) => {
        world.publisher.refusal ??= TOKEN_EXPIRED;
        return world.read.attempts.findLinked(account, ids);
      },
      countPublishedSince: () => Promise.resolve(0),
    };
    const item = await world.postNow();
    await pollUntil(async () => expect((await world.switch())?.cause).toBe('token') ?? true);
    expect(await world.attemptOf(item)).toMatchObject({ state: 'unknown' });
    const looks = await world.fresh.database.sql.query<{ state: string; attempts: number }>(
      `SELECT state, attempts FROM stage_jobs WHERE stage = 'reconcile' AND state IN ('waiting','requested','running')`,
    );
    expect(looks).toHaveLength(1);
    world.publisher.refusal = { ...TOKEN_EXPIRED, kind: 'transient' };
    world.tools.linked = world.read.attempts;
    world.publisher.refusal = null;
    await world.goesOut(item);
    expect(world.publisher.publishCalls).toBe(1);
  });

  it('a quota that is used up and a rate limit hold the queue for as long as was asked, by the database clock', async () => {
    world.publisher.quotaTotal = 0;
    const item = await world.postNow();
    await waits(item, 'quota');
    const hold = await world.read.settings.get<AccountHold>(SETTING.accountHold);
    expect(hold).toMatchObject({ cause: 'quota', reason: "Instagram's quota is used up (0 of 0 posts in its window)." });
    expect(Date.parse(hold?.until ?? '')).toBeGreaterThan(Date.now() + 1_700_000);
    world.publisher.refusal = {
      kind: 'rate_limited',
      message: 'Too many calls.',
      side: 'instagram',
      nextAction: 'Nothing to do.',
      retryAfterSeconds: 600,
    };
    await withWrongClock(-3_600_000, async () => {
      await world.harness.fireWaitingJobs();
      await waits(item, 'Too many calls');
    });
    const [until] = await world.fresh.database.sql.query<{ seconds: number; due: number }>(
      `SELECT extract(epoch FROM (s.value ->> 'until')::timestamptz - now())::float AS seconds,
              (SELECT max(extract(epoch FROM due_at - now()))::float FROM stage_jobs WHERE state = 'waiting') AS due
       FROM settings s WHERE s.name = $1`,
      [SETTING.accountHold],
    );
    expect(await world.read.settings.get(SETTING.accountHold)).toMatchObject({ cause: 'rate_limit', reason: 'Too many calls.' });
    for (const left of [until?.seconds, until?.due]) expect([left, left! > 540 && left! <= 600]).toEqual([left, true]);
    expect(await world.switch()).toBeNull();
  });

  it('a post that goes out ends what held the account before its call, not what came meanwhile', async () => {
    const held = () => world.read.settings.get(SETTING.accountHold);
    world.publisher.quotaTotal = 0;
    const item = await world.postNow();
    await waits(item, 'quota');
    expect(await held()).not.toBeNull();
    world.publisher.quotaTotal = 50;
    await world.goesOut(item);
    await pollUntil(async () => (await held()) === null);
    const publish = world.publisher.publish.bind(world.publisher);
    world.publisher.publish = async (containerId) => {
      await world.tools.account.hold({ cause: 'rate_limit', reason: 'Too many calls.', seconds: 600 });
      return publish(containerId);
    };
    await world.goesOut(await world.postNow('Two.'));
    expect(await held()).toMatchObject({ cause: 'rate_limit', reason: 'Too many calls.' });
  });

  it('a pause by hand becomes one because of the token, and stays it whatever comes after', async () => {
    await world.pause(true);
    await world.tools.account.stop({ cause: 'token', reason: 'a', nextAction: 'b' });
    await world.tools.account.stop({ cause: 'account', reason: 'c', nextAction: 'd' });
    expect(await world.switch()).toMatchObject({ cause: 'token', reason: 'a' });
  });
});
