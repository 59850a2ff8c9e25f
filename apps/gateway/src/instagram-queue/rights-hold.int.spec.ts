import { ENVIRONMENT_ACCOUNT_ID, queueItemSchema, queueStatusSchema } from '@autoposter/contracts';
import { heldQueueItem } from '../testing/api-table/arrangements';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('a hold by the copyright check', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

  const held = async () => {
    const id = await heldQueueItem(gateway);
    await gateway.database.sql.query(
      `UPDATE stage_jobs SET state = 'waiting', due_at = now() + interval '1 hour', wait_reason = 'Held.' WHERE stage = 'post'`,
    );
    return id;
  };
  const shown = async () => {
    const { body } = await gateway.call('get', '/api/instagram-queue').expect(200);
    return queueItemSchema.parse(body.data.posts[0]);
  };

  it('is shown, and ends once by the decision of an administrator, which is audited', async () => {
    const id = await held();
    expect(await shown()).toMatchObject({ removable: true, waiting: { state: 'rights_checking', held: true, reason: 'Held.' } });
    const { failures } = gateway.database.read;
    const problems = async () =>
      (await failures.publishProblems(new Date(0), new Date(), [], 20)).map(({ kind, accountId, rightsCheck }) => [
        kind,
        accountId,
        rightsCheck?.held,
      ]);
    expect(await problems()).toEqual([['rights_held', ENVIRONMENT_ACCOUNT_ID, true]]);
    await gateway.call('post', `/api/instagram-queue/${id}/publish-anyway`).expect(200);
    expect(await problems()).toEqual([]);
    expect((await shown()).waiting?.state).toBeUndefined();
    const [job] = await gateway.database.sql.query<{ due: boolean }>(`SELECT due_at <= now() AS due FROM stage_jobs WHERE stage = 'post'`);
    expect(job?.due).toBe(true);
    const audited = await gateway.database.sql.query(
      `SELECT 1 FROM audit_log WHERE action = 'queue.rights_hold_released' AND subject = $1`,
      [id],
    );
    expect(audited).toHaveLength(1);
    await gateway.call('post', `/api/instagram-queue/${id}/publish-anyway`).expect(409);
  });

  it('can be removed instead', async () => {
    const id = await held();
    await gateway.call('delete', `/api/instagram-queue/${id}`).expect(200);
    expect((await shown()).status).toBe('cancelled');
  });

  it('follows a setting of the queue', async () => {
    const { body } = await gateway.call('put', '/api/instagram-queue/unchecked-posts', { uncheckedPosts: 'publish' }).expect(200);
    expect(queueStatusSchema.parse(body.data).uncheckedPosts).toBe('publish');
  });
});
