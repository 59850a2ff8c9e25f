import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { api } from '@autoposter/contracts';
import { startEmbeddedPostgres, temporaryFolder } from '@autoposter/testkit';
import { LEASE_SECONDS } from '../product/fast-product';
import { progress, SeededRandom, type TrialArguments, type TrialResult } from '../trial';
import { auditReal, type QueuedPost, readRecords, type RealVerdict } from './real-audit';
import { bundleWith, REAL_DEFECTS } from './real-defects';
import { type Place, RealProduct } from './real-product';

const POSTS = { short: 20, full: 5_000, planted: 100 };
/** An account publishes one post after the other, so that long runs use several at the same time. */
const POSTS_PER_ACCOUNT = 10;
const MAX_ACCOUNTS = 5;
/** Time for a post on a busy machine, with its disturbances. */
const MS_PER_POST = 20_000;
const REST_MS = 180_000;
/** Where a publishing worker kills itself: around the stored intent, the call and the stored answer. */
const BOUNDARIES = ['intent', 'call', 'answer'].flatMap((label) => [`${label}:before`, `${label}:after`]);
const ENDS: readonly (string | object)[] = [
  ...['instagram-publish-lost-spam', 'instagram-publish-lost', 'instagram-publish-lost-500', 'instagram-publish-lost-transient'],
  ...['instagram-publish-lost-id', 'instagram-publish-cut'],
  {
    match: { system: 'instagram-graph', method: 'POST', path: 'media_publish', times: 1 },
    ...{ cut: true, when: 'after', behaviour: 'publish_late_6' },
  },
];

interface Counts {
  kills: number;
  atBoundary: Record<string, number>;
  freezes: number;
  faults: number;
  answers: number;
  retries: number;
  resumes: number;
}

interface RealSetup {
  posts: number;
  seed: number;
  /** Root of a copied workspace with a defect in the publishing worker; the run ends when the defect is found. */
  defective?: string;
}

/** Real publishes over HTTP by processes that are killed and frozen; every post must be on the account exactly once. */
export async function publishReal({ n, seed, full, planted, only }: TrialArguments): Promise<TrialResult> {
  if (planted) return findDefects({ posts: n ?? POSTS.planted, seed }, only);
  return runReal({ posts: n ?? (full ? POSTS.full : POSTS.short), seed });
}

/** Runs once with each defect, or with that of the id `only`; a defect that breaks no rule is a failure of the trial. */
async function findDefects(setup: RealSetup, only: string | null): Promise<TrialResult> {
  const chosen = REAL_DEFECTS.filter(({ id }) => only === null || only === id);
  if (chosen.length === 0) throw new Error(`there is no defect ${only}; known are ${REAL_DEFECTS.map(({ id }) => id).join(', ')}`);
  const failures: string[] = [];
  const found: Record<string, string> = {};
  for (const planted of chosen) {
    const copy = bundleWith(planted);
    const { failures: broken } = await runReal({ ...setup, defective: copy }).finally(() => rmSync(copy, { recursive: true, force: true }));
    progress(`${planted.defect}: ${broken[0] ?? 'NOT FOUND'}`);
    if (broken[0] === undefined) failures.push(`not found in ${setup.posts} posts: ${planted.defect}`);
    else found[planted.id] = broken[0];
  }
  return { n: chosen.length, failures, facts: { found } };
}

async function runReal({ posts, seed, defective }: RealSetup): Promise<TrialResult> {
  const folder = temporaryFolder('trial-publish');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres();
  try {
    const accounts = Math.min(MAX_ACCOUNTS, Math.ceil(posts / POSTS_PER_ACCOUNT));
    const product = await RealProduct.start(postgres, folder, accounts, defective);
    try {
      return await new RealRun(product, new SeededRandom(seed), { posts, accounts, endsWhenBroken: defective !== undefined }).run();
    } finally {
      await product.stop();
    }
  } finally {
    await postgres.stop();
  }
}

interface RunPlan {
  posts: number;
  /** They publish at the same time. */
  accounts: number;
  /** What is published twice, called without a record or not noticed on the account stays so: the run ends with the first. */
  endsWhenBroken: boolean;
}

class RealRun {
  private readonly counts: Counts = { kills: 0, atBoundary: {}, freezes: 0, faults: 0, answers: 0, retries: 0, resumes: 0 };
  private isOver = false;
  /** Posts that are recorded as posted. */
  private done = 0;
  /** Publishing workers that will kill themselves at a boundary. */
  private readonly armed = new Map<Place, string>();
  private readonly pending = new Set<Promise<void>>();
  /** What prevents the trial from continuing. */
  private readonly problems: string[] = [];
  private readonly queued = new Map<string, QueuedPost>();

  constructor(
    private readonly product: RealProduct,
    private readonly random: SeededRandom,
    private readonly plan: RunPlan,
  ) {}

  async run(): Promise<TrialResult> {
    const { counts, product, problems } = this;
    const { posts } = this.plan;
    const accounts = await product.connectAccounts(this.plan.accounts);
    progress(`${accounts.length} accounts are connected`);
    const endMs = Date.now() + posts * MS_PER_POST + REST_MS;
    const tasks = [product.queuePosts(posts, accounts, this.queued), this.disturb(), this.spoilAnswers()].map((task) =>
      this.noteProblem(task),
    );
    const atRest = await this.attendUntilRest(endMs);
    this.isOver = true;
    await Promise.all([...tasks, ...this.pending]);
    if (problems.length > 0) return { n: posts, failures: problems, facts: { ...counts } };
    const { failures, ...verdict } = await this.audit();
    if (!atRest) failures.unshift('not every post came to an end in time');
    const bound = { boundAt95Percent: `${((3 / posts) * 100).toFixed(2)} %` };
    return { n: posts, failures, facts: { ...verdict, ...counts, ...bound } };
  }

  private noteProblem(task: Promise<void>): Promise<void> {
    return task.catch((error: unknown) => void this.problems.push(String(error)));
  }

  private async audit(): Promise<RealVerdict> {
    const { published, callsOf } = await this.product.simulators.control.ledger();
    return auditReal({ ...(await readRecords(this.product.database)), published, callsOf }, this.queued);
  }

  /** Kills or freezes a process every one to three seconds. */
  private async disturb(): Promise<void> {
    while (!this.isOver) {
      await sleep(1_000 + this.random.next() * 2_000);
      this.noticeOwnDeaths();
      const free = this.product.places.filter((place) => this.mayDisturb(place));
      const place = free[Math.floor(this.random.next() * free.length)];
      const [kind, boundary] = [this.random.next(), BOUNDARIES[Math.floor(this.random.next() * BOUNDARIES.length)] ?? null];
      if (place === undefined || this.isOver) continue;
      if (kind < 0.35) this.start(place, () => this.freeze(place, (LEASE_SECONDS + 1 + kind * 10) * 1000));
      else this.start(place, () => this.kill(place, place.service === 'instagram-poster' && kind < 0.85 ? boundary : null));
    }
  }

  /** One process of each service is left to work, and one that is to end at a boundary gets there. */
  private mayDisturb(place: Place): boolean {
    const isIdle = this.product.places.every(({ service, isBusy }) => service !== place.service || !isBusy);
    return isIdle && !this.armed.has(place);
  }

  /** A process that reached its boundary is replaced. */
  private noticeOwnDeaths(): void {
    const { program } = this.product.simulators;
    if (!program.isAlive) this.problems.push(`the simulators ended: ${program.output.slice(-2000)}`);
    for (const place of this.product.places.filter(({ isBusy, program }) => !isBusy && !program.isAlive)) {
      const armed = this.armed.get(place);
      if (armed === undefined) this.problems.push(`${place.service} ended unexpectedly: ${place.program.output.slice(-500)}`);
      else this.counts.atBoundary[armed] = (this.counts.atBoundary[armed] ?? 0) + 1;
      this.armed.delete(place);
      this.start(place, () => this.product.restart(place, null));
    }
  }

  private start(place: Place, act: () => Promise<void>): void {
    place.isBusy = true;
    const done = this.noteProblem(act()).finally(() => {
      place.isBusy = false;
      this.pending.delete(done);
    });
    this.pending.add(done);
  }

  private async freeze({ program }: Place, ms: number): Promise<void> {
    this.counts.freezes += 1;
    program.send('SIGSTOP');
    await sleep(ms);
    program.send('SIGCONT');
  }

  /** Its replacement kills itself at the boundary, if there is one. */
  private async kill(place: Place, boundary: string | null): Promise<void> {
    this.counts.kills += 1;
    await this.product.restart(place, boundary);
    if (boundary === null) this.armed.delete(place);
    else this.armed.set(place, boundary);
  }

  /** For every other post, the publish call that comes next takes effect without the answer of a success, or later. */
  private async spoilAnswers(): Promise<void> {
    const { control } = this.product.simulators;
    while (!this.isOver) {
      await sleep(1_000);
      const fault = ENDS[Math.floor(this.random.next() * ENDS.length)];
      if (fault === undefined || this.isOver || this.counts.faults > this.done / 2) continue;
      await control.addFault(fault);
      this.counts.faults += 1;
    }
    await control.clearFaults();
  }

  /** A person who resumes publishing, retries what failed and answers questions by what the account shows. */
  private async attendUntilRest(endMs: number): Promise<boolean> {
    const { product, counts } = this;
    const queue = api.instagramQueue;
    for (let round = 0; Date.now() < endMs; round += 1) {
      await sleep(1_000);
      if (this.problems.length > 0) return false;
      if (this.plan.endsWhenBroken) {
        const { publishedTwice, unrecorded, unnoticed } = await this.audit();
        if (publishedTwice + unrecorded + unnoticed > 0) return true;
      }
      const { posts, attempts } = await readRecords(product.database);
      this.done = posts.filter(({ state }) => state === 'posted').length;
      if (round % 15 === 0) progress(`${this.done} of ${this.queued.size} posts; ${JSON.stringify(counts)}`);
      if (this.done === this.plan.posts && attempts.every(({ state }) => ['published', 'failed', 'abandoned'].includes(state))) return true;
      await this.resumePublishing();
      // a long list, which only questions need
      const shown = posts.some(({ isQuestion }) => isQuestion) ? await product.simulators.control.published() : [];
      for (const { itemId, queueItemId, isQuestion, status, state } of posts) {
        if (queueItemId === null) continue;
        if (isQuestion) {
          const captions = attempts.filter((attempt) => attempt.itemId === itemId).map(({ caption }) => caption);
          const found = shown.find(({ caption }) => captions.includes(caption ?? ''));
          counts.answers += 1;
          const answer = found === undefined ? { outcome: 'absent' } : { outcome: 'live', mediaId: found.mediaId };
          await product.request('POST', queue.settle.path.replace(':id', queueItemId), answer);
        } else if (status === 'failed' && state === 'ready') {
          counts.retries += 1;
          await product.request('POST', queue.retry.path.replace(':id', queueItemId));
        }
      }
    }
    return false;
  }

  private async resumePublishing(): Promise<void> {
    for (const { id, publishing } of await this.product.accounts()) {
      if (!publishing.paused) continue;
      this.counts.resumes += 1;
      await this.product.request('POST', api.instagramAccounts.resume.path.replace(':id', id));
    }
  }
}
