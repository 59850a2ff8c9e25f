import { claimedWork, ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { failureOf, type ItemState, type RightsMatch } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { requestStage } from '@autoposter/job-engine';
import { claimJob, endJob } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import type { GatewayFixture } from '../gateway-fixture';

/** Creates the subject of a call and returns its id. */
export type Arrange = (gateway: GatewayFixture) => Promise<string>;

const FAILURE = failureOf('database_unavailable');

export const item =
  (state: ItemState, values: Partial<ContentItem> = {}): Arrange =>
  async (gateway) =>
    (await gateway.item(state, values)).id;

async function created(gateway: GatewayFixture, path: string, body?: object): Promise<string> {
  const { body: answer } = await gateway.call('post', path, body).expect(200);
  return (answer.data._id ?? answer.data.id) as string;
}

export const connectedAccount: Arrange = async ({ database }) => {
  const token = { of: 'of', sealed: 'sealed', renewedAt: new Date(0).toISOString(), expiresAt: null };
  const granted = { userId: uuidv7(), username: 'second', login: 'instagram' as const, scopes: [], token, tokenExpiresAt: null };
  return (await database.read.accounts.saveConnected({ ...granted, connectedBy: 'admin@example.test' })).id;
};

export const environmentAccount: Arrange = () => Promise.resolve(ENVIRONMENT_ACCOUNT_ID);

export const discarded: Arrange = async (gateway) => {
  const { id } = await gateway.item('ready');
  await gateway.call('put', `/api/ai/discard/${id}`).expect(200);
  return id;
};

const withPicture =
  (role: 'cover' | 'uploaded_cover'): Arrange =>
  async (gateway) => {
    const { id } = await gateway.item('ready');
    const [file] = await gateway.database.read.media.ofItem(id, 'processed');
    if (file === undefined) throw new Error('the item has no file');
    const { mediaType, objectKey, fileName, bytes, sha256, width, height, storageType } = file;
    const cover = { mediaType, objectKey, fileName, bytes, sha256, width, height, storageType, contentType: 'image/jpeg' };
    await gateway.database.unitOfWork((uow) =>
      uow.media.replace(id, role, [{ ...cover, durationSeconds: null, hasAudio: false }]).then(() => undefined),
    );
    return id;
  };
export const withCover = withPicture('cover');
export const withUploadedCover = withPicture('uploaded_cover');

export const queueItem: Arrange = async (gateway) => created(gateway, `/api/instagram-queue/${(await gateway.item('ready')).id}`, {});

const queueItemAs =
  (status: 'posted' | 'failed'): Arrange =>
  async (gateway) => {
    const id = await queueItem(gateway);
    const { sql } = gateway.database;
    const failure = status === 'failed' ? JSON.stringify(failureOf('instagram_video_format')) : null;
    const end = 'UPDATE queue_items SET status = $2, failure = $3, finished_at = now(), scheduled_for = NULL WHERE id = $1';
    await sql.query(end, [id, status, failure]);
    await sql.query('UPDATE content_items SET state = $2 WHERE id = (SELECT item_id FROM queue_items WHERE id = $1)', [
      id,
      status === 'posted' ? 'posted' : 'ready',
    ]);
    return id;
  };
export const postedQueueItem = queueItemAs('posted');
export const failedQueueItem = queueItemAs('failed');

async function postedImmediately(gateway: GatewayFixture): Promise<{ queueItemId: string; itemId: string }> {
  const { id: itemId } = await gateway.item('ready');
  return { itemId, queueItemId: await created(gateway, `/api/instagram-queue/${itemId}`, { postImmediately: true }) };
}

export const posting: Arrange = async (gateway) => (await postedImmediately(gateway)).itemId;

/** A post with an unknown outcome, sent half an hour ago. */
export const unknownOutcome: Arrange = async (gateway) => {
  const { queueItemId, itemId } = await postedImmediately(gateway);
  const { sql, read } = gateway.database;
  const attempt = await read.attempts.findOpenOf(itemId);
  await sql.query("UPDATE stage_jobs SET state = 'done' WHERE subject_id = $1", [attempt?.id]);
  await sql.query(
    `UPDATE publish_attempts SET state = 'unknown', next_look_at = now() + interval '1 hour',
       intent_at = now() - interval '30 minutes', updated_at = now() - interval '30 minutes' WHERE id = $1`,
    [attempt?.id],
  );
  return queueItemId;
};

/** A post that is held because the copyright check of its reel failed. */
export const heldQueueItem: Arrange = async (gateway) => {
  const { queueItemId, itemId } = await postedImmediately(gateway);
  const attempt = await gateway.database.read.attempts.findOpenOf(itemId);
  const check = { state: 'error', since: new Date().toISOString(), held: true } as const;
  if (attempt !== null) await gateway.database.read.attempts.keepRightsCheck(attempt.id, check);
  return queueItemId;
};

export const run: Arrange = async (gateway) => {
  await gateway.item('downloaded');
  return (await gateway.call('post', '/api/dmca/process-all', {}).expect(200)).body.runId as string;
};

export const finishedRun: Arrange = async (gateway) => {
  const id = await run(gateway);
  await gateway.call('post', `/api/runs/${id}/cancel`).expect(200);
  return id;
};

let names = 0;
export const subreddit: Arrange = (gateway) => created(gateway, '/api/subreddits', { name: `dogs_${(names += 1)}` });

export const runningSubreddit: Arrange = async (gateway) => {
  const id = await subreddit(gateway);
  await gateway.call('post', `/api/subreddits/${id}/run-now`).expect(200);
  return id;
};

export const claim: Arrange = (gateway) =>
  created(gateway, '/api/rights/claims', { title: uuidv7(), claimant: 'A claimant', sha256: 'b'.repeat(64) });

/** A claim whose work gave no file at its address. */
export const fetchedClaim: Arrange = async (gateway) => {
  const urls = ['https://photographs.example/one.jpg'];
  const id = await created(gateway, '/api/rights/claims', { title: uuidv7(), claimant: 'A claimant', workUrls: urls });
  await gateway.database.unitOfWork(async (uow) => {
    await uow.jobs.cancelOpen(id);
    await uow.claims.setWork(id, claimedWork('failed', [], { urls }));
  });
  return id;
};

export const withdrawnClaim: Arrange = async (gateway) => {
  const id = await claim(gateway);
  await gateway.call('post', `/api/rights/claims/${id}/withdraw`).expect(200);
  return id;
};

export const allowEntry: Arrange = async (gateway) => {
  const body = { kind: 'author', named: 'u/an_author', reason: 'Its own work' };
  const { body: answer } = await gateway.call('post', `/api/rights/claims/${await claim(gateway)}/allow`, body).expect(200);
  return answer.data.allowed[0].id as string;
};

export const permission: Arrange = (gateway) =>
  created(gateway, '/api/rights/permissions', { kind: 'author', named: 'u/another_author', grantor: 'An author' });

export const grantedPermission: Arrange = async (gateway) => {
  const id = await permission(gateway);
  await gateway.call('post', `/api/rights/permissions/${id}/answer`, { granted: true, answer: 'Yes' }).expect(200);
  return id;
};

export const revokedPermission: Arrange = async (gateway) => {
  const id = await grantedPermission(gateway);
  await gateway.call('post', `/api/rights/permissions/${id}/revoke`, { reason: 'Asked to stop' }).expect(200);
  return id;
};

/** The answer to a match of a post with a claim. */
export async function matchedPost(gateway: GatewayFixture): Promise<object> {
  const other = { kind: 'claim' as const, id: await claim(gateway) };
  const found = { title: 'A work', by: 'pdq', distance: 20, matched: 1, compared: 1 } as const;
  const match: RightsMatch = {
    ...other,
    ...found,
    file: 0,
    strength: 'flag',
    shareOfOurs: 1,
    shareOfTheirs: null,
    views: ['full', 'full'],
    segment: null,
    comparison: null,
    onlyShared: false,
    published: false,
  };
  const { id: itemId } = await gateway.item('ready', { needsReview: true, reviewReasons: [{ code: 'resembles_work', fields: found }] });
  await gateway.database.unitOfWork((uow) =>
    uow.rights.saveDecision({ itemId, verdict: 'flagged', reasons: [], matches: [match], provenance: {} }),
  );
  return { itemId, other, answer: 'different' };
}

export const notice: Arrange = (gateway) =>
  created(gateway, '/api/rights/notices', {
    receivedAt: '2026-05-04T10:00:00.000Z',
    claimant: 'A claimant',
    contact: 'claimant@example.com',
    work: uuidv7(),
    locations: ['https://www.instagram.com/reel/unknown1/'],
    goodFaith: true,
    accurate: true,
    signature: 'A. Claimant',
  });

export const closedNotice: Arrange = async (gateway) => {
  const id = await notice(gateway);
  await gateway.call('post', `/api/rights/notices/${id}/close`, { outcome: 'rejected' }).expect(200);
  return id;
};

export const answeredNotice: Arrange = async (gateway) => {
  const id = await closedNotice(gateway);
  await gateway.call('post', `/api/rights/notices/${id}/answer`, { answer: 'We found nothing.' }).expect(200);
  return id;
};

/** Of a post that is published, and whose id on Instagram is known. */
export const rightsCase: Arrange = async (gateway) => {
  const [id, itemId] = [uuidv7(), uuidv7()];
  await gateway.database.sql.query(
    `INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, state, caption, caption_hash, media_sha256, media_id)
     VALUES (gen_random_uuid(), $1, gen_random_uuid(), '17841400000000001', 'published', 'x', 'x', 'x', gen_random_uuid()::text)`,
    [itemId],
  );
  await gateway.database.unitOfWork((uow) => uow.cases.open({ id, reason: 'source_removed', itemId, itemState: 'posted', state: 'open' }));
  return id;
};

export const closedCase: Arrange = async (gateway) => {
  const id = await rightsCase(gateway);
  await gateway.call('post', `/api/rights/cases/${id}`, { action: 'dismissed' }).expect(200);
  return id;
};

export const replayedJob: Arrange = async (gateway) => {
  const id = await deadJob(gateway);
  await gateway.call('post', `/api/pipeline/dead-letters/${id}/replay`).expect(200);
  return id;
};

export const deadJob: Arrange = async (gateway) => {
  const { id } = await gateway.item('failed', { failedStage: 'ai' });
  return gateway.database.unitOfWork(async (uow) => {
    const asked = await requestStage(uow, { stage: 'ai', subjectId: id, itemId: id, key: id, actor: 'test' });
    if (!asked.accepted) throw new Error('not accepted');
    const held = await claimJob(gateway.database, asked.job.id, { jobs: uow.jobs });
    if (held === null) throw new Error('not claimed');
    await endJob(uow.jobs, held, { state: 'dead', failure: FAILURE }, 'describe-visuals');
    return asked.job.id;
  });
};
