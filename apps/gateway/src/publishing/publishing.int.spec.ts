import { publishingSchema } from '@autoposter/contracts';
import { pausePublishing } from '@autoposter/workflow';
import { describeGateway } from '../testing/gateway-fixture';
import { ADMIN, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('publishing pause', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

  const state = async () => publishingSchema.strict().parse((await gateway.call('get', '/api/publishing')).body.data);
  const hold = async () => (await gateway.call('get', '/api/instagram-queue/status')).body.data.hold;
  const resume = () => gateway.call('post', '/api/publishing/resume');
  const stopBy = (cause: 'account') =>
    gateway.database.read.settings.set('publishing', {
      paused: true,
      by: 'autoposter',
      since: new Date().toISOString(),
      cause,
      reason: 'Instagram said no.',
      nextAction: 'Do this.',
    });

  it('shows who paused publishing', async () => {
    expect([await state(), await hold()]).toEqual([{ paused: false, by: null, since: null }, null]);
    await gateway.call('post', '/api/publishing/pause').expect(200);
    expect(await state()).toMatchObject({ paused: true, by: ADMIN, cause: 'person' });
    expect(await hold()).toMatchObject({ cause: 'person', reason: `Publishing was paused by ${ADMIN}.`, until: null });
    await resume().expect(200);
    expect([(await state()).paused, await hold()]).toEqual([false, null]);
  });

  it('keeps the cause of a pause that Autoposter makes at the moment of a pause by a person', async () => {
    const stop = { cause: 'token' as const, reason: 'Instagram refused the token.', nextAction: 'Set a new one.' };
    const { paused } = await gateway.database.unitOfWork(async (uow) => {
      await pausePublishing(uow, stop);
      const answer = gateway.call('post', '/api/publishing/pause').then((response) => response);
      await gateway.lockIsAwaited();
      return { paused: answer };
    });
    expect((await paused).status).toBe(200);
    expect(await hold()).toMatchObject({ cause: 'token' });
  });

  it('makes waiting jobs due on resume', async () => {
    const item = await gateway.item('ready');
    await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
    await gateway.database.sql.query(
      `UPDATE stage_jobs SET state = 'waiting', due_at = now() + interval '5 minutes', wait_reason = 'x' WHERE item_id = $1`,
      [item.id],
    );
    await stopBy('account');
    await resume().expect(200);
    const [job] = await gateway.database.sql.query<{ due: boolean }>(`SELECT due_at <= now() AS due FROM stage_jobs WHERE item_id = $1`, [
      item.id,
    ]);
    expect(job?.due).toBe(true);
  });
});
