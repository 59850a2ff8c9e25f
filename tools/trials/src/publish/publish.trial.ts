import { POST_KINDS } from '@autoposter/contracts';
import { progress, type TrialArguments, type TrialResult } from '../trial';
import { replaceGlobals } from '../simulation/virtual-time';
import { Episode, type EpisodeReport } from './episode';
import { NO_BUG, PLANTED_BUGS } from './planted-bugs';
import type { PlantedBug } from './product';
import { publishReal } from './real.trial';
import { VirtualServer } from './virtual-database';

const POSTS = { short: 100, planted: 600, full: 200_000, episode: 25 };
const MAX_FAILURES = 3;
/** Each seed begins two months after the one before it, and PostgreSQL reads years of four digits. */
const MAX_SEED = 47_000;

interface EpisodeRange {
  seed: number;
  posts: number;
  bug?: PlantedBug | null;
  maxFailures?: number;
}

/** Runs episodes of 25 posts, the first with `seed`, until the posts are through or some episodes have failed. */
export async function runEpisodes(
  server: VirtualServer,
  { seed, posts, bug = null, maxFailures = MAX_FAILURES }: EpisodeRange,
): Promise<EpisodeReport[]> {
  const last = seed + Math.ceil(posts / POSTS.episode) - 1;
  if (last > MAX_SEED) throw new Error(`the seeds of this run end with ${last}; the last one is ${MAX_SEED}`);
  const restore = replaceGlobals();
  const reports: EpisodeReport[] = [];
  try {
    for (let left = posts; left > 0; left -= POSTS.episode) {
      reports.push(await new Episode(server, seed + reports.length, Math.min(left, POSTS.episode), bug).run());
      const { violations = [], seed: own } = reports.at(-1) ?? {};
      // a run may be stopped before its end
      if (bug === null) for (const violation of violations) progress(`seed ${own}: ${violation}`);
      if (failed(reports) >= maxFailures) break;
      if (reports.length % 20 === 0)
        progress(`${sumOf(reports, 'posts')} of ${posts} posts, ${sumOf(reports, 'calls')} calls, ${failed(reports)} episodes failed`);
    }
  } finally {
    restore();
  }
  return reports;
}

const failed = (reports: readonly EpisodeReport[]): number => reports.filter(({ violations }) => violations.length > 0).length;

const sumOf = (reports: readonly EpisodeReport[], name: 'posts' | (typeof COUNTED)[number]): number =>
  reports.reduce((sum, report) => sum + report[name], 0);

const COUNTED = ['accounts', 'calls', 'published', 'uploaded', 'expired', 'kills', 'freezes', 'virtualHours'] as const;

/**
 * The planner, the stages `post` and `reconcile` and their repositories on a real PostgreSQL, against the simulated Instagram, in virtual time: each
 * episode draws processes, posts, people and faults from its seed. No post may be published twice, lost or left in limbo.
 */
export async function publish(args: TrialArguments): Promise<TrialResult> {
  if (args.real) return publishReal(args);
  const { n, seed, only, full, planted } = args;
  const server = await VirtualServer.start();
  try {
    if (planted) return await findPlanted(server, { seed, only, posts: n ?? POSTS.planted });
    const reports = await runEpisodes(server, { seed, posts: n ?? (full ? POSTS.full : POSTS.short) });
    const posts = sumOf(reports, 'posts');
    const kinds = Object.fromEntries(POST_KINDS.map((kind) => [kind, reports.reduce((sum, report) => sum + report.kinds[kind], 0)]));
    const facts = { ...Object.fromEntries(COUNTED.map((name) => [name, sumOf(reports, name)])), publishedAs: kinds };
    const failures = reports.flatMap(({ seed: own, violations, posts: count }) =>
      violations.map((violation) => `${violation} (npm run trial -- publish --seed ${own} --n ${count})`),
    );
    return { n: posts, failures, facts: { ...facts, failureRateBelow: 3 / posts } };
  } finally {
    await server.stop();
  }
}

/** Runs the episodes once with each planted bug, or with that of the number `only`, and with none; a bug that breaks no rule is a failure of the trial. */
async function findPlanted(
  server: VirtualServer,
  { seed, only, posts }: { seed: number; only: string | null; posts: number },
): Promise<TrialResult> {
  const bugs = PLANTED_BUGS.filter((_bug, index) => only === null || only === String(index + 1));
  const failures: string[] = [];
  const foundAfter: Record<string, number> = {};
  if (only === null || only === '0') {
    const reports = await runEpisodes(server, { seed, posts, bug: NO_BUG, maxFailures: 1 });
    failures.push(...reports.flatMap(({ seed: own, violations }) => violations.map((one) => `without a defect, seed ${own}: ${one}`)));
  }
  for (const bug of bugs) {
    const reports = await runEpisodes(server, { seed, posts, bug, maxFailures: 1 });
    const count = sumOf(reports, 'posts');
    const [violation] = reports.flatMap(({ violations }) => violations);
    progress(`${bug.name}: ${violation === undefined ? 'NOT FOUND' : `after ${count} posts: ${violation}`}`);
    if (violation === undefined) failures.push(`not found in ${count} posts: ${bug.name}`);
    else foundAfter[bug.name] = count;
  }
  return { n: bugs.length, failures, facts: { foundAfterPosts: foundAfter } };
}
