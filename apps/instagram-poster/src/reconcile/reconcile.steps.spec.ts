import type { FailureKind } from '@autoposter/contracts';
import { PipelineError, type Publisher, type PublishedMedia } from '@autoposter/domain';
import type { PublishAttempt, StageJob } from '@autoposter/persistence';
import { type StepContext } from '@autoposter/job-engine';
import { FakeDatabase, minutesFromNow, publishAttempt } from '@autoposter/testkit';
import { reconcileCommit } from './reconcile.commit';
import { checkContainer } from './steps/check-container.step';
import { type AccountLedger, checkAccountMedia, type MediaChecked } from './steps/check-account-media.step';
import { resolveOutcome, type Resolution } from './steps/resolve-outcome.step';

describe('checkContainer', () => {
  const attempt = { accountId: '17', containerId: 'c1' } as PublishAttempt;

  const look = (containerStatus: () => Promise<unknown>, of = attempt) => {
    const publisher = { accountId: '17', containerStatus } as unknown as Publisher;
    return checkContainer.run({ attempt: of }, { publisher }, {} as StepContext);
  };
  const refusing = (kind: FailureKind, code: number) => () =>
    Promise.reject(
      new PipelineError({ code: 'instagram_problem', kind, message: 'No.', side: 'instagram', nextAction: 'Wait.', detail: { code } }),
    );

  describe('the container of a lost answer', () => {
    it('returns the state of the container, or that it does not exist', async () => {
      expect(await look(() => Promise.resolve({ status: 'PUBLISHED' }))).toMatchObject({ output: { container: 'PUBLISHED' } });
      const never = () => Promise.reject(new Error('asked'));
      expect(await look(never, { ...attempt, containerId: null } as PublishAttempt)).toMatchObject({ output: { container: 'GONE' } });
      expect(await look(never, { ...attempt, accountId: '18' } as PublishAttempt)).toMatchObject({ kind: 'fail' });
    });

    it.each([
      ['not_found', 100],
      ['not_found', 24],
      ['transient', 24],
    ] as const)('continues with the account if the platform no longer shows it (%s, %i)', async (kind, code) => {
      expect(await look(refusing(kind, code))).toMatchObject({ kind: 'done', output: { container: 'UNSEEN' } });
    });

    it.each([
      ['transient', 2],
      ['rate_limited', 4],
    ] as const)('does not take another refusal for an answer (%s, %i)', async (kind, code) => {
      await expect(look(refusing(kind, code))).rejects.toMatchObject({ failure: { kind } });
    });
  });
});

describe('checkAccountMedia', () => {
  const BEGAN = new Date('2026-05-01T10:00:00Z');
  const minutes = (count: number) => new Date(BEGAN.getTime() + count * 60_000);
  /** The attempt began at ten, and its last call was two hours later. */
  const attempt = {
    accountId: '17',
    kind: 'reel',
    caption: 'Snow day.',
    createdAt: BEGAN,
    calledAt: minutes(120),
    quotaUsedBefore: 3,
    answeredMediaId: null,
    permalink: null,
  } as PublishAttempt;

  const media = (id: string, at: Date, caption = 'Snow day.'): PublishedMedia => ({
    id,
    caption,
    mediaType: 'VIDEO',
    productType: 'REELS',
    permalink: null,
    timestamp: at.toISOString(),
  });

  async function look(
    recent: PublishedMedia[],
    { used = 3, taken = [] as string[], stories = 0, published = [] as Date[], unidentified = 0, of = attempt, now = minutes(180) } = {},
  ) {
    const publisher = {
      recentMedia: () => Promise.resolve(recent.filter(({ productType }) => productType !== 'STORY')),
      stories: () => Promise.resolve(recent.filter(({ productType }) => productType === 'STORY')),
      permalink: (id: string) => Promise.resolve(`https://example.test/${id}`),
      quota: () => Promise.resolve({ used, total: 50, windowSeconds: 86_400 }),
    } as unknown as Publisher;
    const linked: AccountLedger = {
      findLinked: () => Promise.resolve(new Set(taken)),
      countUnidentified: () => Promise.resolve(unidentified),
      countStoriesBetween: () => Promise.resolve(stories),
      countPublishedSince: (_account, since) => Promise.resolve(published.filter((at) => at >= since).length),
    };
    const result = await checkAccountMedia.run({ attempt: of, container: 'FINISHED' }, { publisher, linked }, { now } as StepContext);
    if (result.kind !== 'done') throw new Error(result.kind);
    return result.output;
  }

  describe('looking for the post on the account', () => {
    it('finds the post of any call of the attempt, not only of the last', async () => {
      expect((await look([media('early', minutes(1))])).candidates.map(({ id }) => id)).toEqual(['early']);
    });

    it('leaves out what is older, says something else, has another form or belongs to another attempt', async () => {
      const picture = { ...media('picture', minutes(121)), mediaType: 'IMAGE' };
      const recent = [media('older', minutes(-24 * 60 - 1)), picture, media('other', minutes(121), 'Rain.'), media('taken', minutes(121))];
      expect((await look(recent, { taken: ['taken'] })).candidates).toEqual([]);
    });

    it('finds the post although the clock of the database is hours ahead', async () => {
      expect((await look([media('early', minutes(-600))])).candidates.map(({ id }) => id)).toEqual(['early']);
    });

    it('uses the media of an answer even if the list does not contain it', async () => {
      const of = { ...attempt, answeredMediaId: 'late' };
      expect((await look([], { of })).candidates).toMatchObject([{ id: 'late', permalink: 'https://example.test/late' }]);
    });

    it('does not let a post that leaves the rolling window hide one that was published', async () => {
      const old = media('old', minutes(120 - 24 * 60 + 10), 'Rain.');
      expect((await look([old], { used: 3 })).unexplainedPosts).toBe(1);
      expect((await look([old], { used: 2 })).unexplainedPosts).toBe(0);
      expect((await look([old], { used: 3, now: minutes(125) })).unexplainedPosts).toBe(0);
    });

    it('does not let a story that leaves the rolling window hide a post that was published', async () => {
      expect((await look([], { used: 3, stories: 1 })).unexplainedPosts).toBe(1);
    });

    it('treats every story of the account as a candidate, and no other media', async () => {
      const of = { ...attempt, kind: 'story' } as PublishAttempt;
      const story = { ...media('story', minutes(121)), caption: null, productType: 'STORY' };
      const found = await look([story, media('reel', minutes(121))], { of });
      expect([found.candidates.map(({ id }) => id), found.mayBeAnother]).toEqual([['story'], false]);
      expect(await look([story], { of, unidentified: 1 })).toMatchObject({ mayBeAnother: true });
      expect((await look([story])).candidates).toEqual([]);
    });

    it('reports that a candidate can belong to a post that a person confirmed without an id', async () => {
      expect(await look([media('one', minutes(121))], { unidentified: 1 })).toMatchObject({
        candidates: [{ id: 'one' }],
        mayBeAnother: true,
      });
    });

    it('uses only the media at the address that a person gave, with any caption', async () => {
      const of = { ...attempt, permalink: 'https://www.instagram.com/p/Cabc_-1/' };
      const at = (id: string, permalink: string) => ({ ...media(id, minutes(121), 'Edited in the app.'), permalink });
      const recent = [at('own', 'https://www.instagram.com/reel/Cabc_-1/'), media('same caption', minutes(121))];
      const found = await look(recent, { of, unidentified: 1 });
      expect([found.candidates.map(({ id }) => id), found.mayBeAnother]).toEqual([['own'], false]);
    });

    it('explains used quota only by posts that went out after it was read', async () => {
      const published = [minutes(118)];
      expect((await look([], { used: 4, published })).unexplainedPosts).toBe(1);
      expect((await look([], { used: 4, published: [minutes(121)] })).unexplainedPosts).toBe(0);
    });
  });
});

describe('resolveOutcome', () => {
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
  const attempt = { containerId: '17', calledAt: INTENT, createdAt: INTENT, absentAt: null } as PublishAttempt;
  const reportedAbsent = { ...attempt, absentAt: INTENT } as PublishAttempt;
  const seen = (change: Partial<MediaChecked>): MediaChecked => ({
    attempt,
    container: 'FINISHED',
    candidates: [],
    mayBeAnother: false,
    unexplainedPosts: 0,
    ...change,
  });
  const after = (seconds: number) => ({ now: new Date(INTENT.getTime() + seconds * 1000) }) as StepContext;

  const outcome = async (change: Partial<MediaChecked>, seconds: number): Promise<Resolution['kind'] | `wait ${number}`> => {
    const result = await resolveOutcome.run(seen(change), { reconcile }, after(seconds));
    if (result.kind === 'wait') return `wait ${result.seconds}`;
    if (result.kind !== 'done') throw new Error(result.kind);
    return result.output.kind;
  };

  describe('resolveOutcome', () => {
    it('believes one matching post at once', async () => {
      expect(await outcome({ container: 'PUBLISHED', candidates: [media('1')] }, 60)).toBe('published');
      expect(await outcome({ container: 'FINISHED', candidates: [media('1')] }, 60)).toBe('published');
    });

    it('asks a person when two posts could be it', async () => {
      expect(await outcome({ candidates: [media('1'), media('2')] }, 60)).toBe('ask-a-person');
      expect(await outcome({ candidates: [media('1')], mayBeAnother: true }, 60)).toBe('ask-a-person');
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

    it('believes the container of a post that the account does not show after half an hour, and asks no person', async () => {
      expect(await outcome({ container: 'PUBLISHED', unexplainedPosts: 1 }, 1799)).toBe('wait 1');
      expect(await outcome({ container: 'PUBLISHED', unexplainedPosts: 1 }, 1800)).toBe('published-unseen');
      expect(await outcome({ container: 'PUBLISHED', candidates: [media('1'), media('2')] }, 1800)).toBe('ask-a-person');
      expect(await outcome({ container: 'PUBLISHED', attempt: reportedAbsent }, 6000)).toBe('ask-a-person');
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

    it('publishes the same container again where an administrator reports an absent post, whatever the counters say', async () => {
      expect(await outcome({ attempt: reportedAbsent, unexplainedPosts: 1 }, 700)).toBe('publish-again');
      expect(await outcome({ attempt: reportedAbsent, unexplainedPosts: 1 }, 599)).toBe('wait 1');
      expect(await outcome({ attempt: reportedAbsent, candidates: [media('1')] }, 700)).toBe('published');
    });

    it('does not end an attempt reported as absent while its container may still be published', async () => {
      for (const container of ['PUBLISHED', 'IN_PROGRESS', 'UNSEEN'] as const)
        expect(await outcome({ attempt: reportedAbsent, container }, 700)).toBe('wait 1100');
      expect(await outcome({ attempt: reportedAbsent, container: 'UNSEEN' }, 24 * 3600)).toBe('not-published');
      expect(await outcome({ attempt: reportedAbsent, container: 'EXPIRED' }, 700)).toBe('not-published');
    });

    describe('of a story', () => {
      const story = { ...attempt, kind: 'story', answeredMediaId: null, permalink: null } as PublishAttempt;
      const one = [media('1')];

      it('believes the container, and names the media only once the list must show it and shows one', async () => {
        expect(await outcome({ attempt: story, container: 'PUBLISHED', candidates: one }, 1799)).toBe('wait 1');
        expect(await outcome({ attempt: story, container: 'PUBLISHED', candidates: one }, 1800)).toBe('published');
        expect(await outcome({ attempt: story, container: 'PUBLISHED', candidates: [...one, media('2')] }, 1800)).toBe('published-unseen');
        expect(await outcome({ attempt: story, container: 'PUBLISHED' }, 1799)).toBe('wait 1');
        expect(await outcome({ attempt: story, container: 'PUBLISHED' }, 1800)).toBe('published-unseen');
      });

      it('names no media that another story can own, nor one of another time', async () => {
        const seenOnce = { attempt: story, container: 'PUBLISHED', candidates: one } as const;
        expect(await outcome({ ...seenOnce, mayBeAnother: true }, 1800)).toBe('published-unseen');
        const at = (minutes: number) => [{ ...media('1'), timestamp: new Date(INTENT.getTime() + minutes * 60_000).toISOString() }];
        expect(await outcome({ ...seenOnce, candidates: at(59) }, 7200)).toBe('published');
        for (const minutes of [-61, 61]) expect(await outcome({ ...seenOnce, candidates: at(minutes) }, 7200)).toBe('published-unseen');
      });

      it('names no media once the account may list the story no longer, unless a person gave its address', async () => {
        const late = 23 * 3600;
        expect(await outcome({ attempt: story, container: 'PUBLISHED', candidates: one }, late - 1)).toBe('published');
        expect(await outcome({ attempt: story, container: 'PUBLISHED', candidates: one }, late)).toBe('published-unseen');
        const stated = { ...story, permalink: 'https://www.instagram.com/stories/a/17/' } as PublishAttempt;
        expect(await outcome({ attempt: stated, container: 'PUBLISHED', candidates: one }, late)).toBe('published');
      });

      it('believes no story on the account without its container, unless a person gave its address', async () => {
        for (const container of ['FINISHED', 'UNSEEN', 'IN_PROGRESS'] as const)
          expect(await outcome({ attempt: story, container, candidates: one }, 600)).toBe('ask-a-person');
        for (const container of ['ERROR', 'EXPIRED'] as const)
          expect(await outcome({ attempt: story, container, candidates: one }, 600)).toBe('not-published');
        const stated = { ...story, permalink: 'https://www.instagram.com/stories/a/17/' } as PublishAttempt;
        expect(await outcome({ attempt: stated, container: 'GONE', candidates: one }, 60)).toBe('published');
      });

      it('publishes the same container again where the account shows no story or a person reports none', async () => {
        expect(await outcome({ attempt: story }, 600)).toBe('publish-again');
        const absent = { ...story, absentAt: INTENT } as PublishAttempt;
        expect(await outcome({ attempt: absent, candidates: one }, 600)).toBe('publish-again');
      });
    });

    it('asks a person after the last look', async () => {
      expect(await outcome({ container: 'IN_PROGRESS' }, 6000)).toBe('ask-a-person');
    });

    it.each([
      [6000, '100 minutes'],
      [86_500, '24 hours'],
    ])('says after %d s for how long the account gave no answer', async (seconds, duration) => {
      const result = await resolveOutcome.run(seen({ container: 'IN_PROGRESS' }), { reconcile }, after(seconds));
      expect(result).toMatchObject({
        output: { message: `Instagram gave no certain answer within ${duration}: is the post on the account?` },
      });
    });
  });
});

describe('reconcileCommit for a post that only its container shows', () => {
  it('looks its media up later', async () => {
    const attempt = publishAttempt({ state: 'unknown', nextCheckAt: null });
    const fake = new FakeDatabase({ 'attempts.findForUpdate': attempt, 'attempts.transition': true, 'items.findForUpdate': null });
    await reconcileCommit.done(fake.uow, { attempt }, { kind: 'published-unseen' }, {} as StageJob);
    expect(fake.argsOf('attempts.patch')).toEqual([[attempt.id, { nextCheckAt: minutesFromNow(60) }]]);
  });
});

describe('reconcileCommit for a post that a person confirmed without its id', () => {
  const resolution = { kind: 'not-published', message: 'It is not in the list.' } as const;
  const look = async (hours: number) => {
    const attempt = publishAttempt({ state: 'published', mediaId: null, publishedAt: minutesFromNow(-60 * hours) });
    const fake = new FakeDatabase({ 'attempts.findForUpdate': attempt });
    await reconcileCommit.done(fake.uow, { attempt }, resolution, {} as StageJob);
    return fake.argsOf('attempts.patch')[0]?.[1];
  };

  it('looks again every hour of the first day, because the list shows a post late', async () => {
    expect(await look(1)).toEqual({ nextCheckAt: minutesFromNow(60) });
    expect(await look(25)).toEqual({ nextCheckAt: null });
  });
});
