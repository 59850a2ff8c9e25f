import type { PublishedMedia } from '@autoposter/domain';
import type { PublishAttempt } from '@autoposter/persistence';
import type { StepContext } from '@autoposter/job-engine';
import type { Seen } from './look-at-media.step';
import { settle, type Settlement } from './settle.step';

const INTENT = new Date('2026-05-01T10:00:00Z');
const reconcile = { looksAtSeconds: [60, 180, 600, 1800, 5400], believeAbsentAfterSeconds: 600 };
const media = (id: string): PublishedMedia => ({
  id,
  caption: 'c',
  mediaType: 'VIDEO',
  productType: 'REELS',
  permalink: null,
  timestamp: INTENT.toISOString(),
});
const attempt = { containerId: '17', intentAt: INTENT, createdAt: INTENT } as PublishAttempt;
const seen = (change: Partial<Seen>): Seen => ({ attempt, container: 'FINISHED', candidates: [], unexplainedPosts: 0, ...change });
const after = (seconds: number) => ({ now: new Date(INTENT.getTime() + seconds * 1000) }) as StepContext;

const outcome = async (change: Partial<Seen>, seconds: number): Promise<Settlement['kind'] | `wait ${number}`> => {
  const result = await settle.run(seen(change), { reconcile }, after(seconds));
  if (result.kind === 'wait') return `wait ${result.seconds}`;
  if (result.kind !== 'done') throw new Error(result.kind);
  return result.output.kind;
};

describe('settle', () => {
  it('believes one matching post at once', async () => {
    expect(await outcome({ container: 'PUBLISHED', candidates: [media('1')] }, 60)).toBe('published');
    expect(await outcome({ container: 'FINISHED', candidates: [media('1')] }, 60)).toBe('published');
  });

  it('asks a person when two posts could be it', async () => {
    expect(await outcome({ candidates: [media('1'), media('2')] }, 60)).toBe('ask-a-person');
  });

  it('never believes in absence early, and waits for the next look', async () => {
    expect(await outcome({}, 60)).toBe('wait 120');
    expect(await outcome({ container: 'EXPIRED' }, 599)).toBe('wait 1');
  });

  it('publishes the same container again only after ten minutes, when no post is unexplained and a finished container', async () => {
    expect(await outcome({}, 600)).toBe('publish-again');
    expect(await outcome({ unexplainedPosts: 1 }, 600)).toBe('wait 1200');
    expect(await outcome({ container: 'IN_PROGRESS' }, 600)).toBe('wait 1200');
    expect(await outcome({ container: 'PUBLISHED' }, 600)).toBe('wait 1200');
  });

  it('gives up an attempt whose container is gone', async () => {
    expect(await outcome({ container: 'ERROR' }, 700)).toBe('not-published');
    expect(await outcome({ container: 'EXPIRED' }, 700)).toBe('not-published');
    expect(await outcome({ container: 'GONE' }, 700)).toBe('not-published');
  });

  it('never takes a container that the platform does not show any more for proof that nothing is out', async () => {
    expect(await outcome({ container: 'UNSEEN', candidates: [media('1')] }, 60)).toBe('published');
    expect(await outcome({ container: 'UNSEEN' }, 700)).toBe('wait 1100');
    expect(await outcome({ container: 'UNSEEN' }, 6000)).toBe('ask-a-person');
  });

  it('asks a person after the last look', async () => {
    expect(await outcome({ container: 'PUBLISHED' }, 6000)).toBe('ask-a-person');
  });
});
