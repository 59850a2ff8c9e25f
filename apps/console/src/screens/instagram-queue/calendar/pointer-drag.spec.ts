import { edgeStep } from './pointer-drag';

describe('edgeStep', () => {
  it.each([
    ['in the middle', 300, 0],
    ['just outside the lower edge', 543, 0],
    ['into the lower edge', 572, 9],
    ['at the lower edge', 600, 18],
    ['below the lower edge', 900, 18],
    ['into the upper edge', 128, -9],
    ['at the upper edge', 100, -18],
    ['above the upper edge, where the drag may come from', 90, 0],
  ])('scrolls by the right step for a pointer %s', (_where, y, step) => expect(edgeStep(y, 100, 600)).toBe(step));

  it('does not scroll a frame smaller than its two edges', () => expect(edgeStep(20, 0, 100)).toBe(0));
});
