import type { StepContext } from '@autoposter/job-engine';
import { captionHash } from '@autoposter/workflow';
import type { PublishedMedia, Publisher } from '@autoposter/domain';
import type { PublishAttempt } from '@autoposter/persistence';
import { lookAtMedia, type LinkedMedia } from './look-at-media.step';

const BEGAN = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number) => new Date(BEGAN.getTime() + count * 60_000);
/** The attempt began at ten, and its last call was two hours later. */
const attempt = {
  accountId: '17',
  captionHash: captionHash('Snow day.'),
  createdAt: BEGAN,
  intentAt: minutes(120),
  quotaUsedBefore: 3,
} as PublishAttempt;

const media = (id: string, at: Date, caption = 'Snow day.'): PublishedMedia => ({
  id,
  caption,
  mediaType: 'VIDEO',
  productType: 'REELS',
  permalink: null,
  timestamp: at.toISOString(),
});

async function look(recent: PublishedMedia[], { used = 3, taken = [] as string[], published = [] as Date[] } = {}) {
  const publisher = {
    recentMedia: () => Promise.resolve(recent),
    quota: () => Promise.resolve({ used, total: 50, windowSeconds: 86_400 }),
  } as unknown as Publisher;
  const linked: LinkedMedia = {
    findLinked: () => Promise.resolve(new Set(taken)),
    countPublishedSince: (_account, since) => Promise.resolve(published.filter((at) => at >= since).length),
  };
  const result = await lookAtMedia.run({ attempt, container: 'FINISHED' }, { publisher, linked }, {} as StepContext);
  if (result.kind !== 'done') throw new Error(result.kind);
  return result.output;
}

describe('looking for the post on the account', () => {
  it('finds what any call of the attempt brought out, not only the last', async () => {
    expect((await look([media('early', minutes(1))])).candidates.map(({ id }) => id)).toEqual(['early']);
  });

  it('leaves out what is older, says something else or belongs to another attempt', async () => {
    const recent = [media('older', minutes(-6)), media('other', minutes(121), 'Rain.'), media('taken', minutes(121))];
    expect((await look(recent, { taken: ['taken'] })).candidates).toEqual([]);
  });

  it('explains used quota only by posts that went out after it was read', async () => {
    const published = [minutes(118)];
    expect((await look([], { used: 4, published })).unexplainedPosts).toBe(1);
    expect((await look([], { used: 4, published: [minutes(121)] })).unexplainedPosts).toBe(0);
  });
});
