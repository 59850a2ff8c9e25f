import { basename, dirname, join } from 'node:path';
import { controlRoutes } from './control/control.routes';
import { FaultInjector, type SystemName } from './control/faults';
import { environmentCredentials } from './credentials';
import { simulateGemini } from './gemini/gemini.routes';
import { simulateGoogle } from './google/google.routes';
import { simulateGroq } from './groq/groq.routes';
import type { Flavour } from './instagram/access-tokens';
import { simulateInstagram } from './instagram/instagram.system';
import { MediaGenerator } from './media/media-generator';
import { MediaLibrary } from './media/media-library';
import { mediaRoutes } from './media/media.routes';
import { DEFAULT_REDDIT_SEED, type FeedLimits, limitFeeds, type RedditSeed, simulateReddit } from './reddit/reddit.system';
import { SimulatedClock } from './server/clock';
import { CallJournal, type RunningServer, startServer, system } from './server/sim-server';

/** Environment variables with base URLs. */
export interface SimulatorUrls {
  REDDIT_AUTH_URL: string;
  REDDIT_API_URL: string;
  INSTAGRAM_LOGIN_URL: string;
  INSTAGRAM_TOKEN_URL: string;
  FACEBOOK_LOGIN_URL: string;
  INSTAGRAM_GRAPH_URL: string;
  INSTAGRAM_UPLOAD_URL: string;
  GEMINI_API_URL: string;
  GROQ_API_URL: string;
  GOOGLE_AUTHORIZATION_URL: string;
  GOOGLE_TOKEN_URL: string;
  GOOGLE_USERINFO_URL: string;
  /** Serves the media of the posts; the downloader has to allow this origin. */
  MEDIA_ORIGIN: string;
}

export interface SimulatorOptions {
  /** Contains generated media (a cache), published files and the ledger. */
  dataDir: string;
  ffmpegPath: string;
  /** Defaults to the ffprobe in ffmpeg's directory. */
  ffprobePath?: string;
  /** Defaults to free ports. */
  ports?: Partial<Record<SystemName | 'control', number>>;
  /** Address to listen on; defaults to 127.0.0.1. */
  host?: string;
  /** Host name in the URLs, for example in a container network; defaults to `host`. */
  publicHost?: string;
  /** Hosts besides loopback from which the simulated Instagram may fetch media. */
  fetchHosts?: readonly string[];
  /** Callback URLs registered with Google; defaults to every loopback URL. */
  redirectUris?: readonly string[];
  /** Login product that issued the Instagram token. */
  flavour?: Flavour;
  seed?: RedditSeed;
  feedLimits?: FeedLimits;
}

export interface RunningSimulators {
  urls: SimulatorUrls;
  credentials: Record<string, string>;
  controlUrl: string;
  /** OpenID issuer; the discovery document is below it. */
  issuerUrl: string;
  close(): Promise<void>;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Starts all simulated systems, each on a port of its own. */
export async function startSimulators(options: SimulatorOptions): Promise<RunningSimulators> {
  const { dataDir, ffmpegPath, ports = {}, host = '127.0.0.1', flavour = 'facebook' } = options;
  const publicHost = options.publicHost ?? host;
  const origins = new Map<string, string>();
  const originOf = (name: SystemName): string => origins.get(name) ?? '';
  const clock = new SimulatedClock();
  const faults = new FaultInjector();
  const journal = new CallJournal(clock);
  const library = new MediaLibrary();
  const ffprobePath = options.ffprobePath ?? siblingProbe(ffmpegPath);
  const seed = limitFeeds(options.seed ?? DEFAULT_REDDIT_SEED, options.feedLimits ?? {});
  const reddit = simulateReddit(library, clock, seed, () => originOf('media'));
  const instagram = simulateInstagram({
    dataDir,
    ffprobePath,
    library,
    clock,
    allowedHosts: new Set([...LOOPBACK, publicHost, ...(options.fetchHosts ?? [])]),
    mediaOrigin: () => originOf('media'),
    uploadOrigin: () => originOf('instagram-upload'),
  });
  const gemini = simulateGemini({ clock, ffprobePath, dataDir: join(dataDir, 'gemini') });
  const groq = simulateGroq(clock);
  const google = simulateGoogle(clock, options.redirectUris ?? []);
  const media = system('media', mediaRoutes(library, new MediaGenerator(join(dataDir, 'media'), ffmpegPath)));
  const simulations = { reddit, instagram, gemini, groq, google };
  const running: RunningServer[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.close()));
  };
  try {
    for (const each of [media, ...Object.values(simulations).flatMap(({ systems }) => systems)]) {
      const server = await startServer({ ...each, host, publicHost, port: ports[each.name] ?? 0, faults, journal });
      running.push(server);
      origins.set(each.name, server.origin);
    }
    const settings = Object.fromEntries(Object.entries(simulations).map(([name, simulation]) => [name, simulation.settings]));
    const resetSystems = (): void => Object.values(simulations).forEach((simulation) => simulation.reset());
    const routes = controlRoutes({ faults, journal, clock, reddit, instagram, settings, resetSystems });
    const controlSystem = system('control', routes, { bodyLimitBytes: 20_000_000 });
    const control = await startServer({ ...controlSystem, host, publicHost, port: ports.control ?? 0, faults: null, journal: null });
    running.push(control);
    return {
      urls: urlsOf(originOf),
      credentials: environmentCredentials(flavour),
      controlUrl: control.origin,
      issuerUrl: originOf('google'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function urlsOf(originOf: (name: SystemName) => string): SimulatorUrls {
  return {
    REDDIT_AUTH_URL: originOf('reddit-auth'),
    REDDIT_API_URL: originOf('reddit-api'),
    INSTAGRAM_LOGIN_URL: originOf('instagram-graph'),
    INSTAGRAM_TOKEN_URL: originOf('instagram-graph'),
    FACEBOOK_LOGIN_URL: originOf('instagram-graph'),
    INSTAGRAM_GRAPH_URL: originOf('instagram-graph'),
    INSTAGRAM_UPLOAD_URL: originOf('instagram-upload'),
    GEMINI_API_URL: originOf('gemini'),
    GROQ_API_URL: originOf('groq'),
    GOOGLE_AUTHORIZATION_URL: `${originOf('google')}/o/oauth2/v2/auth`,
    GOOGLE_TOKEN_URL: `${originOf('google')}/token`,
    GOOGLE_USERINFO_URL: `${originOf('google')}/v1/userinfo`,
    MEDIA_ORIGIN: originOf('media'),
  };
}

function siblingProbe(ffmpegPath: string): string {
  const name = basename(ffmpegPath).replace('ffmpeg', 'ffprobe');
  return ffmpegPath.includes('/') ? join(dirname(ffmpegPath), name) : name;
}
