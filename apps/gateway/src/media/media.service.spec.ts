import { inflateSync } from 'node:zlib';
import type { ObjectStore } from '@autoposter/object-store';
import { FakeDatabase } from '@autoposter/testkit';
import { MediaService } from './media.service';

const STORED = { bytes: 10, contentType: 'video/mp4', sha256: 'aa' };

function arrange(key: string | null, stored: object | null = STORED) {
  const fake = new FakeDatabase({ 'media.findObjectKey': key });
  return { fake, service: new MediaService(fake.database, { stat: async () => stored } as unknown as ObjectStore) };
}

describe('MediaService.compared', () => {
  const serve = (found: object[]) =>
    new MediaService(new FakeDatabase({ 'answers.compared': found }).database, { stat: async () => STORED } as unknown as ObjectStore);

  it('serves the stored file', async () => {
    const service = serve([{ objectKey: 'originals/aa/aa.mp4', preview: null }]);
    expect(await service.compared('item-1', 0)).toMatchObject({ key: 'originals/aa/aa.mp4', total: 10 });
  });

  it('draws the preview where the file is gone', async () => {
    const luma = Uint8Array.from([0, 255, 128, 64]);
    const found = await serve([{ objectKey: null, preview: { side: 2, luma } }]).compared('claim-1', 0);
    if (!('preview' in found)) throw new Error('no preview');
    const png = found.preview;
    expect([png.toString('latin1', 1, 4), png.toString('latin1', 12, 16), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'PNG',
      'IHDR',
      2,
      2,
    ]);
    const pixels = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
    expect([...pixels]).toEqual([0, 0, 255, 0, 128, 64]);
    // the end chunk with its checksum is the same in each PNG
    expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
  });

  it('draws the preview of a file that browsers cannot show, if there is one', async () => {
    const objectKey = 'originals/aa/aa.heic';
    const preview = { side: 2, luma: Uint8Array.from([0, 255, 128, 64]) };
    expect(await serve([{ objectKey, preview }]).compared('claim-1', 0)).toHaveProperty('preview');
    expect(await serve([{ objectKey, preview: null }]).compared('claim-1', 0)).toMatchObject({ key: objectKey });
    expect(await serve([{ objectKey: 'originals/aa/aa.jpg', preview }]).compared('claim-1', 0)).toMatchObject({
      key: 'originals/aa/aa.jpg',
    });
  });

  it('refuses what is stored nowhere', async () => {
    await expect(serve([]).compared('item-1', 0)).rejects.toMatchObject({ status: 404, message: 'There is no such file.' });
  });
});

describe('MediaService.find', () => {
  it.each([
    ['video', 2, ['item-1', 2, ['processed', 'original']]],
    ['cover', 2, ['item-1', 0, ['cover']]],
  ] as const)('serves the %s of an item', async (kind, file, args) => {
    const { fake, service } = arrange('processed/aa/aa.mp4');
    expect(await service.find(kind, 'item-1', file)).toEqual({
      key: 'processed/aa/aa.mp4',
      total: 10,
      contentType: 'video/mp4',
      sha256: 'aa',
      cacheControl: 'private, max-age=60',
    });
    expect(fake.argsOf('media.findObjectKey')).toEqual([args]);
  });

  it.each([
    ['an item without such a file', null, STORED, 'There is no such file.'],
    ['a file that the object store lost', 'processed/aa/aa.mp4', null, 'The file is no longer in the object store.'],
  ])('refuses %s', async (_what, key, stored, message) => {
    await expect(arrange(key, stored).service.find('video', 'item-1', 0)).rejects.toMatchObject({ status: 404, message });
  });
});
