import { CREDENTIALS } from '../credentials';
import type { MediaLibrary } from '../media/media-library';
import type { SimulatedClock } from '../server/clock';
import { system, type SimulatedSystem } from '../simulated-system';
import { apiRoutes } from './api.routes';
import type { CommunitySeed, PostSeed } from './post-seed';
import { notFound } from './refusals';
import { RequestBudget } from './request-budget';
import { RedditWorld } from './reddit-world';
import { AWW } from './seed/aww.seed';
import { EARTH } from './seed/earthporn.seed';
import { COMMUNITIES, EVERY_KIND } from './seed/every-kind.seed';
import { ODDLY_SATISFYING } from './seed/oddlysatisfying.seed';
import { TokenDesk, type RedditClient } from './token-desk';
import { wwwRoutes } from './www.routes';

export interface RedditSeed {
  communities: readonly CommunitySeed[];
  /** Posts by community. */
  posts: Readonly<Record<string, readonly PostSeed[]>>;
}

export const DEFAULT_REDDIT_SEED: RedditSeed = {
  communities: COMMUNITIES,
  posts: { oddlysatisfying: ODDLY_SATISFYING, EarthPorn: EARTH, aww: AWW, everykind: EVERY_KIND },
};

const CLIENTS: readonly RedditClient[] = [
  { id: CREDENTIALS.redditClientId, secret: CREDENTIALS.redditClientSecret, kind: 'confidential' },
  {
    id: 'sim-reddit-script',
    secret: 'sim-reddit-script-secret',
    kind: 'script',
    owner: { username: 'autoposter_demo', password: 'sim-password' },
  },
  { id: 'sim-reddit-installed', secret: '', kind: 'installed' },
];

export interface RedditSimulation {
  world: RedditWorld;
  desk: TokenDesk;
  /** `requestLimit` calls per 600 s for reading, `tokenLimit` for tokens. */
  settings: { requestLimit: number; tokenLimit: number };
  systems: SimulatedSystem[];
  reset(): void;
}

export function simulateReddit(
  library: MediaLibrary,
  clock: SimulatedClock,
  seed: RedditSeed,
  mediaOrigin: () => string,
): RedditSimulation {
  const world = new RedditWorld(library, clock);
  const desk = new TokenDesk(clock);
  const reading = new RequestBudget(clock, 1_000);
  const exchanging = new RequestBudget(clock, 300);
  plant(world, seed);
  return {
    world,
    desk,
    settings: limits(reading, exchanging),
    systems: [
      system('reddit-auth', wwwRoutes({ world, clients: CLIENTS, desk, budget: exchanging }), { notFound }),
      system('reddit-api', apiRoutes({ world, desk, budget: reading, clock, mediaOrigin }), { notFound }),
    ],
    reset: () => {
      reading.limit = 1_000;
      exchanging.limit = 300;
      reading.reset();
      exchanging.reset();
    },
  };
}

/** Crossposts come last, so that their origins are there. */
function plant(world: RedditWorld, seed: RedditSeed): void {
  seed.communities.forEach((community) => world.addCommunity(community));
  for (const late of [false, true]) {
    for (const [community, posts] of Object.entries(seed.posts)) {
      posts.filter(({ content }) => (content.type === 'crosspost') === late).forEach((post) => world.addPost(community, post));
    }
  }
}

function limits(reading: RequestBudget, exchanging: RequestBudget): RedditSimulation['settings'] {
  return {
    get requestLimit() {
      return reading.limit;
    },
    set requestLimit(value) {
      reading.limit = value;
    },
    get tokenLimit() {
      return exchanging.limit;
    },
    set tokenLimit(value) {
      exchanging.limit = value;
    },
  };
}
