import type { Region } from '@autoposter/domain';
import sharp, { type Sharp } from 'sharp';
import { InsetFinder } from './insets';
import { generator, paint } from './testing/media-samples';
import { LumaPicture } from './views';

const [WIDTH, HEIGHT] = [400, 300];

const photos = new Map<string, Promise<Buffer>>();

/** Fine grain over waves: the texture of a photograph. */
function photo(seed: number, width = WIDTH): Promise<Buffer> {
  const key = `${seed} ${width}`;
  const known = photos.get(key) ?? paintPhoto(seed, width, HEIGHT);
  photos.set(key, known);
  return known;
}

async function paintPhoto(seed: number, width: number, height: number): Promise<Buffer> {
  const random = generator(seed + 100);
  const data = Buffer.from(Array.from({ length: width * height * 3 }, () => 70 + random() * 116));
  const grain = await sharp(data, { raw: { width, height, channels: 3 } })
    .blur(0.8)
    .png()
    .toBuffer();
  return paint(seed, width, height)
    .composite([{ input: grain, blend: 'soft-light' }])
    .png()
    .toBuffer();
}

const plain = (r: number, g: number, b: number): Sharp =>
  sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: { r, g, b } } });

const backgrounds: Record<string, () => Promise<Sharp>> = {
  'another photo': async () => sharp(await photo(2)),
  'its own blurred copy': async () => sharp(await photo(1)).blur(18),
  'another blurred photo': async () => sharp(await photo(3)).blur(18),
  'a dark colour': async () => plain(12, 14, 20),
  'a colour with the mean level of the photo': async () => plain(127, 127, 127),
};

const places: Record<string, (share: number) => readonly [left: number, top: number]> = {
  centre: (share) => [(1 - share) / 2, (1 - share) / 2],
  'lower right corner': (share) => [0.95 - share, 0.95 - share],
  'upper left edge': () => [0, 0],
};

async function lumaOf(picture: Sharp): Promise<LumaPicture> {
  // compression is part of every post
  const { data, info } = await sharp(await picture.jpeg({ quality: 75 }).toBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  return new LumaPicture({ rgb: data, width: info.width, height: info.height }, info.width, info.height);
}

function insetsOf(...pictures: LumaPicture[]): Region[] {
  const finder = new InsetFinder();
  pictures.forEach((picture) => finder.add(picture));
  return finder.regions();
}

/** The largest distance of a side to that of the nearest region, as a share of the picture. */
const missOf = (regions: readonly Region[], truth: Region): number =>
  Math.min(
    1,
    ...regions.map((one) => Math.max(...(['left', 'top', 'right', 'bottom'] as const).map((side) => Math.abs(one[side] - truth[side])))),
  );

async function pasted(
  background: Sharp,
  share: number,
  [left, top]: readonly [number, number],
  seed = 1,
): Promise<{ picture: Sharp; truth: Region }> {
  const [width, height] = [Math.round(WIDTH * share), Math.round(HEIGHT * share)];
  const [x, y] = [Math.round(left * WIDTH), Math.round(top * HEIGHT)];
  const input = await sharp(await photo(seed))
    .resize(width, height)
    .png()
    .toBuffer();
  return {
    picture: background.composite([{ input, left: x, top: y }]),
    truth: { left: x / WIDTH, top: y / HEIGHT, right: (x + width) / WIDTH, bottom: (y + height) / HEIGHT },
  };
}

describe('insets', () => {
  const cases = Object.keys(backgrounds).flatMap((background) =>
    Object.keys(places).flatMap((place) => [0.4, 0.6, 0.8].map((share) => [share * 100, background, place] as const)),
  );

  it.each(cases)('are found at %d %% of the width on %s, %s', async (percents, background, place) => {
    const { picture, truth } = await pasted(await backgrounds[background]!(), percents / 100, places[place]!(percents / 100));
    expect(missOf(insetsOf(await lumaOf(picture)), truth)).toBeLessThanOrEqual(0.01);
  });

  it.each([4, 8])('are found inside of a white frame of %d pixels', async (frame) => {
    const [width, height] = [200, 150];
    const input = await sharp(await photo(1))
      .resize(width, height)
      .extend({ top: frame, bottom: frame, left: frame, right: frame, background: '#fff' })
      .png()
      .toBuffer();
    const [left, top] = [120, 90];
    const regions = insetsOf(await lumaOf(sharp(await photo(2)).composite([{ input, left: left - frame, top: top - frame }])));
    const truth = { left: left / WIDTH, top: top / HEIGHT, right: (left + width) / WIDTH, bottom: (top + height) / HEIGHT };
    expect(missOf(regions, truth)).toBeLessThanOrEqual(0.01);
  });

  it('are found beside each other', async () => {
    const first = await pasted(sharp(await photo(2)), 0.42, [0.04, 0.3]);
    const both = await pasted(sharp(await first.picture.png().toBuffer()), 0.42, [0.54, 0.3], 4);
    const regions = insetsOf(await lumaOf(both.picture));
    expect([missOf(regions, first.truth), missOf(regions, both.truth)]).toEqual([expect.closeTo(0, 1.5), expect.closeTo(0, 1.5)]);
    expect(regions.length).toBeLessThanOrEqual(4);
  });

  it('are found in a video whose background moves too', async () => {
    const frames: LumaPicture[] = [];
    let truth: Region | undefined;
    for (let at = 0; at < 6; at += 1) {
      const wide = sharp(await photo(2, WIDTH + 60)).extract({ left: at * 10, top: 0, width: WIDTH, height: HEIGHT });
      const frame = await pasted(sharp(await wide.png().toBuffer()), 0.5, [0.25, 0.25], 10 + at);
      truth = frame.truth;
      frames.push(await lumaOf(sharp(await frame.picture.png().toBuffer()).resize(192)));
    }
    expect(missOf(insetsOf(...frames), truth as Region)).toBeLessThanOrEqual(0.01);
  });

  it.each([
    ['a photo', () => photo(5)],
    ['a photo of waves without grain', () => paint(6).png().toBuffer()],
    [
      'a blurred photo',
      async () =>
        sharp(await photo(7))
          .blur(12)
          .png()
          .toBuffer(),
    ],
    ['a plain colour', () => plain(90, 120, 60).png().toBuffer()],
  ])('are not found in %s', async (_what, make) => {
    const regions = insetsOf(await lumaOf(sharp(await make())));
    expect(regions).toEqual([]);
  });

  it('are the two parts of a picture that one line divides', async () => {
    const input = await sharp(await photo(8))
      .extract({ left: 0, top: 0, width: WIDTH, height: 120 })
      .toBuffer();
    const regions = insetsOf(await lumaOf(sharp(await photo(9)).composite([{ input, left: 0, top: 0 }])));
    const parts = [
      { left: 0, top: 0, right: 1, bottom: 0.4 },
      { left: 0, top: 0.4, right: 1, bottom: 1 },
    ];
    expect(parts.map((part) => missOf(regions, part))).toEqual([expect.closeTo(0, 1.5), expect.closeTo(0, 1.5)]);
  });

  it('are not found without a picture', () => {
    expect(insetsOf()).toEqual([]);
  });
});
