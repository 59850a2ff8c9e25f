import { sharpBetweenPads } from './sharp-lines';

describe('sharp content between blurred pads', () => {
  const lines = (...parts: [count: number, sharpness: number][]): Float32Array =>
    Float32Array.from(parts.flatMap(([count, sharpness]) => Array.from({ length: count }, (_line, at) => sharpness + (at % 2) * 0.1)));

  it('begins and ends at the steps', () => {
    expect(sharpBetweenPads(lines([37, 0.6], [54, 1.8], [37, 0.6]))).toEqual([[37, 91]]);
    expect(sharpBetweenPads(lines([20, 0.6], [88, 3], [20, 1]))).toEqual([[20, 108]]);
  });

  it('does not include a line of the pad that compression has sharpened', () => {
    expect(sharpBetweenPads(lines([36, 0.6], [1, 1.1], [53, 2.8], [1, 1.2], [37, 0.6]))).toEqual([[37, 90]]);
  });

  it('begins behind words on the pad, or at them', () => {
    const captioned = lines([10, 0.6], [12, 50], [15, 0.6], [54, 1.8], [37, 0.6]);
    expect(sharpBetweenPads(captioned)).toEqual([
      [37, 91],
      [10, 91],
    ]);
    expect(sharpBetweenPads(captioned.toReversed())[0]).toEqual([37, 91]);
  });

  it.each([
    ['a sharp picture', lines([128, 3])],
    ['a picture that is blurred as a whole', lines([128, 0.7])],
    ['a smooth sky above, which is part of the picture', lines([50, 0.6], [78, 3])],
    ['sharpness that rises gradually', Float32Array.from({ length: 128 }, (_line, at) => 0.6 + Math.min(at, 127 - at) * 0.05)],
    ['a single sharp line at the end of the pad', lines([30, 0.6], [1, 1.4], [66, 0.6], [1, 1.4], [30, 0.6])],
    ['a rim narrower than a pad', lines([2, 0.6], [124, 3], [2, 0.6])],
  ])('is not found in %s', (_what, sharpness) => {
    expect(sharpBetweenPads(sharpness)).toEqual([]);
  });
});
