import { LIMITS } from '@autoposter/contracts';
import { hitsBetween } from './hits-between';
import { matchesOf } from './matches-of';
import type { FilePrints } from './prints';
import { DEFAULT_RIGHTS_THRESHOLDS, type RightsMatch, type RightsThresholds } from './rights-match';

const SIDE = 192;
/** Random levels, 5 pixels wide. */
const noise = (x: number, y: number, seed: number): number => {
  const value = Math.sin((Math.floor(x / 5) * 12.9898 + Math.floor(y / 5) * 78.233 + seed * 37.719) % 6.283) * 43_758.5453;
  return 255 * (value - Math.floor(value));
};
const picture = (level: (x: number, y: number) => number): FilePrints => ({
  sha256: null,
  pdq: [{ hash: 'ab'.repeat(32), quality: 90, atSeconds: null }],
  preview: { side: SIDE, luma: Uint8Array.from({ length: SIDE * SIDE }, (_pixel, at) => level(at % SIDE, Math.floor(at / SIDE))) },
});
const WORK = picture((x, y) => noise(x, y, 5));
/** The work, mixed with a share of other detail within a distance of the middle. */
const covered = (share: number, radius = 24): FilePrints =>
  picture((x, y) => {
    const isOver = Math.max(Math.abs(x - 96), Math.abs(y - 96)) < radius;
    return noise(x, y, 5) * (isOver ? 1 - share : 1) + (isOver ? noise(x, y, 8) * share : 0);
  });

const strengthOf = (ours: FilePrints, change: Partial<RightsThresholds> = {}, work = WORK): RightsMatch['strength'] | undefined => {
  const hits = hitsBetween([ours], { kind: 'claim', id: '1', title: 'W', published: false }, [work]);
  return matchesOf([ours], hits, () => work.preview ?? null, { ...DEFAULT_RIGHTS_THRESHOLDS, ...change })[0]?.strength;
};

describe('pictureMatch', () => {
  it.each([
    ['pictureLeastAlike', 'block', covered(0.3), { pictureLeastAlike: 0.9 }, 'flag'],
    ['pictureLeastAlike', 'flag', covered(0.38), { pictureLeastAlike: 0.75 }, 'block'],
    ['pictureCorrelation', 'block', covered(0.3, SIDE), { pictureCorrelation: 0.95 }, 'flag'],
  ] as const)('follows %s: a %s by default, and another strength with another value', (_name, byDefault, ours, change, expected) => {
    expect(strengthOf(ours)).toBe(byDefault);
    expect(strengthOf(ours, change)).toBe(expected);
  });

  it('only flags a few shapes, which other pictures have too, at the lowest threshold as well', () => {
    const { min } = LIMITS.rightsThresholds.pictureLeastAlike;
    const stripes = picture((x) => (x < 64 ? 30 : x < 128 ? 240 : 110));
    expect(strengthOf(stripes, { pictureLeastAlike: min }, stripes)).toBe('flag');
  });
});
