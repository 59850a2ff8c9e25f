import type { ObjectStore } from '@autoposter/object-store';
import { FakeDatabase } from '@autoposter/testkit';
import { MediaService } from './media.service';

const STORED = { bytes: 10, contentType: 'video/mp4', sha256: 'aa' };

function arrange(key: string | null, stored: object | null = STORED) {
  const fake = new FakeDatabase({ 'media.findObjectKey': key });
  return { fake, service: new MediaService(fake.database, { stat: async () => stored } as unknown as ObjectStore) };
}

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
