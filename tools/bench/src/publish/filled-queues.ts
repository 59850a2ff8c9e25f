import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting, initialQueueSettings, type QueueSettings, SETTING } from '@autoposter/domain';
import type { Database } from '@autoposter/persistence';
import type { GatewaySettings } from '../../../../apps/gateway/src/bootstrap/settings';

const USER_ID = '17841400000000000';

/** The settings of a gateway with a public address, from which Instagram fetches media. */
export const SETTINGS = {
  instagramAccountId: USER_ID,
  instagramMissing: [],
  timeZone: 'UTC',
  hasPublicAddress: true,
  schedulersStart: true,
  instagramLogin: { apiVersion: 'v26.0' },
} as unknown as GatewaySettings;

interface QueueSizes {
  accounts: number;
  /** Posts of all accounts together. */
  waiting: number;
  posted: number;
  settings?: Partial<QueueSettings>;
}

const CONNECTED = `
  INSERT INTO instagram_accounts (id, source, user_id, username, login, status)
  SELECT md5('account' || n)::uuid, 'connected', (17841400000000000 + n)::text, 'account' || n, 'facebook', 'ready'
  FROM generate_series(2, $1::int) AS n RETURNING id`;

/** Items with a processed file each, in the state of the parameter. */
const ITEMS = `
  WITH items AS (
    INSERT INTO content_items (id, platform, source_id, original_url, title, subreddit, auto_process_stage, state)
    SELECT md5($2 || n)::uuid, 'reddit', $2 || n, 'https://www.reddit.com/r/bench/comments/' || n, 'Benchmark post ' || n, 'bench', 'queuePost', $2
    FROM generate_series(1, $1::int) AS n RETURNING id, source_id)
  INSERT INTO media_files (id, item_id, role, position, media_type, object_key, file_name, content_type, bytes, sha256, storage_type)
  SELECT id, id, 'processed', 0, 'video', source_id || '.mp4', 'post.mp4', 'video/mp4', 1000, encode(sha256(source_id::bytea), 'hex'), 'local' FROM items`;

const QUEUE_ITEMS = `
  INSERT INTO queue_items (id, item_id, account_id, status, priority, caption, queued_by, queued_at, finished_at)
  SELECT md5('place' || $2 || n)::uuid, md5($2 || n)::uuid, ($3::uuid[])[1 + n % cardinality($3::uuid[])], $4, n % 11, 'Caption ' || n || '.', 'system',
    now() - n * interval '1 second' - interval '1 day', CASE WHEN $4 = 'posted' THEN now() - n * interval '1 minute' - interval '1 day' END
  FROM generate_series(1, $1::int) AS n`;

/** Fills the queues of several accounts with equal numbers of posts. The first account is that of the environment. */
export async function fillQueues(database: Database, { accounts, waiting, posted, settings = {} }: QueueSizes): Promise<void> {
  const connected = await database.sql.query<{ id: string }>(CONNECTED, [accounts]);
  const ids = [ENVIRONMENT_ACCOUNT_ID, ...connected.map(({ id }) => id)];
  await database.unitOfWork(async (uow) => {
    for (const id of ids)
      await uow.settings.set(accountSetting('queue', id), { ...initialQueueSettings('UTC'), running: true, ...settings });
    await uow.settings.set(SETTING.queueAccount, { accountId: USER_ID });
  });
  for (const [count, state, status] of [
    [waiting, 'queued', 'pending'],
    [posted, 'posted', 'posted'],
  ] as const) {
    await database.sql.query(ITEMS, [count, state]);
    await database.sql.query(QUEUE_ITEMS, [count, state, ids, status]);
  }
}

/** Runs the periodic maintenance of the gateway and of PostgreSQL. */
export async function tidyQueues(database: Database): Promise<void> {
  await database.read.queue.foldCounts();
  for (const table of ['content_items', 'queue_items', 'queue_item_counts', 'media_files', 'publish_attempts', 'settings'])
    await database.sql.query(`VACUUM (ANALYZE) ${table}`);
}
