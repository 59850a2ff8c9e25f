import { loadConfig } from '@autoposter/config';
import { MediaTools } from '@autoposter/media-tools';
import { dmcaTools } from './dmca.tools';

jest.mock('@autoposter/media-tools');

describe('dmcaTools', () => {
  it.each([
    [{}, 2],
    [{ STAGE_SLOTS: '2' }, 4],
  ])('divides the memory of the decoders by the slots of both stages: %j', (environment, concurrency) => {
    const config = loadConfig('dmca-worker', { DATABASE_URL: 'postgresql://user@db.example/autoposter', ...environment });
    dmcaTools({ config, database: { read: {} }, objects: {}, logger: {}, storageType: 'local' } as never);
    expect(MediaTools).toHaveBeenLastCalledWith(expect.objectContaining({ concurrency }));
  });
});
