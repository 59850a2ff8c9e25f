import { FETCH_STAGE } from '@autoposter/contracts';
import { sourceKeyOf, type Failure, type Refusal, type SourcePost } from '@autoposter/domain';
import type { NewSkippedPost, UnitOfWork } from '@autoposter/persistence';
import type { StageCommit } from '@autoposter/job-engine';
import { advance } from '@autoposter/workflow';
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
    // a repeated transaction starts from the same list
    const skipped = [...refused];
    const shown = await uow.items.lockSourceKeys(accepted.map(sourceKeyOf));
    let taken = 0;
    for (const post of accepted) {
      const key = sourceKeyOf(post);
      if (shown.has(key)) {
        skipped.push({ post, refusal: SAME_MEDIA });
        continue;
      }
      shown.add(key);
      const item = await uow.items.create({
        platform: post.platform,
        sourceId: post.sourceId,
        originalUrl: post.permalink,
        autoProcessStage: subreddit.autoProcessStage,
        subredditId: subreddit.id,
        collectRunId: run.id,
        ...sourceFields(post),
      });
      if (item === null) continue;
      taken += 1;
      await advance(uow, item, { by: 'person', wants: FETCH_STAGE }, { actor: run.requestedBy, causationId: job.id, forPerson: false });
    }
    for (const id of interrupted) taken += await resume(uow, id, run.requestedBy, job.id);
    for (const { post, refusal } of skipped) await uow.skipped.record(skippedPost(post, subreddit.name, refusal.reason, refusal.info));
    await uow.runs.settle(run.id, 'done', { listed, accepted: taken, skipped: skipped.length });
    await uow.subreddits.countRun(subreddit.id, { succeeded: true, posts: taken });
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

/** Downloads a post again that had failed because Reddit denied access. */
async function resume(uow: UnitOfWork, itemId: string, actor: string, causationId: string): Promise<number> {
  const item = await uow.items.lock(itemId);
  if (item.state !== 'failed' || item.failedStage !== FETCH_STAGE) return 0;
  const moved = await advance(uow, item, { by: 'person', wants: FETCH_STAGE }, { actor, causationId, forPerson: false });
  return moved.outcome === 'entered' ? 1 : 0;
}

const skippedPost = (post: SourcePost, subreddit: string, reason: NewSkippedPost['reason'], info: string): NewSkippedPost => ({
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
