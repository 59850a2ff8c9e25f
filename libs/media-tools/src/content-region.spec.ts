import sharp from 'sharp';
import { ContentFinder } from './content-region';
import { paint } from './testing/media-samples';
import { LumaPicture } from './views';

const [WIDTH, HEIGHT] = [400, 300];

/** Pictures below each other. */
async function viewsOf(...parts: Buffer[]): Promise<{ view: string; height: number; isReference: boolean }[]> {
  const layers: { input: Buffer; left: number; top: number }[] = [];
  let height = 0;
  for (const input of parts) {
    layers.push({ input, left: 0, top: height });
    height += (await sharp(input).metadata()).height;
  }
  const { data, info } = await sharp({ create: { width: WIDTH, height, channels: 3, background: '#fff' } })
    .composite(layers)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const finder = new ContentFinder();
  finder.add(new LumaPicture({ rgb: data, width: info.width, height: info.height }, info.width, info.height));
  return finder.views().map(({ view, region, isReference }) => ({ view, height: region.bottom - region.top, isReference }));
}

const picture = (seed: number): Promise<Buffer> => paint(seed, WIDTH, HEIGHT).png().toBuffer();

describe('views of the content', () => {
  it('are none of a picture that nothing surrounds', async () => {
    expect(await viewsOf(await picture(1))).toEqual([]);
  });

  it('are the picture below a caption that covers most of its bar', async () => {
    const captioned = sharp(await picture(1)).composite([
      { input: { create: { width: WIDTH, height: 60, channels: 3, background: '#fff' } }, left: 0, top: 0 },
      { input: { create: { width: 280, height: 50, channels: 3, background: '#111' } }, left: 20, top: 5 },
    ]);
    const [content, ...others] = (await viewsOf(await captioned.png().toBuffer())).filter(({ view }) => view.startsWith('content'));
    expect(content?.height).toBeCloseTo(0.8, 1);
    expect(content?.isReference).toBe(true);
    expect(others).toEqual([]);
  });

  it('do not identify a work by a caption and one of its two panels, which other memes have too', async () => {
    const caption = await sharp({ create: { width: WIDTH, height: 50, channels: 3, background: '#fff' } })
      .composite([{ input: { create: { width: 280, height: 24, channels: 3, background: '#111' } }, left: 20, top: 14 }])
      .png()
      .toBuffer();
    const contents = (await viewsOf(caption, await picture(1), await picture(2))).filter(({ view }) => view.startsWith('content'));
    expect(contents.filter(({ height, isReference }) => isReference && height < 0.7)).toEqual([]);
  });

  it('are insets if two panels have equal size', async () => {
    const views = await viewsOf(await picture(1), await picture(2));
    expect(views.filter(({ height }) => Math.abs(height - 0.5) < 0.01).map(({ view }) => view)).toEqual([
      expect.stringMatching(/^inset/),
      expect.stringMatching(/^inset/),
    ]);
  });
});
