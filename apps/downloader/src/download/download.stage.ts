import { defineStage } from '@autoposter/job-engine';
import { downloadCommit } from './download.commit';
import { fetchMedia } from './steps/fetch-media.step';
import { muxAudio } from './steps/mux-audio.step';
import { probeMedia } from './steps/probe-media.step';
import { resolveSource, type DownloadInput } from './steps/resolve-source.step';
import { storeOriginal } from './steps/store-original.step';

/** Fetches a post's files (video with its sound, image, gallery) and stores them as they are. */
export const downloadStage = defineStage({
  name: 'download',
  limits: { timeoutMs: 10 * 60_000, slots: 2, slotsForPeople: 1 },
  async load(uow, job): Promise<DownloadInput | null> {
    const item = await uow.items.find(job.subjectId);
    return item !== null && (item.state === 'accepted' || item.state === 'downloading') ? { item } : null;
  },
  steps: [resolveSource, fetchMedia, probeMedia, muxAudio, storeOriginal],
  commit: downloadCommit,
});
