import { ITEM_STAGES, PUBLISH_STAGE } from '@autoposter/contracts';
import type { Published } from '../product/simulated-world';
import type { Effects, JobFacts } from './item-facts';

/** How an item ended whose way is over, or whose time is. */
export interface Outcome {
  state: string | null;
  jobs: readonly JobFacts[];
  effects: Effects | null;
  /** What came out at the simulated platform while this item was on its way. */
  published: readonly Published[];
  publishCalls: number;
}

/** A machine without time to spare can use up attempts and be late; it can never do anything twice. */
export const isMatterOfTime = (wrong: string): boolean => /^lost: .* is dead|was taken over after|came to an end/u.test(wrong);

/** Committed once each, whatever happened on the way. */
const ONCE = [...[...ITEM_STAGES, PUBLISH_STAGE].map((stage) => `${stage}.completed`), 'item.queued'];

/** Every promise that an item may break, in words; nothing where it arrived once and left nothing behind. */
export function judge({ state, jobs, effects, published, publishCalls }: Outcome): string[] {
  const wrong: string[] = [];
  const demand = (met: boolean, words: string): void => void (met || wrong.push(words));
  if (state !== 'posted' || effects === null) {
    const open = jobs.filter((job) => job.state !== 'done').map((job) => `${job.stage} is ${job.state}, attempt ${job.attempts}`);
    return [`lost: it ended as ${state ?? 'nothing'}${open.length > 0 ? ` (${open.join('; ')})` : ''}`];
  }
  const live = effects.attempts.filter((attempt) => attempt.state === 'published');
  const own = published.filter(({ caption }) => live.some((attempt) => attempt.caption === caption));
  demand(published.length === 1, `${published.length} posts came out instead of one`);
  demand(publishCalls === 1, `media_publish was called ${publishCalls} times`);
  demand(effects.attempts.length === 1 && live.length === 1, `attempts: ${effects.attempts.map((attempt) => attempt.state).join(', ')}`);
  demand(own.length === 1 && own[0]?.mediaId === live[0]?.mediaId, 'the ledger names another post than the one that is out');
  demand(effects.queueStatuses.join() === 'posted', `queue: ${effects.queueStatuses.join(', ')}`);
  demand(effects.captions === 1 && effects.verdicts === 1, `${effects.captions} captions, ${effects.verdicts} verdicts`);
  demand(new Set(effects.files).size === effects.files.length, `files twice: ${effects.files.join(', ')}`);
  for (const type of ONCE) demand(effects.facts[type] === 1, `${type} was committed ${effects.facts[type] ?? 0} times`);
  const unfinished = jobs.filter((job) => job.state !== 'done');
  demand(unfinished.length === 0, `left over: ${unfinished.map((job) => `${job.stage} ${job.state}`).join(', ')}`);
  demand(effects.unsent === 0, `${effects.unsent} messages were never sent`);
  demand(effects.undelivered === 0, `${effects.undelivered} messages were never settled`);
  return wrong;
}
