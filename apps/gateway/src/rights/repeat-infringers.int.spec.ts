import type { NoticeDetail } from '@autoposter/contracts';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('repeat infringers', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const by = (author: string) => gateway.item('posted', { author });
  const notice = async (...items: { id: string }[]): Promise<NoticeDetail> => {
    const sent = { receivedAt: '2026-05-04T10:00:00.000Z', claimant: 'North Light', contact: 'law@example.com', signature: 'N. Light' };
    const locations = items.map(({ id }) => `https://console.example/admin/items/${id}`);
    const body = { ...sent, goodFaith: true, accurate: true, work: 'Storm', locations };
    return (await gateway.call('post', '/api/rights/notices', body).expect(200)).body.data;
  };
  const step = (id: string, name: string, body: object) => gateway.call('post', `/api/rights/notices/${id}/${name}`, body);
  const upheld = async (...items: { id: string }[]): Promise<NoticeDetail> => {
    const { id } = await notice(...items);
    return (await step(id, 'close', { outcome: 'upheld' }).expect(200)).body.data;
  };
  const counter = (id: string) =>
    step(id, 'counter-notice', { receivedAt: '2026-05-05T10:00:00.000Z', sender: 'Its maker', statement: 'It is mine.' }).expect(200);
  const claimsOn = (author: string) => gateway.database.read.claims.onTargets([{ kind: 'author', key: `reddit:${author}` }]);

  it('are named and claimed as a whole from two upheld notices on', async () => {
    const other = await gateway.item('ready', { author: 'copier' });
    expect((await upheld(await by('copier'))).repeatedAuthors).toEqual([]);
    expect((await upheld(await by('copier'))).repeatedAuthors).toEqual([{ author: 'copier', notices: 2 }]);
    expect(await claimsOn('copier')).toHaveLength(1);
    expect((await gateway.database.read.items.find(other.id))?.state).toBe('blocked');
  });

  it('are not those with several posts in one notice', async () => {
    const { repeatedAuthors } = await upheld(await by('once'), await by('once'), await by('once'));
    expect([repeatedAuthors, await claimsOn('once')]).toEqual([[], []]);
  });

  it('are not those with one post in several notices', async () => {
    const item = await by('one_post');
    await upheld(item);
    expect([(await upheld(item)).repeatedAuthors, await claimsOn('one_post')]).toEqual([[], []]);
  });

  it('leave out a name that no claim can have, and no other author', async () => {
    const authors = ['a name with spaces', 'repeater_one'];
    const both = () => Promise.all(authors.map(by));
    await upheld(...(await both()));
    const { id } = await upheld(...(await both()));
    expect(await claimsOn('repeater_one')).toHaveLength(1);
    const { posts } = (await gateway.call('get', `/api/audit-log?action=rights.repeat_infringer.unreadable&subject=${id}`)).body.data;
    expect(posts).toMatchObject([{ detail: { author: 'a name with spaces', notices: 2 } }]);
  });

  it('count no notice whose claimant has withdrawn it', async () => {
    for (const status of ['withdrawn', 'disputed']) {
      const { claimId } = await upheld(await gateway.item('ready', { author: 'repeater_three' }));
      await gateway.call('post', `/api/rights/claims/${claimId}/status`, { status }).expect(200);
    }
    expect(await claimsOn('repeater_three')).toEqual([]);
  });

  it('count no notice with a counter notice until it is upheld again', async () => {
    const first = await upheld(await by('countered'));
    await counter(first.id);
    expect((await upheld(await by('countered'))).repeatedAuthors).toEqual([]);
    await step(first.id, 'close', { outcome: 'upheld' }).expect(200);
    expect(await claimsOn('countered')).toHaveLength(1);
  });

  it('are released when too few of their notices stay upheld, and not before', async () => {
    const [first, second] = [await upheld(await by('released')), await upheld(await by('released'))];
    const other = await gateway.item('downloaded', { author: 'released' });
    await upheld(await by('released'), other);
    const [claim] = await claimsOn('released');
    await counter(first.id);
    expect(await claimsOn('released')).toHaveLength(1);
    await step(first.id, 'close', { outcome: 'restored' }).expect(200);
    expect((await claimsOn('released')).map(({ id }) => id)).toEqual([claim?.id]);
    await gateway.call('post', `/api/rights/claims/${second.claimId}/status`, { status: 'withdrawn' }).expect(200);
    expect(await claimsOn('released')).toEqual([]);
    expect((await gateway.database.read.rights.findClaim(claim?.id ?? ''))?.claim).toMatchObject({
      status: 'withdrawn',
      statusNote: 'The author is no repeat infringer any more.',
    });
    const { posts } = (await gateway.call('get', `/api/audit-log?action=rights.withdraw&subject=${claim?.id}`)).body.data;
    expect(posts).toHaveLength(1);
  });

  it('stay claimed where a person entered the claim', async () => {
    const body = { title: 'All of them', claimant: 'North Light', author: 'u/by_hand' };
    await gateway.call('post', '/api/rights/claims', body).expect(200);
    await upheld(await by('by_hand'));
    const { id } = await upheld(await by('by_hand'));
    await counter(id);
    await step(id, 'close', { outcome: 'rejected' }).expect(200);
    expect(await claimsOn('by_hand')).toHaveLength(1);
  });

  it('are claimed with the decision on the notice, or neither is written', async () => {
    await upheld(await by('repeater_two'));
    const { id } = await notice(await by('repeater_two'));
    const { sql } = gateway.database;
    await sql.query(`CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'away'; END $$`);
    await sql.query(`CREATE TRIGGER fails BEFORE INSERT ON claim_targets FOR EACH ROW EXECUTE FUNCTION fails()`);
    expect((await step(id, 'close', { outcome: 'upheld' })).status).toBe(500);
    await sql.query('DROP TRIGGER fails ON claim_targets');
    expect(await claimsOn('repeater_two')).toEqual([]);
    await step(id, 'close', { outcome: 'upheld' }).expect(200);
    expect(await claimsOn('repeater_two')).toHaveLength(1);
  });
});
