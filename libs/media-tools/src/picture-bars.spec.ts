import { contentBetweenBars } from './picture-bars';

interface Size {
  width: number;
  height: number;
}

/** A picture of one scene, a bright texture without a dark line, placed on black. */
function placed({ width, height }: Size, inside: Size & { x: number; y: number }, level: (x: number, y: number) => number = textured) {
  const levels = new Uint8Array(width * height);
  for (let y = 0; y < inside.height; y += 1)
    for (let x = 0; x < inside.width; x += 1) levels[(inside.y + y) * width + inside.x + x] = level(x, y);
  return { levels, width, height };
}

const textured = (x: number, y: number): number => 60 + ((x * 37 + y * 101) % 180);
const WHOLE = { width: 300, height: 400 };

describe('contentBetweenBars', () => {
  it.each([
    ['above and below', { x: 0, y: 80, width: 300, height: 240 }],
    ['on both sides', { x: 30, y: 0, width: 240, height: 400 }],
    ['all around', { x: 20, y: 30, width: 260, height: 340 }],
    ['above and below, a line apart', { x: 0, y: 80, width: 300, height: 239 }],
  ])('finds the content between bars %s', (_where, inside) => {
    expect(contentBetweenBars(placed(WHOLE, inside))).toEqual(inside);
  });

  it('finds bars with the noise of compression, and a first line that is mixed with the bar', () => {
    const inside = { x: 0, y: 80, width: 300, height: 240 };
    const picture = placed(WHOLE, inside, (x, y) => (y === 0 || y === 239 ? 32 : textured(x, y)));
    for (let at = 0; at < 80 * 300; at += 7) picture.levels[at] = 20;
    expect(contentBetweenBars(picture)).toEqual(inside);
  });

  const night = (x: number, y: number): number => (Math.hypot(x - 150, y - 200) < 130 ? 200 : 4);
  const vignette = (x: number, y: number): number => Math.max(4, 230 - Math.hypot(x - 150, y - 200) * 1.3);
  const skyline = (x: number, y: number): number => (y > 60 && y < 340 && (x % 60 < 25 || y > 150) ? 120 : 6);

  it.each([
    ['has no bars', placed(WHOLE, { x: 0, y: 0, ...WHOLE })],
    ['is black', placed(WHOLE, { x: 0, y: 0, width: 0, height: 0 })],
    ['shows an object on black', placed(WHOLE, { x: 0, y: 0, ...WHOLE }, night)],
    ['fades into the dark', placed(WHOLE, { x: 0, y: 0, ...WHOLE }, vignette)],
    ['begins with dark sky and ends with dark ground', placed(WHOLE, { x: 0, y: 0, ...WHOLE }, skyline)],
    ['has a bar on one side alone', placed(WHOLE, { x: 0, y: 80, width: 300, height: 320 })],
    ['has bars of different size', placed(WHOLE, { x: 0, y: 40, width: 300, height: 280 })],
    ['has bars that are too thin to matter', placed(WHOLE, { x: 0, y: 4, width: 300, height: 392 })],
    ['is a small picture in a large black frame', placed(WHOLE, { x: 100, y: 130, width: 100, height: 140 })],
  ])('leaves a picture as it is that %s', (_what, picture) => {
    expect(contentBetweenBars(picture)).toBeNull();
  });

  it('leaves a picture as it is whose bar has words', () => {
    const picture = placed(WHOLE, { x: 0, y: 80, width: 300, height: 240 });
    for (let x = 60; x < 240; x += 3) picture.levels[40 * 300 + x] = 255;
    expect(contentBetweenBars(picture)).toBeNull();
  });
});
