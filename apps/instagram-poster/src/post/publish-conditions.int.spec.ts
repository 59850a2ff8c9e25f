import { initialQueueSettings, SETTING } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { pollUntil } from '@autoposter/testkit';
import { usePostingTestHarness } from '../testing/posting-test-harness';
import type { PostingTestHarness } from '../testing/posting-test-harness';

describe('a post whose preparation took its time', () => {
  let harness: PostingTestHarness;
  usePostingTestHarness((entered) => {
    harness = entered;
    harness.publisher.newContainerIs = 'IN_PROGRESS';
  });

  const waits = (item: ContentItem, words: string) =>
    pollUntil(async () => {
      if ((await harness.jobOf(item))?.waitReason?.includes(words)) return true;
      return void (await harness.stages.fireWaitingJobs());
    });
  const ready = () => {
    harness.publisher.newContainerIs = 'FINISHED';
    for (const container of harness.publisher.containers.values()) if (container.status === 'IN_PROGRESS') container.status = 'FINISHED';
  };
  /** Sends a post as the queue does: not at once. */
  const send = async (caption: string, change = '') => {
    const item = await harness.postNow(caption);
    await harness.fresh.database.sql.query(`UPDATE queue_items SET immediate = false ${change} WHERE item_id = $1`, [item.id]);
    await waits(item, 'preparing');
    return item;
  };
  const lastPost = (minutesAgo: number) =>
    harness.fresh.database.sql.query(
      `UPDATE queue_items SET immediate = false, finished_at = now() - make_interval(mins => $1) WHERE status = 'posted'`,
      [minutesAgo],
    );
  const block = (around: boolean) => {
    const hour = (by: number) => `${String(new Date(Date.now() + by * 3_600_000).getUTCHours()).padStart(2, '0')}:00`;
    const timeBlocking = { enabled: around, startTime: hour(-1), endTime: hour(2), timeZone: 'UTC' };
    return harness.read.settings.set(SETTING.queue, { ...initialQueueSettings('UTC'), timeBlocking });
  };

  it('keeps the interval to the one that went out meanwhile, and is not in a hurry for it', async () => {
    const slow = await send('The slow one.');
    harness.publisher.newContainerIs = 'FINISHED';
    const quick = await harness.postNow('The quick one.');
    // the slow one stays asleep until the time of the quick one is set
    await pollUntil(async () => (await harness.stateOf(quick)) === 'posted', 60_000);
    await lastPost(30);
    ready();
    await waits(slow, 'keeps its distance');
    expect(harness.publisher.publishCalls).toBe(1);
    await lastPost(121);
    await harness.goesOut(slow);
  });

  it('does not go out in blocked hours, unless it was sent at once', async () => {
    const slow = await send('The slow one.', ', pinned = true');
    const now = await harness.postNow('At once.');
    await waits(now, 'preparing');
    await block(true);
    ready();
    await harness.goesOut(now);
    await waits(slow, 'keeps its distance');
    await block(false);
    // a pinned post also needs a minute after the one that was sent at once
    await lastPost(2);
    await harness.goesOut(slow);
  });

  it('does not go out if a pause is stored while its call is about to be recorded', async () => {
    const item = await send('Meanwhile.');
    const { publisher, tools, fresh, read } = harness;
    const quota = jest.spyOn(publisher, 'quota');
    const isPaused = tools.publishing.isPaused.bind(tools.publishing);
    let pausing: Promise<void> | undefined;
    const isHeldUp = async () => {
      const [locks] = await fresh.database.sql.query<{ waiting: number }>(
        'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted',
      );
      return (locks?.waiting ?? 0) > 0 || publisher.publishCalls > 0;
    };
    const asked = jest.spyOn(tools.publishing, 'isPaused').mockImplementation(async () => {
      const paused = await isPaused();
      if (quota.mock.calls.length > 0 && pausing === undefined) {
        await new Promise<void>((locked) => {
          pausing = fresh.database.unitOfWork(async (uow) => {
            await uow.settings.lock(SETTING.publishing);
            await uow.settings.set(SETTING.publishing, { paused: true, by: 'test', since: null });
            locked();
            await pollUntil(isHeldUp);
          });
        });
      }
      return paused;
    });
    ready();
    await waits(item, 'paused');
    await pausing;
    expect([publisher.publishCalls, await harness.attemptOf(item)]).toMatchObject([0, { state: 'container', calledAt: null, calls: 0 }]);
    asked.mockRestore();
    await read.settings.set(SETTING.publishing, { paused: false, by: 'test', since: null });
    await harness.goesOut(item);
    expect([publisher.publishCalls, publisher.containers.size]).toEqual([1, 1]);
  });

  it.each<[string, (on: boolean) => Promise<void>, string]>([
    ['paused', (on) => harness.pause(on), 'paused'],
    ['in blocked hours', (on) => block(on), 'keeps its distance'],
  ])(
    'does not go out if it is %s by the time that the platform has answered the last questions before the call',
    async (_, hold, words) => {
      const item = await send('Meanwhile.', ', pinned = true');
      const quota = harness.publisher.quota.bind(harness.publisher);
      const asked = jest.spyOn(harness.publisher, 'quota').mockImplementation(async () => {
        await hold(true);
        return quota();
      });
      ready();
      await waits(item, words);
      expect(harness.publisher.publishCalls).toBe(0);
      asked.mockRestore();
      await hold(false);
      await harness.goesOut(item);
    },
  );
});
