import { comparePictures, registeredPair } from './compare-pictures';
import type { Preview, Region } from './prints';
import type { ComparedPart } from './register-pictures';

const SIDE = 192;
const WHOLE: Region = { left: 0, top: 0, right: 1, bottom: 1 };
const inset = (share: number): Region => ({ left: share, top: share, right: 1 - share, bottom: 1 - share });

/** A smooth random surface of 24 x 24 nodes, seen through a region; equal seeds are one picture. */
function view(seed: number, region: Region = WHOLE, mirrored = false): Preview {
  let state = seed * 7919;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    return ((mixed ^ (mixed >>> 14)) >>> 8) % 256;
  };
  const nodes = Array.from({ length: 25 * 25 }, next);
  const luma = new Uint8Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < SIDE; column += 1) {
      const across = mirrored ? SIDE - 1 - column : column;
      const x = (region.left + ((across + 0.5) / SIDE) * (region.right - region.left)) * 23.9;
      const y = (region.top + ((row + 0.5) / SIDE) * (region.bottom - region.top)) * 23.9;
      const [x0, y0] = [Math.floor(x), Math.floor(y)];
      const at = (dx: number, dy: number): number => nodes[(y0 + dy) * 25 + x0 + dx] as number;
      const top = at(0, 0) * (1 - x + x0) + at(1, 0) * (x - x0);
      const bottom = at(0, 1) * (1 - x + x0) + at(1, 1) * (x - x0);
      luma[row * SIDE + column] = Math.round(top * (1 - y + y0) + bottom * (y - y0));
    }
  }
  return { side: SIDE, luma };
}

const compare = (ours: ComparedPart, theirs: ComparedPart) => comparePictures(registeredPair(ours, theirs));

describe('comparePictures', () => {
  it.each([
    ['cropped between two views', inset(0.04), inset(0.05)],
    ['cropped more than the view', inset(0.147), inset(0.13)],
    ['moved sideways', { left: 0.03, top: 0, right: 0.99, bottom: 0.97 }, inset(0.015)],
    ['cropped on one side', { left: 0.03, top: 0, right: 1, bottom: 1 }, inset(0.03)],
    ['stretched', WHOLE, { left: 0, top: 0.03, right: 1, bottom: 0.97 }],
  ])('registers a copy that was %s to the part of the work that it shows', (_name, shown, compared) => {
    const found = compare({ preview: view(1, shown), region: WHOLE }, { preview: view(1), region: compared });
    expect(found.correlation).toBeGreaterThan(0.95);
    expect(found.differing).toBe(0);
  });

  it('registers a mirrored copy that was cropped, whichever side is marked as mirrored', () => {
    const [copy, work] = [
      { preview: view(1, inset(0.04), true), region: WHOLE },
      { preview: view(1), region: inset(0.05) },
    ];
    expect(compare({ ...copy, mirrored: true }, work).correlation).toBeGreaterThan(0.95);
    expect(compare(copy, { ...work, mirrored: true }).correlation).toBeGreaterThan(0.95);
    expect(compare(copy, work).correlation).toBeLessThan(0.2);
  });

  it('ignores brightness and contrast', () => {
    const darker = { side: SIDE, luma: view(1).luma.map((level) => 40 + level / 3) };
    expect(compare({ preview: darker, region: WHOLE }, { preview: view(1), region: WHOLE }).correlation).toBeGreaterThan(0.95);
  });

  it('does not align unrelated pictures', () => {
    for (let seed = 2; seed < 12; seed += 1)
      expect(compare({ preview: view(1), region: WHOLE }, { preview: view(seed), region: WHOLE }).correlation).toBeLessThan(0.3);
  });

  it('compares pictures without any detail', () => {
    const plain = { side: SIDE, luma: new Uint8Array(SIDE * SIDE).fill(80) };
    expect(compare({ preview: plain, region: WHOLE }, { preview: view(1), region: WHOLE }).correlation).toBe(0);
  });
});
