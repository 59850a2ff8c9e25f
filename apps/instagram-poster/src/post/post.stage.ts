import { defineStage } from '@autoposter/job-engine';
import { postCommit } from './post.commit';
import { awaitChildren } from './steps/await-children.step';
import { awaitContainer } from './steps/await-container.step';
import { createChildren } from './steps/create-children.step';
import { createContainer } from './steps/create-container.step';
import { preflight, type PostInput } from './steps/preflight.step';
import { publish } from './steps/publish.step';
import { readPermalink } from './steps/read-permalink.step';
import { reserveQuota } from './steps/reserve-quota.step';

/** As long as the slowest upload that is waited for takes with the largest reel that DMCA protection makes (90 s at 8 Mbit/s). */
const MAX_RUN_MS = 15 * 60_000;

/** Containers of the files → await → container → await → publish, with the intent committed before the irreversible call. */
export const postStage = defineStage({
  name: 'post',
  limits: { timeoutMs: MAX_RUN_MS, slots: 2 },
  async load(uow, job): Promise<PostInput | null> {
    const attempt = await uow.attempts.find(job.subjectId);
    if (attempt === null || !['open', 'container', 'intent'].includes(attempt.state)) return null;
    const item = await uow.items.find(attempt.itemId);
    if (item === null) return null;
    const processed = await uow.media.ofItem(item.id, 'processed');
    const [cover = null] = attempt.kind === 'reel' ? await uow.media.ofItem(item.id, 'uploaded_cover') : [];
    return { attempt, item, processed, cover };
  },
  steps: [preflight, reserveQuota, createChildren, awaitChildren, createContainer, awaitContainer, publish, readPermalink],
  commit: postCommit,
});
