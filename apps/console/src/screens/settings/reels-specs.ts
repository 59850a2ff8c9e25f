import { LIMITS } from '@autoposter/contracts';
import { count } from '../../ui/format';

const { width, height, minResolution, minFps, maxSeconds, coverWidth, coverHeight } = LIMITS.reels;

/** What a Reel has to be like. */
export const REELS_SPECS: readonly (readonly [name: string, value: string])[] = [
  ['Resolution', `${width}x${height} (9:16)`],
  ['Minimum resolution', `${minResolution} px`],
  ['Aspect ratio', '1.91:1 to 9:16'],
  ['Format', 'MP4 or MOV'],
  ['Frame rate', `At least ${minFps}fps`],
  ['Duration', `Maximum ${maxSeconds} seconds`],
  ['Caption', `Up to ${count(LIMITS.caption.maxCharacters)} characters`],
  ['Cover photo', `${coverWidth}x${coverHeight}`],
];
