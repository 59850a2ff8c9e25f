import { allRoutes, api } from '../api/routes';
import type { Route } from '../api/route';
import { errorResponseSchema } from '../api/envelope.api';
import { liveFactSchema } from '../api/live.api';
import { LIMITS } from '../limits';
import { allTopics, topics } from '../topics';
import { STAGES } from '../stages/stages';
import { apiSamples, type CallSample } from './api.sample';
import { errorSample } from './items.sample';
import { liveFactSample } from './system.sample';
import { deadLetterSample, factSample, stageRequestSample } from './system.sample';

const calls = Object.entries(api).flatMap(([resource, table]) =>
  Object.entries(table as Record<string, Route>).map(([call, route]) => {
    const samples = apiSamples[resource as keyof typeof apiSamples] as Record<string, CallSample>;
    return { name: `${resource}.${call}`, route, sample: samples[call] ?? {} };
  }),
);
const PARTS = ['params', 'query', 'body', 'response'] as const;

describe('samples of the HTTP API', () => {
  it.each(calls)('$name: every schema accepts its sample and has one', ({ route, sample }) => {
    for (const part of PARTS) {
      const schema = route[part];
      expect({ part, has: schema !== undefined }).toEqual({ part, has: sample[part] !== undefined });
      if (schema) expect(schema.parse(sample[part])).toBeDefined();
    }
  });

  it.each(calls.filter(({ route }) => route.body && route.body.safeParse({}).success))(
    '$name: a missing body takes the defaults, a foreign field is refused',
    ({ route }) => {
      expect(route.body?.safeParse({ foreign: 1 }).success).toBe(false);
    },
  );

  it('accepts the sample of a failure and of a live fact', () => {
    expect(errorResponseSchema.parse(errorSample)).toEqual(errorSample);
    expect(liveFactSchema.parse(liveFactSample)).toEqual(liveFactSample);
  });
});

describe('the table of routes', () => {
  it('has each method and path once', () => {
    const names = allRoutes.map((route) => `${route.method} ${route.path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('declares fixed paths before the ones with a parameter in the same place', () => {
    for (const [index, route] of allRoutes.entries()) {
      const shape = new RegExp(`^${route.path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u');
      const hidden = allRoutes.slice(index + 1).filter((later) => later.method === route.method && shape.test(later.path));
      expect(hidden.map((later) => later.path)).toEqual([]);
    }
  });
});

describe('limits', () => {
  const { instagramQueue, subreddits, ai } = api;

  it.each([
    [
      'refuses an interval below the limit',
      subreddits.create.body,
      { name: 'aww', interval: LIMITS.subreddit.intervalMinutes.min - 1 },
      false,
    ],
    ['accepts the shortest interval', subreddits.create.body, { name: 'aww', interval: LIMITS.subreddit.intervalMinutes.min }, true],
    ['accepts the longest interval', subreddits.create.body, { name: 'aww', interval: LIMITS.subreddit.intervalMinutes.max }, true],
    [
      'refuses an interval above the limit',
      subreddits.create.body,
      { name: 'aww', interval: LIMITS.subreddit.intervalMinutes.max + 1 },
      false,
    ],
    [
      'refuses more posts than the limit',
      subreddits.create.body,
      { name: 'aww', postsToFetch: LIMITS.subreddit.postsToFetch.max + 1 },
      false,
    ],
    [
      'refuses a queue interval below the limit',
      instagramQueue.setInterval.body,
      { intervalMinutes: LIMITS.queue.intervalMinutes.min - 1 },
      false,
    ],
    ['accepts the shortest queue interval', instagramQueue.setInterval.body, { intervalMinutes: LIMITS.queue.intervalMinutes.min }, true],
    [
      'refuses a random delay above the limit',
      instagramQueue.setRandomization.body,
      { enabled: true, maxDelayMinutes: LIMITS.queue.maxDelayMinutes.max + 1 },
      false,
    ],
    ['refuses a priority above the limit', instagramQueue.setPriority.body, { priority: LIMITS.queue.priority.max + 1 }, false],
    ['accepts the longest caption', ai.updateCaption.body, { caption: 'a'.repeat(LIMITS.caption.maxCharacters) }, true],
    ['refuses a longer caption', ai.updateCaption.body, { caption: 'a'.repeat(LIMITS.caption.maxCharacters + 1) }, false],
    ['accepts hashtags of other scripts', ai.updateCaption.body, { caption: 'a', hashtags: ['#a', 'b_1', 'हिंदी', '日本', 'é'] }, true],
    [
      'accepts 30 hashtags, as many as an installation may set',
      ai.updateCaption.body,
      { caption: 'a', hashtags: Array(30).fill('a') },
      true,
    ],
    ['refuses 31 hashtags', ai.updateCaption.body, { caption: 'a', hashtags: Array(31).fill('a') }, false],
    ['accepts the longest hashtag', ai.updateCaption.body, { caption: 'a', hashtags: [`#${'a'.repeat(100)}`] }, true],
    ['refuses a hashtag with other characters', ai.updateCaption.body, { caption: 'a', hashtags: ['evil.com'] }, false],
    ['refuses a hashtag with an invisible character', ai.updateCaption.body, { caption: 'a', hashtags: ['a\u200b'] }, false],
    ['refuses a hashtag of digits', ai.updateCaption.body, { caption: 'a', hashtags: ['2024'] }, false],
    ['refuses a longer hashtag', ai.updateCaption.body, { caption: 'a', hashtags: ['a'.repeat(101)] }, false],
    ['refuses a blank caption', ai.updateCaption.body, { caption: '   ' }, false],
    [
      'refuses an impossible time of day',
      instagramQueue.setTimeBlocking.body,
      { enabled: true, startTime: '24:00', endTime: '06:00' },
      false,
    ],
    [
      'refuses an unknown time zone',
      instagramQueue.setTimeBlocking.body,
      { enabled: true, startTime: '23:00', endTime: '06:00', timeZone: 'Mars/One' },
      false,
    ],
  ])('%s', (_name, schema, value, accepted) => {
    expect(schema.safeParse(value).success).toBe(accepted);
  });

  it.each(['r/EarthPorn', '/r/EarthPorn', 'https://www.reddit.com/r/EarthPorn/', 'EarthPorn'])('reads the name in %s', (name) => {
    expect(subreddits.create.body.parse({ name }).name).toBe('EarthPorn');
  });

  it.each(['a', 'two words', '_x_', 'x'.repeat(22), ''])('refuses the name "%s"', (name) => {
    expect(subreddits.create.body.safeParse({ name }).success).toBe(false);
  });

  it('comes back only to a path of the admin pages', () => {
    expect(api.auth.signIn.query.safeParse({ returnTo: '//evil.example/admin' }).success).toBe(false);
    expect(api.auth.signIn.query.safeParse({ returnTo: '/admin/urls?status=failed' }).success).toBe(true);
  });
});

describe('topics', () => {
  it('accept their samples', () => {
    for (const stage of STAGES) {
      expect(topics.requested[stage].schema.parse(stageRequestSample(stage))).toBeDefined();
      expect(topics.dead[stage].schema.parse(deadLetterSample(stage))).toBeDefined();
    }
    expect(topics.facts.schema.parse(factSample)).toEqual(factSample);
  });

  it('have each name once and one stage per request', () => {
    expect(new Set(allTopics.map((topic) => topic.name)).size).toBe(allTopics.length);
    expect(allTopics.flatMap((topic) => topic.stage ?? []).sort()).toEqual([...STAGES].sort());
  });
});
