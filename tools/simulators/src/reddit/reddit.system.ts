import { CREDENTIALS } from '../credentials';
import type { MediaLibrary } from '../media/media-library';
import type { SimulatedClock } from '../server/clock';
import { RequestWindow } from '../server/limits';
import { type Simulation, system } from '../server/sim-server';
import { apiRoutes } from './api.routes';
import { notFound, type RedditClient, TokenStore, WINDOW_MS } from './client-access';
import { type CommunitySeed, type PostSeed, RedditStore } from './reddit-content';
import { AWW, EARTH, ODDLY_SATISFYING } from './seed/feeds.seed';
import { COMMUNITIES, EVERY_KIND } from './seed/every-kind.seed';
import { wwwRoutes } from './www.routes';

export interface RedditSeed {
  communities: readonly CommunitySeed[];
  posts: Readonly<Record<string, readonly PostSeed[]>>;
}

export const DEFAULT_REDDIT_SEED: RedditSeed = {
  communities: COMMUNITIES,
  posts: { oddlysatisfying: ODDLY_SATISFYING, EarthPorn: EARTH, aww: AWW, everykind: EVERY_KIND },
};

/** Limits of the feeds, for tests that need an item of each kind rather than many: encoding takes most of their CPU time. */
export interface FeedLimits {
  /** In seconds. */
  longestVideo?: number;
  /** In each subreddit, except among posts with a key, which tests choose. */
  postsOfKind?: number;
}

/** A post without a score is a kind of its own, because the default filters skip it. */
export function limitFeeds(seed: RedditSeed, { longestVideo = Infinity, postsOfKind = Infinity }: FeedLimits): RedditSeed {
  const shorten = ({ content, ...post }: PostSeed): PostSeed => ({
    ...post,
    content: content.type === 'video' ? { ...content, seconds: Math.min(content.seconds, longestVideo) } : content,
  });
  const select = (posts: readonly PostSeed[]): PostSeed[] => {
    const counts = new Map<string, number>();
    return posts.filter(({ key, content, score }) => {
      const kind = `${content.type} ${score === 0}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return key !== undefined || (counts.get(kind) ?? 0) <= postsOfKind;
    });
  };
  const posts = Object.entries(seed.posts).map(([name, all]) => [name, select(all).map(shorten)] as const);
  return { ...seed, posts: Object.fromEntries(posts) };
}

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

/** Requests per 600 s to the read API and to the token endpoint, and the answer (302 or 404) to a listing of an unknown subreddit. */
const DEFAULTS = { requestLimit: 1_000, tokenLimit: 300, unknownSubredditStatus: 302 };

export interface RedditSimulation extends Simulation<typeof DEFAULTS> {
  store: RedditStore;
  tokens: TokenStore;
  mediaOrigin(): string;
}

export function simulateReddit(
  library: MediaLibrary,
  clock: SimulatedClock,
  seed: RedditSeed,
  mediaOrigin: () => string,
): RedditSimulation {
  const settings = { ...DEFAULTS };
  const store = new RedditStore(library, clock);
  const tokens = new TokenStore(clock);
  const reading = new RequestWindow(clock, WINDOW_MS, () => settings.requestLimit);
  const exchanging = new RequestWindow(clock, WINDOW_MS, () => settings.tokenLimit);
  seedStore(store, seed);
  return {
    store,
    tokens,
    mediaOrigin,
    settings,
    systems: [
      system('reddit-auth', wwwRoutes({ store, clients: CLIENTS, tokens, budget: exchanging }), { notFound }),
      system('reddit-api', apiRoutes({ store, tokens, budget: reading, settings, clock, mediaOrigin }), { notFound }),
    ],
    reset: () => {
      Object.assign(settings, DEFAULTS);
      reading.reset();
      exchanging.reset();
    },
  };
}

/** Adds crossposts last, because they reference their originals. */
function seedStore(store: RedditStore, seed: RedditSeed): void {
  seed.communities.forEach((community) => store.addCommunity(community));
  for (const late of [false, true]) {
    for (const [community, posts] of Object.entries(seed.posts)) {
      posts.filter(({ content }) => (content.type === 'crosspost') === late).forEach((post) => store.addPost(community, post));
    }
  }
}
