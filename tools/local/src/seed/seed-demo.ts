import { DEFAULT_SUBREDDIT_FILTERS, LIMITS } from '@autoposter/contracts';
import { initialQueueSettings, SETTING } from '@autoposter/domain';
import type { Database, NewSubreddit } from '@autoposter/persistence';
import { CommandError } from '../../prepare/command-line.mjs';

const SEEDED = 'demo_seeded';
const SEEDED_BY = 'demo';
/** The second subreddit is collected later, so that the first reel gets the whole machine. */
const SECOND_AFTER_MS = 90_000;

/** Runs every stage automatically with few posts: the first reel is published within a minute on two cores. */
const FIRST: Omit<NewSubreddit, 'nextRunAt'> = {
  name: 'oddlysatisfying',
  intervalMinutes: LIMITS.subreddit.intervalMinutes.default,
  postsToFetch: 12,
  timePeriod: 'day',
  autoProcessStage: 'queuePost',
  filters: DEFAULT_SUBREDDIT_FILTERS,
};

/** Stops after the download, so that an administrator can try the manual steps. */
const SECOND: Omit<NewSubreddit, 'nextRunAt'> = {
  ...FIRST,
  name: 'aww',
  postsToFetch: 8,
  autoProcessStage: 'dmcaProtection',
  filters: { ...DEFAULT_SUBREDDIT_FILTERS, allowImages: true, allowGalleries: true },
};

/** Refuses a database with content of its users: the demo's services would process it. */
export async function refuseForeignDatabase(database: Database): Promise<void> {
  const [table] = await database.sql.query<{ there: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS there`);
  if (!table?.there) return;
  const [found] = await database.sql.query<{ foreign: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM settings WHERE name = $1) AND (EXISTS (SELECT FROM content_items) OR EXISTS (SELECT FROM subreddits)) AS foreign`,
    [SEEDED],
  );
  if (found?.foreign)
    throw new CommandError(
      'The database of DATABASE_URL contains data that the demo did not create: configure an empty database, or none.',
    );
}

/** Fills an empty database once: two subreddits, queue and schedulers running, no random delays. Later changes of users stay. */
export async function seedDemo(database: Database): Promise<void> {
  await database.unitOfWork(async (uow) => {
    if ((await uow.settings.get(SEEDED)) !== null) return;
    const queue = initialQueueSettings('UTC');
    await uow.settings.set(
      SETTING.queue,
      { ...queue, running: true, randomization: { ...queue.randomization, enabled: false } },
      SEEDED_BY,
    );
    await uow.settings.set(SETTING.subredditScheduler, { running: true }, SEEDED_BY);
    await uow.settings.set(SETTING.taskScheduler, { running: true }, SEEDED_BY);
    await uow.subreddits.create({ ...FIRST, nextRunAt: null });
    await uow.subreddits.create({ ...SECOND, nextRunAt: new Date(Date.now() + SECOND_AFTER_MS) });
    await uow.settings.set(SEEDED, true, SEEDED_BY);
  });
}
