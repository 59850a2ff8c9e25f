import { FakeDatabase, NOW } from '@autoposter/testkit';
import { gatewaySettings, storedSettings } from '../testing/fake-settings';
import type { GatewaySettings } from '../bootstrap/settings';
import { InstagramService } from './instagram.service';
import { MediaReach } from './media-reach';

const reported = (report: object) => ({ 'workerReports.find': { report, reportedAt: NOW } });

function arrange(stubs: Record<string, unknown> = {}, settings: Partial<GatewaySettings> = {}) {
  const fake = new FakeDatabase(stubs);
  const own = gatewaySettings(settings);
  const reach = new MediaReach(own);
  return { fake, reach, service: new InstagramService(fake.database, storedSettings(), reach, own) };
}

describe('InstagramService.config', () => {
  it('names the missing variables', async () => {
    const missing = ['INSTAGRAM_ACCESS_TOKEN'];
    expect(await arrange({}, { instagramMissing: missing }).service.config()).toMatchObject({
      isConfigured: false,
      missing,
      account: null,
    });
  });

  it('shows the last account check and the limit of the installation', async () => {
    const { service } = arrange(reported({ ok: true, username: 'us', canPublishImages: true, canPublishVideos: true }), { maxHashtags: 7 });
    expect(await service.config()).toMatchObject({
      isConfigured: true,
      missing: [],
      account: { username: 'us', ok: true, checkedAt: NOW.toISOString() },
      canPublishImages: true,
      canPublishVideos: true,
      mediaHint: null,
      hashtagLimit: { max: 7, since: null, source: 'INSTAGRAM_HASHTAG_LIMIT' },
    });
  });
});

describe('InstagramService.config, media address', () => {
  it('shows what the publishing worker found wrong with it', async () => {
    const mediaProblem = 'cdn.example.test answers the fetcher of Instagram with status 403.';
    const { service } = arrange(reported({ ok: true, canPublishImages: true, canPublishVideos: true, mediaProblem }));
    expect((await service.config()).mediaHint).toBe(mediaProblem);
  });
});

describe('InstagramService.compatibility', () => {
  const tool = { available: true, message: 'Available' };
  it.each([
    ['no report', {}, false, null],
    ['a report of both tools', reported({ ffmpeg: tool, ffprobe: tool }), true, NOW.toISOString()],
  ])('reads %s', async (_what, stubs, success, checkedAt) => {
    const { fake, service } = arrange(stubs);
    expect(await service.compatibility()).toMatchObject({ success, checkedAt });
    expect(fake.argsOf('workerReports.find')).toEqual([['media-tools']]);
  });
});

describe('MediaReach', () => {
  const files = (...types: ('image' | 'video')[]) => types.map((mediaType) => ({ mediaType }));
  const worker = (canPublishImages: boolean, canPublishVideos: boolean) => reported({ canPublishImages, canPublishVideos });

  it.each([
    ['a video without a report or an address', {}, {}, ['video'], null],
    ['a picture without a report or an address', {}, {}, ['image'], 'pictures_need_address'],
    ['a gallery with one picture', {}, {}, ['video', 'image'], 'pictures_need_address'],
    ['a picture with a public address', {}, { hasPublicAddress: true }, ['image'], null],
    ['a picture that the worker can publish', worker(true, true), {}, ['image'], null],
    ['a picture that the worker cannot publish', worker(false, true), { hasPublicAddress: true }, ['image'], 'pictures_need_address'],
    ['a video that the worker cannot publish', worker(false, false), { hasPublicAddress: true }, ['video'], 'videos_need_address'],
    ['a picture while publishing is not configured', {}, { instagramMissing: ['INSTAGRAM_ACCESS_TOKEN'] }, ['image'], null],
  ] as const)('decides on %s', async (_what, stubs, settings, types, code) => {
    const { fake, reach } = arrange(stubs, settings);
    expect((await reach.whyNot(fake.uow, files(...types)))?.code ?? null).toBe(code);
  });

  it('can publish something if it can publish videos', async () => {
    const can = arrange(worker(false, true));
    const cannot = arrange(worker(false, false));
    expect(await can.reach.whyNothing(can.fake.uow)).toBeNull();
    expect((await cannot.reach.whyNothing(cannot.fake.uow))?.code).toBe('videos_need_address');
  });
});
