import { FETCH_STAGE } from '@autoposter/contracts';
import { sourceKeyOf, type Failure, type Refusal, type SourcePost } from '@autoposter/domain';
import type { NewItem, NewSkippedPost, Subreddit, UnitOfWork } from '@autoposter/persistence';
import type { StageCommit } from '@autoposter/job-engine';
import { advance, type AdvanceRequest } from '@autoposter/workflow';
import { sourceFields } from '../source-fields';
import type { Collected } from './steps/apply-filters.step';
import type { CollectInput } from './steps/list-posts.step';

const SAME_MEDIA: Refusal = { reason: 'duplicate_post', info: 'Shows the same media as a post that is here already, such as a crosspost.' };

/** Turns accepted posts into items with a requested download, and the others into rows of the skipped log. */
export const collectCommit: StageCommit<CollectInput, Collected> = {
  async started(uow, { run }) {
    await uow.runs.settle(run.id, 'running');
  },

  async done(uow, { run, subreddit }, { listed, accepted, skipped: refused, interrupted }, job) {
    const shown = await uow.items.lockSourceKeys(accepted.map(sourceKeyOf));
    const taken: SourcePost[] = [];
    const name = canonicalName(subreddit, [...accepted, ...refused.map(({ post }) => post)]);
    if (name !== subreddit.name) await uow.subreddits.patch(subreddit.id, { name });
    const skipped = refused.map(({ post, refusal }) => skippedPost(post, name, refusal));
    for (const post of accepted) {
      const key = sourceKeyOf(post);
      if (shown.has(key)) skipped.push(skippedPost(post, name, SAME_MEDIA));
      else taken.push(post);
      shown.add(key);
    }
    const items = await uow.items.createMany(taken.map((post) => newItem(post, subreddit, run.id)));
    const request = { actor: run.requestedBy, causationId: job.id, forPerson: false };
    for (const [burstPlace, item] of items.entries())
      await advance(uow, item, { by: 'person', wants: FETCH_STAGE }, { ...request, burstPlace });
    let resumed = 0;
    for (const id of interrupted) resumed += await resume(uow, id, request);
    await uow.skipped.record(...skipped);
    const posts = items.length + resumed;
    await uow.runs.settle(run.id, 'done', { listed, accepted: posts, skipped: skipped.length });
    await uow.subreddits.countRun(subreddit.id, { succeeded: true, posts });
  },

  /** Reddit denies access to everything: the run does not count and is due again as soon as the scheduler resumes. */
  async skipped(uow, { run, subreddit }, _reason, _details, _job, evidence) {
    await uow.runs.settle(run.id, 'failed', { failure: evidence as Failure });
    const now = await uow.subreddits.find(subreddit.id);
    if (now?.isActive) await uow.subreddits.patch(subreddit.id, { nextRunAt: await uow.now() });
  },

  async failed(uow, { run, subreddit }, failure) {
    await uow.runs.settle(run.id, 'failed', { failure });
    await uow.subreddits.countRun(subreddit.id, { succeeded: false, posts: 0 });
  },
};

/** Reddit accepts any spelling of a subreddit's name and answers with its own, which items and skipped posts store. */
function canonicalName({ name }: Subreddit, posts: readonly SourcePost[]): string {
  const told = posts.find(({ subreddit }) => subreddit?.toLowerCase() === name.toLowerCase());
  return told?.subreddit ?? name;
}

const newItem = (post: SourcePost, { id, autoProcessStage }: Subreddit, collectRunId: string): NewItem => ({
  platform: post.platform,
  sourceId: post.sourceId,
  originalUrl: post.permalink,
  autoProcessStage,
  subredditId: id,
  collectRunId,
  ...sourceFields(post),
});

/** Downloads a post again that had failed because Reddit denied access. */
async function resume(uow: UnitOfWork, itemId: string, request: AdvanceRequest): Promise<number> {
  const item = await uow.items.lock(itemId);
  if (item.state !== 'failed' || item.failedStage !== FETCH_STAGE) return 0;
  const moved = await advance(uow, item, { by: 'person', wants: FETCH_STAGE }, request);
  return moved.outcome === 'entered' ? 1 : 0;
}

const skippedPost = (post: SourcePost, subreddit: string, { reason, info }: Refusal): NewSkippedPost => ({
  subreddit,
  platform: post.platform,
  sourceId: post.sourceId,
  originalUrl: post.permalink,
  reason,
  additionalInfo: info,
  title: post.title,
  author: post.author,
  postType: post.postType,
  score: post.score,
  sourceCreatedAt: new Date(post.createdAt),
});
