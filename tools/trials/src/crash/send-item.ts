import { DEFAULT_SUBREDDIT_FILTERS, LIMITS } from '@autoposter/contracts';
import type { Database } from '@autoposter/persistence';
import type { SeededRandom } from '../random';

const SCENES = ['hills', 'sea', 'tiles', 'lights', 'paint', 'rosette', 'animal', 'skyline'];

/** Small, so that the time goes into the way and not into the pixels; in the full form a third are clips. */
export function postOf(number: number, random: SeededRandom, full: boolean): object {
  const scene = SCENES[Math.floor(random.next() * SCENES.length)];
  const title = `Number ${number}: ${scene} ${Math.floor(random.next() * 1e9).toString(36)}`;
  const picture = { type: 'image', scene, width: 480, height: 600 };
  const clip = { type: 'video', scene, width: 270, height: 480, seconds: 4, fps: 12 };
  return { title, author: `author_${number}`, score: 500, comments: 1, content: full && number % 3 === 0 ? clip : picture };
}

/** Has the clock collect the post's community at its next beat, and lets what it finds go the whole way. Answers the subreddit's id. */
export async function subscribe(database: Database, permalink: string): Promise<string> {
  const name = /\/r\/([^/]+)\//u.exec(permalink)?.[1] ?? '';
  const created = await database.unitOfWork((uow) =>
    uow.subreddits.create({
      name,
      intervalMinutes: LIMITS.subreddit.intervalMinutes.max,
      postsToFetch: 1,
      timePeriod: 'day',
      autoProcessStage: 'queuePost',
      filters: { ...DEFAULT_SUBREDDIT_FILTERS, allowImages: true },
      nextRunAt: null,
    }),
  );
  if (created === null) throw new Error(`r/${name} was there already`);
  return created.id;
}
