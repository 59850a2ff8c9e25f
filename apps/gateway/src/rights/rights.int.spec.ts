import { claimSchema } from '@autoposter/contracts';
import { describeGateway } from '../testing/describe-gateway';
import { GatewayFixture } from '../testing/gateway-fixture';

jest.setTimeout(60_000);

describeGateway('the register of claims', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const claim = (body: object) => gateway.call('post', '/api/rights/claims', { title: 'A film', claimant: 'Its maker', ...body });
  const sha256 = 'ab'.repeat(32);

  it('takes a claim by hashes, and what it names is recognised from then on', async () => {
    const { body, status } = await claim({ sha256, pdqHashes: ['cd'.repeat(32)] });
    expect(status).toBe(200);
    expect(claimSchema.strict().parse(body.data)).toMatchObject({ status: 'active', fingerprints: 2, createdBy: 'admin@example.com' });
    const item = await gateway.item('downloaded');
    expect(await gateway.database.read.rights.findMatches(item.id, [sha256], [])).toEqual([
      expect.objectContaining({ kind: 'claim', id: body.data.id }),
    ]);
  });

  it('takes the fingerprints of a post of ours, when it has some', async () => {
    const item = await gateway.item('protected');
    expect((await claim({ itemId: item.id })).status).toBe(409);
    const pdq = [
      { hash: 'ef'.repeat(32), quality: 90, atSeconds: 1 },
      { hash: '01'.repeat(32), quality: 10, atSeconds: 2 },
    ];
    await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: '12'.repeat(32), pdq }]));
    expect((await claim({ itemId: item.id })).body.data.fingerprints).toBe(2);
  });

  it('holds back what lies here and shows the work, and takes it out of the queue', async () => {
    const [named, same, other] = [await gateway.item('ready'), await gateway.item('ready'), await gateway.item('ready')];
    await gateway.database.unitOfWork(async (uow) => {
      for (const item of [named, same]) await uow.rights.saveFingerprints(item.id, [{ sha256: '77'.repeat(32), pdq: [] }]);
    });
    const place = await gateway.call('post', `/api/instagram-queue/${same.id}`, {}).expect(200);
    await claim({ itemId: named.id }).expect(200);
    const states = await gateway.database.read.items.findMany([named.id, same.id, other.id]);
    expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [named.id, 'blocked'],
        [same.id, 'blocked'],
        [other.id, 'ready'],
      ]),
    );
    expect(await gateway.database.read.queue.find(place.body.data._id)).toMatchObject({ status: 'cancelled' });
    expect((await gateway.call('post', `/api/instagram-queue/${named.id}`, {})).status).toBe(409);
    const { body } = await gateway.call('get', '/api/skipped-posts?skipReason=dmca_failure');
    expect(body.data.posts.map((post: { itemId: string }) => post.itemId)).toEqual(expect.arrayContaining([named.id, same.id]));
  });

  it('knows no claim on a post that is not there', async () => {
    expect((await claim({ itemId: '01890000-0000-7000-8000-00000000abcd' })).status).toBe(404);
  });

  it('refuses a claim by which nothing can be recognised', async () => {
    expect((await claim({})).status).toBe(422);
    expect((await claim({ sha256: 'short' })).status).toBe(422);
  });

  it('lists claims and withdraws one once', async () => {
    const { id } = (await claim({ sha256: '34'.repeat(32) })).body.data;
    expect((await gateway.call('post', `/api/rights/claims/${id}/withdraw`)).body.data.status).toBe('withdrawn');
    expect((await gateway.call('post', `/api/rights/claims/${id}/withdraw`)).status).toBe(409);
    const { body } = await gateway.call('get', '/api/rights/claims?status=withdrawn');
    expect(body.data.posts.map((post: { id: string }) => post.id)).toEqual([id]);
  });
});
