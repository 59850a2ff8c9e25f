import { compareSounds, type SoundAgreement, SOUND_ITEM_SECONDS, secondsOf } from './compare-sounds';
import type { FilePrints } from './prints';
import { DEFAULT_RIGHTS_THRESHOLDS, ORDER, type RightsMatch, type RightsThresholds, type Work } from './rights-match';

/**
 * Works whose sound one of our files has. A claim on it is flagged, and never blocks, because licensed music is common; earlier posts with the
 * same sound are evidence only, because many posts share a popular song.
 */
export function soundMatchesOf(
  files: readonly FilePrints[],
  works: readonly { work: Work; files: readonly FilePrints[] }[],
  thresholds: RightsThresholds = DEFAULT_RIGHTS_THRESHOLDS,
): RightsMatch[] {
  const found = works.flatMap(({ work, files: theirs }) =>
    files.flatMap((ours, file) => bestMatch({ ours, file }, work, theirs, thresholds) ?? []),
  );
  return found.sort((a, b) => ORDER[a.strength] - ORDER[b.strength] || b.matched - a.matched || (a.id < b.id ? -1 : 1));
}

function bestMatch(
  { ours, file }: { ours: FilePrints; file: number },
  work: Work,
  theirs: readonly FilePrints[],
  { soundBitErrors, soundSeconds }: RightsThresholds,
): RightsMatch | null {
  let best: { agreed: SoundAgreement; theirFile: number } | null = null;
  for (const [theirFile, { sound }] of theirs.entries()) {
    if (!ours.sound || !sound) continue;
    const agreed = compareSounds(ours.sound.items, sound.items, soundBitErrors);
    if (agreed !== null && agreed.items > (best?.agreed.items ?? 0)) best = { agreed, theirFile };
  }
  if (best === null || secondsOf(best.agreed.items) < soundSeconds) return null;
  const { agreed, theirFile } = best;
  const [ourItems, theirItems] = [ours.sound?.items.length ?? 0, theirs[theirFile]?.sound?.items.length ?? 0];
  const segment = (from: number) => ({
    fromSeconds: from * SOUND_ITEM_SECONDS,
    toSeconds: from * SOUND_ITEM_SECONDS + secondsOf(agreed.items),
  });
  return {
    ...work,
    by: 'sound',
    file,
    strength: work.kind === 'claim' ? 'flag' : 'pass',
    distance: Math.round(agreed.bitErrors * 256),
    matched: secondsOf(agreed.items),
    compared: secondsOf(ourItems),
    shareOfOurs: agreed.items / ourItems,
    shareOfTheirs: agreed.items / theirItems,
    views: ['full', 'full'],
    segment: {
      ours: segment(agreed.ours),
      theirs: segment(agreed.theirs),
      offsetSeconds: (agreed.theirs - agreed.ours) * SOUND_ITEM_SECONDS,
    },
    comparison: null,
    nearest: { theirFile, ours: agreed.ours * SOUND_ITEM_SECONDS, theirs: agreed.theirs * SOUND_ITEM_SECONDS },
    onlyShared: work.kind === 'item',
  };
}
