import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { targetsOf } from '@autoposter/domain';
import { type ContentItem, targetedPost, type UnitOfWork } from '@autoposter/persistence';
import { pollUntil } from '@autoposter/testkit';
import { usePostingTestHarness } from '../testing/posting-test-harness';
import type { PostingTestHarness } from '../testing/posting-test-harness';
import type { PublishScript } from '../testing/publisher.fake';

const SHA256 = 'ab'.repeat(32);
const PICTURE = '3'.repeat(64);
const picture = (hash: string, at = 0) => ({ hash, quality: 90, atSeconds: at });
const SCENES = [PICTURE, '5', '6', '9', 'a'].map((digits, at) => picture(digits.padEnd(64, digits), at));
const GRANTED = { status: 'granted', answer: 'Yes', credit: null, collaborator: null, expiresAt: null } as const;
const LIKENESS = { code: 'resembles_work', fields: { title: 'Dusk' } } as const;
const PERMISSION_MISSING = { code: 'permission_missing', fields: { by: 'account' } };

describe('a post that is claimed while its call is out', () => {
  let harness: PostingTestHarness;
  usePostingTestHarness((entered) => {
    harness = entered;
  });

  /** The claim comes onto the register while the first call, which goes as `script` says, has no answer yet. */
  async function post(script: PublishScript, claim: () => Promise<unknown>): Promise<ContentItem> {
    const { publisher, fresh } = harness;
    publisher.script.push(script);
    const answer = publisher.publish.bind(publisher);
    publisher.publish = async (containerId) => {
      if (publisher.publishCalls === 0) {
        const [attempt] = await fresh.database.sql.query<{ item_id: string }>('SELECT item_id FROM publish_attempts');
        const prints = [{ sha256: SHA256, pdq: SCENES }];
        await fresh.database.unitOfWork((uow) => uow.rights.saveFingerprints(attempt?.item_id ?? '', prints));
        await claim();
      }
      return answer(containerId);
    };
    return harness.postNow();
  }

  const claimBy = (print: { sha256: string | null; pdq: ReturnType<typeof picture>[] }) =>
    harness.fresh.database.unitOfWork((uow) =>
      uow.rights.addClaim({ title: 'Dusk', claimant: 'A', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.test' }, [
        print,
      ]),
    );
  const claimFile = () => claimBy({ sha256: SHA256, pdq: [] });

  const revoke = () => permit(null, (uow, id) => uow.permissions.revoke(id, 'Asked by mail'));

  /** The author of the post answers. */
  const permit = (collaborator: string | null, then = (_uow: UnitOfWork, _id: string): Promise<unknown> => Promise.resolve()) =>
    harness.fresh.database.unitOfWork(async (uow) => {
      const [attempt] = await harness.fresh.database.sql.query<{ item_id: string }>('SELECT item_id FROM publish_attempts');
      const target = targetsOf(targetedPost(await uow.items.lock(attempt?.item_id ?? ''))).find(({ kind }) => kind === 'url');
      if (target === undefined) throw new Error('the post has no address');
      const id = await uow.permissions.create({ ...target, grantor: 'Ada', contact: null, request: 'May we?', createdBy: 'test' });
      await uow.permissions.answer(id, { ...GRANTED, collaborator });
      await then(uow, id);
    });

  /** The author permitted it until now. */
  const end = () => permit(null, (uow, id) => uow.permissions.answer(id, { ...GRANTED, expiresAt: new Date(0) }));

  const requirePermissions = () => harness.read.accounts.setNeedsPermission(ENVIRONMENT_ACCOUNT_ID, true);

  /** The queue shows why it is not called again; then its container expires and the account is read once more. */
  async function isHeldUntilExpired(item: ContentItem, failure: object): Promise<void> {
    await pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect(await harness.placeOf(item)).toMatchObject({ status: 'posting', outcome: 'unknown', failure });
      return true;
    });
    harness.expireContainers();
    await harness.reconcile(item);
  }

  const ends = (item: ContentItem, state: string) =>
    pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect(await harness.stateOf(item)).toBe(state);
      return true;
    });

  it.each<[string, PublishScript]>([
    ['after a refusal', 'refuse'],
    ['after a call that did not publish it', 'lose-the-call'],
  ])('is not called again %s: it ends with the claim once its container has expired', async (_when, script) => {
    const item = await post(script, claimFile);
    const claimed = 'Shows the claimed work "Dusk".';
    await isHeldUntilExpired(item, { message: claimed });
    await ends(item, 'blocked');
    const failure = { kind: 'rights_blocked', message: claimed };
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'failed', failure });
    expect(await harness.placeOf(item)).toMatchObject({ status: 'failed', outcome: null, failure });
    expect([harness.publisher.publishCalls, harness.publisher.media]).toEqual([1, []]);
    const { sql } = harness.fresh.database;
    expect(
      await sql.query("SELECT state, type FROM event_history WHERE item_id = $1 AND type IN ($2, $3) AND state = 'blocked' ORDER BY type", [
        item.id,
        'post.failed',
        'dmca.blocked',
      ]),
    ).toEqual([
      { state: 'blocked', type: 'dmca.blocked' },
      { state: 'blocked', type: 'post.failed' },
    ]);
    // no dead letter needs attention
    expect(await sql.query("SELECT stage, state FROM stage_jobs WHERE state = 'dead'")).toEqual([]);
    expect(await sql.query('SELECT additional_info FROM skipped_posts WHERE item_id = $1', [item.id])).toEqual([
      { additional_info: failure.message },
    ]);
  });

  it.each<[string, PublishScript, () => Promise<unknown>, string, string]>([
    ['after a refusal if its permission was revoked', 'refuse', revoke, 'permission_revoked', 'The permission of Ada was revoked.'],
    [
      'after a call that did not publish it if it was revoked',
      'lose-the-call',
      revoke,
      'permission_revoked',
      'The permission of Ada was revoked.',
    ],
    [
      'after a refusal if its permission has ended',
      'refuse',
      end,
      'permission_expired',
      'The permission of Ada has ended; ask for a new one on the Rights screen.',
    ],
  ])('is not called again %s: it then waits for another', async (_when, script, stop, code, said) => {
    const item = await post(script, stop);
    await isHeldUntilExpired(item, { message: said });
    await ends(item, 'ready');
    expect(await harness.placeOf(item)).toMatchObject({ status: 'failed', failure: { code: 'not_permitted', message: said } });
    expect(await harness.read.items.find(item.id)).toMatchObject({ needsReview: true, reviewReasons: [{ code }] });
    expect([harness.publisher.publishCalls, harness.publisher.media]).toEqual([1, []]);
  });

  it.each<[string, PublishScript]>([
    ['after a refusal', 'refuse'],
    ['after a call that did not publish it', 'lose-the-call'],
  ])('is not called again %s if its account requires a permission since', async (_when, script) => {
    const item = await post(script, requirePermissions);
    await isHeldUntilExpired(item, { code: 'not_permitted' });
    await ends(item, 'ready');
    expect(await harness.read.items.find(item.id)).toMatchObject({ needsReview: true, reviewReasons: [PERMISSION_MISSING] });
    expect([harness.publisher.publishCalls, harness.publisher.media]).toEqual([1, []]);
  });

  /** Something changes once the container of a post is made and before its call. */
  async function changedBeforeCall(change: () => Promise<unknown>, code = 'not_permitted'): Promise<ContentItem> {
    const { publisher } = harness;
    const status = publisher.containerStatus.bind(publisher);
    publisher.containerStatus = async (containerId) => {
      await change();
      return status(containerId);
    };
    const item = await harness.postNow();
    await ends(item, 'ready');
    expect(await harness.placeOf(item)).toMatchObject({ status: 'failed', failure: { code } });
    expect(publisher.publishCalls).toBe(0);
    return item;
  }

  it('is never called if its account requires a permission since its container was made', async () => {
    const item = await changedBeforeCall(requirePermissions);
    expect(await harness.read.items.find(item.id)).toMatchObject({ needsReview: true, reviewReasons: [PERMISSION_MISSING] });
  });

  it('is never called if its author permits a collaboration only since its container was made without one', async () => {
    const item = await changedBeforeCall(() => permit('ada.pictures'));
    const said = 'The author permitted a collaboration only, and @ada.pictures is no collaborator of this post; queue it again.';
    expect(await harness.placeOf(item)).toMatchObject({ failure: { message: said } });
    expect(await harness.read.items.find(item.id)).toMatchObject({ needsReview: false });
  });

  it('is not given back as ready where its container is gone', async () => {
    const item = await post('lose-the-call', async () => {
      for (const container of harness.publisher.containers.values()) container.status = 'EXPIRED';
      await claimFile();
    });
    await ends(item, 'blocked');
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'failed', failure: { kind: 'rights_blocked' } });
  });

  it('stays posted where it turns out to be out', async () => {
    const item = await post('publish-and-lose-the-answer', claimFile);
    await ends(item, 'posted');
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'published', settledBy: 'reconcile', failure: null });
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it.each(['refuse', 'lose-the-call'] as const)('is free again where the claim was withdrawn: %s', async (script) => {
    const item = await post(script, async () => {
      const { id } = await claimFile();
      await harness.fresh.database.unitOfWork((uow) =>
        uow.claims.setStatus(id, { from: 'active', to: 'withdrawn', note: null, expiresAt: null }),
      );
    });
    await ends(item, 'posted');
    expect(harness.publisher.publishCalls).toBe(2);
  });

  /** The post is found to resemble a claimed work, as by a claim that is registered now. */
  const findLikeness = () =>
    harness.fresh.database.unitOfWork(async (uow) => {
      const [attempt] = await harness.fresh.database.sql.query<{ item_id: string }>('SELECT item_id FROM publish_attempts');
      const { id } = await uow.items.lock(attempt?.item_id ?? '');
      await uow.items.patch(id, { needsReview: true, reviewReasons: [LIKENESS] });
      await uow.provenance.append(id, 'claim', { title: 'Dusk' });
    });

  it.each<[string, PublishScript]>([
    ['after a refusal', 'refuse'],
    ['after a call that did not publish it', 'lose-the-call'],
  ])('is not called again %s if it was found to resemble a work since: it then waits for the review', async (_when, script) => {
    const item = await post(script, findLikeness);
    await isHeldUntilExpired(item, { code: 'looks_alike' });
    await ends(item, 'ready');
    expect(await harness.read.items.find(item.id)).toMatchObject({ needsReview: true, reviewReasons: [LIKENESS] });
    expect([harness.publisher.publishCalls, harness.publisher.media]).toEqual([1, []]);
  });

  it('is never called if it was found to resemble a work since its container was made', async () => {
    const item = await changedBeforeCall(findLikeness, 'claimed_media');
    expect(await harness.read.items.find(item.id)).toMatchObject({ needsReview: true, reviewReasons: [LIKENESS] });
  });

  it('continues if it matches the work only in part, which a person may have allowed', async () => {
    const item = await post('refuse', () => claimBy({ sha256: null, pdq: [picture(PICTURE)] }));
    await ends(item, 'posted');
    const stored = await harness.read.rights.printsOf(item.id);
    expect(await harness.read.rights.findMatches(item.id, stored)).toMatchObject([{ kind: 'claim', matched: 1, compared: 5 }]);
  });
});
