import type { RightsMatch } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { MatchedFrame } from '@autoposter/persistence';
import { findingsOf } from '@autoposter/workflow';
import { fileOnDisk, type FrameTools, matchedFrames, storedFile } from '../../matched-frames';
import type { FingerprintedWork } from './fingerprint-work.step';

/** Frames of this many items are stored, of blocked ones first: a popular picture matches hundreds. */
const KEPT_ITEMS = 20;

export interface WithItemFrames extends FingerprintedWork {
  /** Both sides of the strongest matches, by the id of the item. */
  framesOf: ReadonlyMap<string, readonly MatchedFrame[]>;
}

/** Stores the frames in which existing items match the work, before a file of either side can be deleted. */
export const keepItemFrames = defineStep<FingerprintedWork, WithItemFrames, FrameTools>({
  name: 'keep-item-frames',
  effect: 'read',
  async run(input, tools, context) {
    const { claim, files, paths, fingerprints } = input;
    const theirsIn = ({ nearest }: RightsMatch) => {
      const place = nearest?.theirFile ?? 0;
      return fileOnDisk(paths[place] ?? '', files[place]?.mediaType ?? 'image');
    };
    const findings = findingsOf(await tools.register.findClaimed(claim, fingerprints));
    const blockedFirst = [...findings].sort((a, b) => Number(b.verdict === 'blocked') - Number(a.verdict === 'blocked'));
    const framesOf = new Map<string, readonly MatchedFrame[]>();
    for (const { itemId, matches = [] } of blockedFirst.slice(0, KEPT_ITEMS)) {
      const sidesOf = (match: RightsMatch) => ({
        ours: storedFile(tools, { id: itemId, file: match.file }, context),
        theirs: theirsIn(match),
      });
      framesOf.set(itemId, await matchedFrames(matches, sidesOf, tools.media, context));
    }
    return done({ ...input, framesOf });
  },
});
