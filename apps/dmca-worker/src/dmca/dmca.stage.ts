import { DEFAULT_MEDIA_LAYOUT } from '@autoposter/contracts';
import { defineStage } from '@autoposter/job-engine';
import { dmcaCommit } from './dmca.commit';
import { checkPlatform } from './steps/check-platform.step';
import { fingerprint } from './steps/fingerprint.step';
import { keepFrames } from './steps/keep-frames.step';
import { matchRegister } from './steps/match-register.step';
import { normalise } from './steps/normalise.step';
import { readOriginal, type DmcaInput } from './steps/read-original.step';
import { stopClaimed } from './steps/stop-claimed.step';
import { storeProcessed } from './steps/store-processed.step';

/** Rights safety: refuses claimed and duplicate posts, strips private metadata, converts the file to the Reels profile. */
export const dmcaStage = defineStage({
  name: 'dmca',
  limits: { timeoutMs: 10 * 60_000, slots: 1 },
  async load(uow, job): Promise<DmcaInput | null> {
    const item = await uow.items.find(job.subjectId);
    if (item?.state !== 'protecting') return null;
    const subreddit = item.subredditId === null ? null : await uow.subreddits.find(item.subredditId);
    const originals = await uow.media.ofItem(item.id, 'original');
    return { item, originals, layout: subreddit?.mediaLayout ?? DEFAULT_MEDIA_LAYOUT };
  },
  steps: [stopClaimed, readOriginal, fingerprint, matchRegister, keepFrames, normalise, checkPlatform, storeProcessed],
  commit: dmcaCommit,
});
