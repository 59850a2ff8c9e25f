import { DEFAULT_SUBREDDIT_FILTERS, LIMITS } from '@autoposter/contracts';
import type { Program } from '../product/program';
import type { SeededRandom } from '../random';
import { nameOf, type Boundary, type CrashedService } from './boundaries';
import { readEffects, readItem, type Effects, type ItemFacts } from './item-facts';
import type { PlannedRun } from './plan';
import { TakeoverWatch, type Takeover } from './takeover';
import { judge } from './verdict';
import { LEASE_SECONDS, type CrashWorld } from './world';

export interface RunReport {
  killed: Boundary[];
  /** Never got there: somebody else did that part of the work. */
  missed: Boundary[];
  takeovers: Takeover[];
  wrong: string[];
  seconds: number;
}

const STAGES: Record<CrashedService, string[]> = {
  gateway: [],
  downloader: ['collect', 'download'],
  'dmca-worker': ['dmca'],
  'ai-worker': ['ai'],
  'instagram-poster': ['post', 'reconcile'],
};
const LOOK_MS = 40;
const ARRIVES_WITHIN_MS = 90_000;
/** After the item has arrived: messages are settled, processes reach their last boundary. A delivery lease runs as long as a job lease. */
const QUIET_WITHIN_MS = 12_000;
const TAKEOVER_MS = (LEASE_SECONDS + 2) * 1000;
const NO_MORE = new Set(['posted', 'failed', 'blocked', 'discarded', 'deleted']);

interface Armed {
  boundary: Boundary;
  program: Program;
  state: 'armed' | 'killed' | 'missed';
}

/** Sends one item through the whole product, kills what is to be killed on its way, and judges how it arrived. */
export async function runItem(world: CrashWorld, run: PlannedRun, number: number, random: SeededRandom, full: boolean): Promise<RunReport> {
  const startedAt = Date.now();
  const { world: outside } = world.simulators;
  const armed = await Promise.all(
    run.kills.map(async (boundary): Promise<Armed> => {
      const program = await world.arm(boundary.service, `${boundary.place}#${boundary.nth}`);
      return { boundary, program, state: 'armed' };
    }),
  );
  if (run.lostAnswer) await outside.fault('instagram-publish-lost');
  const before = await outside.ledger();
  const post = await outside.publishOn(`trial${number}x${Math.floor(random.next() * 1e6)}`, postOf(number, random, full));
  const subredditId = await subscribe(world, post.permalink);
  const watch = new TakeoverWatch(LEASE_SECONDS * 1000);
  const wrong: string[] = [];

  let facts: ItemFacts = await readItem(world.database, post.id, subredditId);
  const follow = async (): Promise<void> => {
    facts = await readItem(world.database, post.id, subredditId);
    watch.look(facts.jobs, Date.now());
    for (const one of armed) {
      if (one.state !== 'armed' || one.program.isAlive) continue;
      const ended = await one.program.ended;
      one.state = 'killed';
      if (ended.signal !== 'SIGKILL') wrong.push(`${one.boundary.service} ended by itself: ${one.program.words.slice(-800)}`);
      await succeed(world, one, ended.at, facts, watch, full && random.next() < 0.5);
    }
  };
  const lookUntil = async (met: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> => {
    for (const end = Date.now() + withinMs; Date.now() < end;) {
      await follow();
      if (await met()) return true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return false;
  };

  await lookUntil(() => NO_MORE.has(facts.state ?? '') || facts.jobs.some((job) => job.state === 'dead'), ARRIVES_WITHIN_MS);
  let effects: Effects | null = null;
  if (facts.state === 'posted' && facts.itemId !== null) {
    const { itemId } = facts;
    await lookUntil(
      async () => {
        effects = await readEffects(world.database, itemId);
        const quiet = effects.unsent === 0 && effects.undelivered === 0 && facts.jobs.every((job) => job.state === 'done');
        return quiet && armed.every((one) => one.state !== 'armed');
      },
      armed.some((one) => one.state === 'armed' && !one.boundary.place.startsWith('settle')) ? 4_000 : QUIET_WITHIN_MS,
    );
  }
  const after = await outside.ledger();
  for (const one of armed.filter(({ state }) => state === 'armed')) {
    await one.program.stop('SIGTERM');
    one.state = 'missed';
    await world.succeed(one.boundary.service, false);
  }
  if (facts.itemId !== null && effects !== null) effects = await settledEffects(world, facts.itemId, effects);
  if (run.lostAnswer) await outside.noFaults();
  wrong.push(
    ...judge({
      state: facts.state,
      jobs: facts.jobs,
      effects,
      published: after.published.filter(({ mediaId }) => before.published.every((known) => known.mediaId !== mediaId)),
      publishCalls: after.publishCalls - before.publishCalls,
    }),
    ...facts.errors.map(({ stage, message }) => `${stage}: ${message}`),
    ...watch.seen
      .filter(({ ms, bound }) => ms > bound)
      .map(({ stage, ms, bound }) => `${stage} was taken over after ${ms} ms, allowed are ${bound}`),
    ...(watch.open > 0 ? [`${watch.open} jobs were never taken over`] : []),
    ...world.fallen().map((words) => `a process is gone: ${words}`),
  );
  const of = (state: Armed['state']): Boundary[] => armed.filter((one) => one.state === state).map(({ boundary }) => boundary);
  const where = of('killed').map(nameOf).join(' + ') || 'no kill';
  return {
    killed: of('killed'),
    missed: of('missed'),
    takeovers: watch.seen.map(({ stage, ms }) => ({ stage, ms })),
    wrong: wrong.map((words) => `[${world.name} item ${number}: ${where}] ${words}`),
    seconds: (Date.now() - startedAt) / 1000,
  };
}

/** A process that stood by has the lease to wait for; one that starts anew cannot take anything before it has started. */
async function succeed(world: CrashWorld, one: Armed, at: number, facts: ItemFacts, watch: TakeoverWatch, anew: boolean): Promise<void> {
  const { service } = one.boundary;
  const note = (bound: number): void => watch.killed(facts.jobs, one.program.pid, STAGES[service], { at, bound });
  if (!anew) note(TAKEOVER_MS);
  const begun = Date.now();
  await world.succeed(service, anew);
  if (anew) note(TAKEOVER_MS + (Date.now() - begun));
}

/** What a process did that was stopped just now, its last messages included. */
async function settledEffects(world: CrashWorld, itemId: string, last: Effects): Promise<Effects> {
  let effects = last;
  for (const end = Date.now() + QUIET_WITHIN_MS; Date.now() < end && (effects.unsent > 0 || effects.undelivered > 0);) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    effects = await readEffects(world.database, itemId);
  }
  return effects;
}

const SCENES = ['hills', 'sea', 'tiles', 'lights', 'paint', 'rosette', 'animal', 'skyline'];

/** Small, so that the time goes into the way and not into the pixels; in the full form a third are clips. */
function postOf(number: number, random: SeededRandom, full: boolean): object {
  const scene = SCENES[Math.floor(random.next() * SCENES.length)];
  const title = `Number ${number}: ${scene} ${Math.floor(random.next() * 1e9).toString(36)}`;
  const picture = { type: 'image', scene, width: 480, height: 600 };
  const clip = { type: 'video', scene, width: 270, height: 480, seconds: 2, fps: 12 };
  return { title, author: `author_${number}`, score: 500, comments: 1, content: full && number % 3 === 0 ? clip : picture };
}

async function subscribe(world: CrashWorld, permalink: string): Promise<string> {
  const name = /\/r\/([^/]+)\//u.exec(permalink)?.[1] ?? '';
  const created = await world.database.unitOfWork((uow) =>
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
