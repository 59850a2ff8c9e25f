import { ITEM_STAGES, PUBLISH_STAGE } from '@autoposter/contracts';
import type { PublishedMedia } from '@autoposter/testkit';
import type { Effects, JobFacts } from './item-facts';

/** The state of an item at its end or after the timeout. */
export interface Outcome {
  state: string | null;
  jobs: readonly JobFacts[];
  effects: Effects | null;
  /** Media published on the simulated platform while the item was processed. */
  published: readonly PublishedMedia[];
  publishCalls: number;
}

/** A broken guarantee. */
export interface CaseFailure {
  message: string;
  /** An overloaded machine can cause it: used-up attempts and late takeovers, never doubled effects. */
  byLoad: boolean;
}

/** Facts that must be committed exactly once. */
const ONCE = [...[...ITEM_STAGES, PUBLISH_STAGE].map((stage) => `${stage}.completed`), 'item.queued'];

/** Every broken guarantee; empty when the item was posted exactly once without leftovers. */
export function assess({ state, jobs, effects, published, publishCalls }: Outcome): CaseFailure[] {
  const failures: CaseFailure[] = [];
  const require = (met: boolean, failure: string): void => void (met || failures.push({ message: failure, byLoad: false }));
  if (state !== 'posted' || effects === null) {
    const open = jobs.filter((job) => job.state !== 'done').map((job) => `${job.stage} is ${job.state}, attempt ${job.attempts}`);
    const message = `lost: it ended in state ${state ?? 'none'}${open.length > 0 ? ` (${open.join('; ')})` : ''}`;
    return [{ message, byLoad: jobs.some((job) => job.state === 'dead') }];
  }
  const live = effects.attempts.filter((attempt) => attempt.state === 'published');
  const own = published.filter(({ caption }) => live.some((attempt) => attempt.caption === caption));
  require(published.length === 1, `${published.length} posts were published instead of one`);
  require(publishCalls === 1, `media_publish was called ${publishCalls} times`);
  require(effects.attempts.length === 1 && live.length === 1, `attempts: ${effects.attempts.map((attempt) => attempt.state).join(', ')}`);
  require(own.length === 1 && own[0]?.mediaId === live[0]?.mediaId, 'the database records another media than the published one');
  require(effects.queueStatuses.join() === 'posted', `queue: ${effects.queueStatuses.join(', ')}`);
  require(effects.captions === 1 && effects.verdicts === 1, `${effects.captions} captions, ${effects.verdicts} verdicts`);
  require(new Set(effects.files).size === effects.files.length, `duplicate files: ${effects.files.join(', ')}`);
  for (const type of ONCE) require(effects.facts[type] === 1, `${type} was committed ${effects.facts[type] ?? 0} times`);
  const unfinished = jobs.filter((job) => job.state !== 'done');
  require(unfinished.length === 0, `left over: ${unfinished.map((job) => `${job.stage} ${job.state}`).join(', ')}`);
  require(effects.messages === 0, `${effects.messages} messages were written without a reader`);
  return failures;
}
