import { ENVIRONMENT_ACCOUNT_ID, type InstagramAccount } from '@autoposter/contracts';
import { failureOf, SETTING } from '@autoposter/domain';
import { pollUntil } from '@autoposter/testkit';
import { enqueue, pausePublishing } from '@autoposter/workflow';
import { MediaReach } from '../instagram/media-reach';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';
import { SchedulerFence } from '../scheduler/scheduler';
import { StoredSettings } from '../settings/stored-settings';
import { connectedAccount } from '../testing/api-table/arrangements';
import { GatewayFixture, describeGateway } from '../testing/gateway-fixture';

const QUEUE = '/api/instagram-queue';

describeGateway('the queues of two accounts', () => {
  let gateway: GatewayFixture;
  let second: string;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(async () => {
    await gateway.empty();
    second = await connectedAccount(gateway);
    await gateway.database.sql.query(
      `UPDATE instagram_accounts SET status = 'ready', checked_at = now(), login = 'facebook' WHERE id = $1`,
      [second],
    );
  });

  const of = (id: string) => ({ accountId: id });
  const post = (path: string, query = {}) => gateway.call('post', `${QUEUE}${path}`).query(query).expect(200);
  async function queue(accountId?: string): Promise<string> {
    const item = await gateway.item('ready');
    const { body } = await gateway.call('post', `${QUEUE}/${item.id}`, accountId === undefined ? {} : { accountId }).expect(200);
    return body.data._id as string;
  }
  /** Makes a queued post fail with a cause. */
  const fail = (id: string, code: string) =>
    gateway.database.sql.query(
      `WITH q AS (UPDATE queue_items SET status = 'failed', finished_at = now(), failure = jsonb_build_object('code', $2::text) WHERE id = $1 RETURNING item_id)
       UPDATE content_items SET state = 'ready' WHERE id IN (SELECT item_id FROM q)`,
      [id, code],
    );
  const statusOf = async (id: string) => {
    const [row] = await gateway.database.sql.query<{ status: string }>('SELECT status FROM queue_items WHERE id = $1', [id]);
    return row?.status;
  };
  const status = async (query = {}) => (await gateway.call('get', `${QUEUE}/status`).query(query).expect(200)).body.data;
  function publishDue(): Promise<void> {
    const { settings, database } = gateway;
    const stored = new StoredSettings(database, settings);
    return new PublishDuePostsTask(database, stored, new MediaReach(settings), new SchedulerFence()).run();
  }
  async function startBoth(): Promise<void> {
    for (const query of [{}, of(second)]) {
      await gateway.call('put', `${QUEUE}/randomization`, { enabled: false, maxDelayMinutes: 0 }).query(query).expect(200);
      await post('/start', query);
    }
  }

  it('lists and retries the failed posts of one account only', async () => {
    const [own, other] = [await queue(), await queue(second)];
    for (const id of [own, other]) await fail(id, 'container_expired');
    const causes = async (query = {}) => (await gateway.call('get', '/api/failures/causes').query(query).expect(200)).body.data.causes;
    expect([await causes(), await causes(of(second))]).toMatchObject([[{ count: 2 }], [{ count: 1 }]]);
    const retry = gateway.call('post', '/api/failures/retry', { cause: 'container_expired' });
    expect((await retry.query(of(second)).expect(200)).body.data).toEqual({ retried: 1, refused: 0 });
    expect([await statusOf(own), await statusOf(other)]).toEqual(['failed', expect.stringMatching(/pending|scheduled/u)]);
  });

  it('have their own state, settings, posts and statistics', async () => {
    await queue();
    await queue(second);
    await queue(second);
    await gateway.call('put', `${QUEUE}/interval`, { intervalMinutes: 45 }).query(of(second)).expect(200);
    await post('/start', of(second));
    expect(await status()).toMatchObject({ isRunning: false, intervalMinutes: 120, totalInQueue: 1 });
    expect(await status(of(second))).toMatchObject({ isRunning: true, intervalMinutes: 45, totalInQueue: 2 });
    const totals = async (query = {}) => (await gateway.call('get', `${QUEUE}/statistics`).query(query)).body.data.totalPosts;
    expect([await totals(), await totals(of(ENVIRONMENT_ACCOUNT_ID)), await totals(of(second))]).toEqual([3, 1, 2]);
    const listed = async (query = {}) => (await gateway.call('get', QUEUE).query(query)).body.data.pagination.totalCount;
    expect([await listed(), await listed(of(second))]).toEqual([3, 2]);
  });

  it('take only posts with a permission where the account requires it, and check those that wait again', async () => {
    const [item, early, other] = [await gateway.item('ready', { author: 'ada' }), await queue(second), await queue()];
    const require = (needsPermission: boolean) =>
      gateway.call('patch', `/api/instagram-accounts/${second}/needs-permission`, { needsPermission }).expect(200);
    await require(true);
    const { accounts } = (await gateway.call('get', '/api/instagram-accounts')).body.data as { accounts: InstagramAccount[] };
    expect(accounts.map((account) => account.needsPermission)).toEqual([false, true]);
    const add = () => gateway.call('post', `${QUEUE}/${item.id}`, { accountId: second });
    const refused = await add();
    expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('The account requires the permission')]);

    await startBoth();
    await publishDue();
    expect(await Promise.all([early, other].map(statusOf))).toEqual(['cancelled', 'posting']);
    const [waits] = await gateway.database.sql.query<{ review_reasons: unknown }>(
      'SELECT i.review_reasons FROM queue_items q JOIN content_items i ON i.id = q.item_id WHERE q.id = $1',
      [early],
    );
    expect(waits?.review_reasons).toEqual([{ code: 'permission_missing', fields: { by: 'account' } }]);
    await require(false);
    const [free] = await gateway.database.sql.query(
      'SELECT i.state, i.needs_review, i.review_reasons FROM queue_items q JOIN content_items i ON i.id = q.item_id WHERE q.id = $1',
      [early],
    );
    expect(free).toEqual({ state: 'ready', needs_review: false, review_reasons: [] });
    await require(true);

    const { id } = (await gateway.call('post', '/api/rights/permissions', { grantor: 'Ada', kind: 'author', named: 'u/ada' })).body.data;
    await gateway.call('post', `/api/rights/permissions/${id}/answer`, { granted: true, answer: 'Yes' }).expect(200);
    await add().expect(200);
    const { body } = await gateway.call('get', `/api/audit-log?subject=${second}`);
    expect(body.data.posts).toContainEqual(
      expect.objectContaining({ action: 'instagramAccounts.changeNeedsPermission', detail: { needsPermission: true } }),
    );
  });

  it('publish beside each other, each post for its own account and with its own interval', async () => {
    const [first, , other, later] = [await queue(), await queue(), await queue(second), await queue(second)];
    await startBoth();
    await publishDue();
    await publishDue();
    expect(await Promise.all([first, other, later].map(statusOf))).toEqual(['posting', 'posting', 'scheduled']);
    const attempts = await gateway.database.sql.query<{ queue_item_id: string; account_id: string; message_key: string }>(
      `SELECT a.queue_item_id, a.account_id, j.message_key FROM publish_attempts a JOIN stage_jobs j ON j.subject_id = a.id ORDER BY a.created_at`,
    );
    const { userId } = (await gateway.database.read.accounts.find(second)) ?? {};
    expect(attempts).toHaveLength(2);
    expect(attempts).toContainEqual({ queue_item_id: other, account_id: userId, message_key: userId });
    expect(attempts.find((attempt) => attempt.queue_item_id === first)?.account_id).toBe(gateway.settings.instagramAccountId);
  });

  it('stop on their own: what Instagram refuses one account holds no post of the other', async () => {
    const [first, other] = [await queue(), await queue(second)];
    await startBoth();
    const stop = { cause: 'account', reason: 'Instagram suspects spam.', nextAction: 'Check the account.' } as const;
    await gateway.database.unitOfWork((uow) => pausePublishing(uow, stop, second));
    await publishDue();
    expect([await statusOf(first), await statusOf(other)]).toEqual(['posting', 'scheduled']);
    expect((await status(of(second))).hold).toMatchObject({ reason: expect.stringContaining('spam') });
    expect((await status()).hold).toBeNull();
    await gateway.call('post', `/api/instagram-accounts/${second}/resume`).expect(200);
    await publishDue();
    expect(await statusOf(other)).toBe('posting');
  });

  it('stop together when a person pauses publishing, and not when the first account is refused', async () => {
    const [first, other] = [await queue(), await queue(second)];
    await startBoth();
    await gateway.call('post', '/api/publishing/pause').expect(200);
    await publishDue();
    expect([await statusOf(first), await statusOf(other)]).toEqual(['scheduled', 'scheduled']);
    await gateway.database.read.settings.set(SETTING.publishing, {
      paused: true,
      by: 'autoposter',
      since: new Date().toISOString(),
      cause: 'token',
    });
    await publishDue();
    expect([await statusOf(first), await statusOf(other)]).toEqual(['scheduled', 'posting']);
  });

  it('stop on their own when a person pauses the account of the environment alone', async () => {
    const [first, other] = [await queue(), await queue(second)];
    await startBoth();
    await gateway.call('post', `/api/instagram-accounts/${ENVIRONMENT_ACCOUNT_ID}/pause`).expect(200);
    await publishDue();
    expect([await statusOf(first), await statusOf(other)]).toEqual(['scheduled', 'posting']);
    await gateway.call('post', `/api/instagram-accounts/${ENVIRONMENT_ACCOUNT_ID}/resume`).expect(200);
    await publishDue();
    expect(await statusOf(first)).toBe('posting');
  });

  it('stay paused together when the token of the first account is refused meanwhile, and end it together only', async () => {
    const other = await queue(second);
    await startBoth();
    await gateway.call('post', '/api/publishing/pause').expect(200);
    const stop = { cause: 'token', reason: 'The token has expired.', nextAction: 'Set a new one.' } as const;
    await gateway.database.unitOfWork((uow) => pausePublishing(uow, stop));
    await publishDue();
    expect(await statusOf(other)).toBe('scheduled');
    for (const id of [ENVIRONMENT_ACCOUNT_ID, second]) await gateway.call('post', `/api/instagram-accounts/${id}/resume`).expect(409);
  });

  it('keep posts of an account that is not ready, and their account cannot be disconnected', async () => {
    const other = await queue(second);
    await startBoth();
    await gateway.database.sql.query(`UPDATE instagram_accounts SET status = 'refused' WHERE id = $1`, [second]);
    await publishDue();
    expect(await statusOf(other)).toBe('scheduled');
    const refused = await gateway.call('delete', `/api/instagram-accounts/${second}`).expect(409);
    expect(refused.body.error).toBe('1 post is in the queue of this account; remove it or let it go out first.');
    const now = await gateway.item('ready');
    await gateway.call('post', `${QUEUE}/${now.id}`, { accountId: second, postImmediately: true }).expect(409);
  });

  it('count a post that is being queued while the account is disconnected', async () => {
    const item = await gateway.item('ready');
    const stored = new StoredSettings(gateway.database, gateway.settings);
    let disconnected: Promise<number> | undefined;
    await gateway.database.unitOfWork(async (uow) => {
      await stored.accountForQueue(uow, second);
      disconnected = gateway.call('delete', `/api/instagram-accounts/${second}`).then((response) => response.status);
      await gateway.lockIsAwaited();
      await enqueue(uow, item, { immediate: false, queueAccountId: second, actor: 'test' });
    });
    expect(await disconnected).toBe(409);
    expect((await status(of(second))).totalInQueue).toBe(1);
  });

  it('take no failed post again after their account was disconnected', async () => {
    const failed = await queue(second);
    await gateway.database.sql.query(
      `WITH post AS (UPDATE queue_items SET status = 'failed' WHERE id = $1 RETURNING item_id)
       UPDATE content_items SET state = 'ready' WHERE id IN (SELECT item_id FROM post)`,
      [failed],
    );
    await gateway.call('delete', `/api/instagram-accounts/${second}`).expect(200);
    const refused = await gateway.call('post', `${QUEUE}/${failed}/retry`).expect(409);
    expect(refused.body.error).toBe('This account is disconnected; connect it again under Settings.');
    expect(await statusOf(failed)).toBe('failed');
  });

  it('resume after a refused token if the check that this requests accepts it', async () => {
    const stop = { cause: 'token', reason: 'The token has expired.', nextAction: 'Connect it again.' } as const;
    await gateway.database.unitOfWork((uow) => pausePublishing(uow, stop, second));
    const { accounts } = gateway.database.read;
    /** The publishing worker finds this. */
    const resumedWith = async (found: Parameters<typeof accounts.saveCheck>[1]): Promise<number> => {
      const resumed = Promise.resolve(gateway.call('post', `/api/instagram-accounts/${second}/resume`));
      await pollUntil(async () => (await accounts.claimDueForCheck()).some(({ id }) => id === second));
      await accounts.saveCheck(second, found);
      return (await resumed).status;
    };
    const refused = { failure: failureOf('instagram_token_expired') };
    const facts = {
      accountId: 'account-2',
      username: null,
      flavour: 'facebook',
      tokenExpiresAt: null,
      quotaUsed: 0,
      quotaTotal: 50,
    } as const;
    expect(await resumedWith(refused)).toBe(409);
    expect(await resumedWith(refused)).toBe(409);
    expect(await resumedWith({ report: facts })).toBe(200);
  });
});

describeGateway('posts that are queued automatically', () => {
  let gateway: GatewayFixture;
  afterEach(() => gateway?.stop());
  async function queuedFor(instagramAccountId: string | null, connect: number): Promise<{ accountId: string; connected: string[] }> {
    gateway = await GatewayFixture.start({ instagramAccountId });
    const connected: string[] = [];
    for (let number = 0; number < connect; number += 1) connected.push(await connectedAccount(gateway));
    await gateway.database.sql.query(`UPDATE instagram_accounts SET status = 'ready' WHERE id = $1`, [connected.at(-1) ?? null]);
    const { id } = await gateway.item('ready');
    const request = { immediate: false, unattended: true, caption: 'A fox.', actor: 'pipeline' };
    const queued = await gateway.database.unitOfWork(async (uow) => enqueue(uow, await uow.items.lock(id), request));
    if (queued.outcome !== 'queued') throw new Error(queued.outcome);
    return { accountId: queued.queueItem.accountId, connected };
  }

  it('wait for the account of the environment, also beside connected ones', async () => {
    expect((await queuedFor('17841400000000001', 1)).accountId).toBe(ENVIRONMENT_ACCOUNT_ID);
  });

  it('wait for a connected account that is ready while the environment names none', async () => {
    const { accountId, connected } = await queuedFor(null, 2);
    expect(accountId).toBe(connected[1]);
  });

  it('wait for the account of the environment while no account is configured at all', async () => {
    expect((await queuedFor(null, 0)).accountId).toBe(ENVIRONMENT_ACCOUNT_ID);
  });
});
