import { ENVIRONMENT_ACCOUNT_ID, type OriginalityState } from '@autoposter/contracts';
import { startPosting } from '@autoposter/workflow';
import { v7 as uuidv7 } from 'uuid';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';
import { WatchDuePostsTask } from '../scheduler/tasks/watch-due-posts.task';
import { connectedAccount } from '../testing/api-table/arrangements';
import { ACCOUNT, describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('originality', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

  const state = async (query = {}): Promise<OriginalityState> =>
    (await gateway.call('get', '/api/rights/originality').query(query).expect(200)).body.data;
  const setRule = async (rule: object, query = {}): Promise<OriginalityState> =>
    (await gateway.call('put', '/api/rights/originality', rule).query(query).expect(200)).body.data;
  const mark = (id: string, kind: string | null) => gateway.call('put', `/api/rights/items/${id}/originality`, { mark: kind }).expect(200);

  const FIRST = { id: ENVIRONMENT_ACCOUNT_ID, userId: ACCOUNT };

  /** A queued post whose attempt is started as the scheduler starts it. */
  async function start(collaborators: string[] = [], { id: accountId, userId } = FIRST) {
    const item = await gateway.item('queued');
    const options = { collaborators };
    const queueItem = await gateway.database.unitOfWork((uow) =>
      uow.queue.create({ itemId: item.id, accountId, status: 'pending', caption: `Caption ${item.id}`, queuedBy: 'a', options }),
    );
    if (queueItem === null) throw new Error('the item was queued already');
    return {
      item,
      send: () => gateway.database.unitOfWork((uow) => startPosting(uow, queueItem, { accountId: userId, actor: 'scheduler' })),
    };
  }

  async function published(daysAgo: number, collaborators: string[] = [], account = FIRST): Promise<string> {
    const { item, send } = await start(collaborators, account);
    expect((await send()).outcome).toBe('started');
    await gateway.database.sql.query(
      `UPDATE publish_attempts SET state = 'published', media_id = $3, published_at = now() - make_interval(days => $2)
       WHERE item_id = $1`,
      [item.id, daysAgo, uuidv7()],
    );
    return item.id;
  }

  it('counts the last 30 days by kind, and tells the distance to the greatest share', async () => {
    expect(await state()).toMatchObject({ holdReposts: false, maxRepostShare: 0.5, repostShare: null });
    await published(31);
    const [first, second] = [await published(1), await published(2)];
    await published(3, ['ada']);
    expect(await state()).toMatchObject({
      posts: { original: 0, edited: 0, collaboration: 1, repost: 2 },
      repostsLeft: 0,
      othersNeeded: 1,
    });
    await mark(first, 'original');
    await mark(second, 'edited');
    expect(await state()).toMatchObject({ posts: { original: 1, edited: 1, collaboration: 1, repost: 0 }, repostShare: 0, repostsLeft: 3 });
    expect((await gateway.call('get', `/api/rights/items/${first}/originality`)).body.data).toEqual({ mark: 'original' });
    await mark(second, null);
    expect((await state()).posts).toMatchObject({ edited: 0, repost: 1 });
  });

  it('hold back a plain repost that would make the share too great, but no marked post and no collaboration', async () => {
    for (let day = 1; day <= 5; day += 1) await published(day);
    const held = await start();
    const rule = { holdReposts: true, maxRepostShare: 0.5 };
    expect(await setRule(rule)).toMatchObject(rule);
    expect(await held.send()).toMatchObject({ outcome: 'refused', reason: { code: 'too_many_reposts', fields: { greatest: 0.5 } } });
    // the scheduler holds it in its place, and the watch keeps it there while the rule does
    await gateway.database.sql.query(
      "UPDATE queue_items SET status = 'scheduled', scheduled_for = now(), immediate = false WHERE item_id = $1",
      [held.item.id],
    );
    await gateway.database.sql.query(
      "UPDATE queue_items SET status = 'posted', finished_at = now() - interval '1 day' WHERE status = 'posting'",
    );
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const failure = async () =>
      (
        await gateway.database.sql.query("SELECT status, failure ->> 'code' AS code FROM queue_items WHERE item_id = $1", [held.item.id])
      )[0];
    await gateway.app.get(PublishDuePostsTask).run();
    await gateway.app.get(WatchDuePostsTask).run();
    expect(await failure()).toEqual({ status: 'scheduled', code: 'repost_held' });
    await gateway.database.sql.query("UPDATE queue_items SET status = 'pending', version = 1 WHERE item_id = $1", [held.item.id]);
    expect((await (await start(['ada'])).send()).outcome).toBe('started');
    await mark(held.item.id, 'edited');
    expect((await held.send()).outcome).toBe('started');
    await setRule({ ...rule, holdReposts: false });
    const { body } = await gateway.call('get', '/api/audit-log?action=rights.originality_rule');
    expect(body.data.posts).toHaveLength(2);
  });

  it('counts and holds back per account, by the numbers and the rule of that account', async () => {
    const second = { id: await connectedAccount(gateway), userId: '' };
    second.userId = (await gateway.database.read.accounts.find(second.id))?.userId ?? '';
    for (let day = 1; day <= 5; day += 1) {
      await published(day);
      await published(day, ['ada'], second);
    }
    const of = { accountId: second.id };
    expect(await state()).toMatchObject({ posts: { collaboration: 0, repost: 5 }, repostShare: 1 });
    expect(await state(of)).toMatchObject({ posts: { collaboration: 5, repost: 0 }, repostShare: 0 });
    const outcomes = async () => {
      const [own, other] = [await start(), await start([], second)];
      return [(await own.send()).outcome, (await other.send()).outcome];
    };
    // under equal rules the numbers decide
    const rule = { holdReposts: true, maxRepostShare: 0.5 };
    for (const query of [{}, of]) await setRule(rule, query);
    expect(await outcomes()).toEqual(['refused', 'started']);
    // each queue follows its own rule
    await setRule({ ...rule, holdReposts: false });
    const strict = { holdReposts: true, maxRepostShare: 0.1 };
    expect(await setRule(strict, of)).toMatchObject({ ...strict, posts: { collaboration: 5, repost: 0 } });
    expect(await state()).toMatchObject({ holdReposts: false, maxRepostShare: 0.5 });
    expect(await outcomes()).toEqual(['started', 'refused']);
    const { body } = await gateway.call('get', `/api/audit-log?action=rights.originality_rule&subject=${second.id}`);
    expect(body.data.posts).toMatchObject([{ detail: strict }, { detail: rule }]);
  });

  it('shows the account of an id, also one that cannot publish at present, and refuses an unknown one', async () => {
    const second = await connectedAccount(gateway);
    await gateway.call('delete', `/api/instagram-accounts/${second}`).expect(200);
    expect(await state({ accountId: second })).toMatchObject({ repostShare: null });
    const unknown = { accountId: uuidv7() };
    const rule = { holdReposts: true, maxRepostShare: 0.5 };
    await gateway.call('get', '/api/rights/originality').query(unknown).expect(404);
    await gateway.call('put', '/api/rights/originality', rule).query(unknown).expect(404);
  });
});
