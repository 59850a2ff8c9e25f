import { defineStep, done } from '@autoposter/job-engine';
import type { MatchedFrame } from '@autoposter/persistence';
import { findingsOf } from '@autoposter/workflow';
import { fileOnDisk, type FrameTools, matchedFrames, shownMatches, storedFile } from '../../matched-frames';
import type { FingerprintedWork } from './fingerprint-work.step';

/** Items whose frames are kept, blocked ones first: a picture that is posted everywhere is in hundreds. */
const KEPT_ITEMS = 20;

export interface WithItemFrames extends FingerprintedWork {
  /** Both sides of the strongest matches, by the id of the item. */
  framesOf: ReadonlyMap<string, readonly MatchedFrame[]>;
}

/** Keeps what items that are here already show of the work, before a file of either side can be deleted. */
export const keepItemFrames = defineStep<FingerprintedWork, WithItemFrames, FrameTools>({
  name: 'keep-item-frames',
  effect: 'read',
  async run(input, tools, context) {
    const { claim, mediaType, file, fingerprint } = input;
    const findings = findingsOf(await tools.register.findClaimed(claim, [fingerprint]));
    const blockedFirst = [...findings].sort((a, b) => Number(b.verdict === 'blocked') - Number(a.verdict === 'blocked'));
    const framesOf = new Map<string, readonly MatchedFrame[]>();
    for (const { itemId, matches = [] } of blockedFirst.slice(0, KEPT_ITEMS)) {
      const frames: MatchedFrame[] = [];
      for (const match of shownMatches(matches)) {
        const ours = storedFile(tools, { id: itemId, file: match.file }, context);
        frames.push(...(await matchedFrames(match, { ours, theirs: fileOnDisk(file, mediaType) }, tools.media, context)));
      }
      framesOf.set(itemId, frames);
    }
    return done({ ...input, framesOf });
  },
});
