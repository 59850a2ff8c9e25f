import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { gatewaySettings, storedSettings } from '../testing/fake-settings';
import type { GatewaySettings } from '../bootstrap/settings';
import { InstagramService } from './instagram.service';
import { MediaReach } from './media-reach';

const CONNECTED = '0197bbbb-0000-7000-8000-000000000002';
const reported = (report: object) => ({ 'workerReports.find': { report, reportedAt: NOW } });

function arrange(stubs: Record<string, unknown> = {}, settings: Partial<GatewaySettings> = {}, account = {}) {
  const fake = new FakeDatabase(stubs);
  const own = gatewaySettings(settings);
  const reach = new MediaReach(own);
  return { fake, reach, service: new InstagramService(fake.database, storedSettings({ account }), reach, own) };
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

describe('InstagramService.config, connected account', () => {
  const of = (account: object) =>
    arrange({}, { instagramMissing: ['INSTAGRAM_ACCESS_TOKEN'], hasPublicAddress: false }, account).service.config(CONNECTED);
  const facebook = { flavour: 'facebook', version: 'v26.0' };

  it('is configured while the account is ready, whatever the environment lacks', async () => {
    expect(await of({ id: CONNECTED, userId: '17', api: facebook })).toMatchObject({ isConfigured: true, missing: [] });
    expect(await of({ id: CONNECTED, userId: null, api: facebook })).toMatchObject({ isConfigured: false, missing: [] });
  });

  it('uploads videos without a public address through Facebook Login only', async () => {
    expect(await of({ id: CONNECTED, userId: '17', api: facebook })).toMatchObject({
      canPublishImages: false,
      canPublishVideos: true,
      mediaHint: expect.stringContaining('fetches pictures and galleries from a public address only'),
    });
    expect(await of({ id: CONNECTED, userId: '17', api: { ...facebook, flavour: 'instagram' } })).toMatchObject({
      canPublishImages: false,
      canPublishVideos: false,
      mediaHint: expect.stringContaining('this access token allows no uploads'),
    });
  });
});

describe('InstagramService.config, media address', () => {
  const tested = (report: object, requestedAt: Date | null = null, account = {}) =>
    arrange(
      { ...reported(report), 'settings.get': requestedAt && { requestedAt: requestedAt.toISOString() } },
      { hasPublicAddress: true },
      account,
    ).service.config(CONNECTED);
  const problem = 'cdn.example.test answers the fetcher of Instagram with status 403.';

  it('shows every account what the publishing worker found wrong with it', async () => {
    const found = await tested({ hasAddress: true, tested: true, problem }, null, { id: CONNECTED, userId: '17' });
    expect(found).toMatchObject({ mediaHint: problem, mediaTest: { ok: false, detail: problem, checkedAt: NOW.toISOString() } });
    const first = arrange({ ...reported({ hasAddress: true, tested: true, problem }), 'settings.get': null }, { hasPublicAddress: true });
    expect((await first.service.config()).mediaHint).toBe(problem);
  });

  it.each([
    ['a test without a problem', { hasAddress: true, tested: true, problem: null }, true, /Media can be fetched/u],
    ['no file', { hasAddress: true, tested: false, problem: null }, false, /no processed file/u],
    ['no public address', { hasAddress: false, tested: false, problem: null }, false, /CDN_BASE_URL/u],
  ])('says so with %s', async (_what, report, ok, detail) => {
    const { mediaTest, mediaHint } = await tested(report, null, { id: CONNECTED, api: { flavour: 'facebook', version: 'v26.0' } });
    expect(mediaTest).toMatchObject({ ok, detail: expect.stringMatching(detail), isPending: false });
    expect(mediaHint).toBeNull();
  });

  it('waits for a requested test for two minutes', async () => {
    const report = { hasAddress: true, tested: true, problem: null };
    const pending = async (requestedAt: Date, reportedAt: Date) => {
      const stubs = { 'workerReports.find': { report, reportedAt }, 'settings.get': { requestedAt: requestedAt.toISOString() } };
      return (await arrange(stubs).service.config()).mediaTest?.isPending;
    };
    expect(await pending(minutesFromNow(-1), minutesFromNow(-5))).toBe(true);
    expect(await pending(minutesFromNow(-1), minutesFromNow(-0.5))).toBe(false);
    expect(await pending(minutesFromNow(-3), minutesFromNow(-5))).toBe(false);
  });

  it('keeps who asked for a test', async () => {
    const { fake, service } = arrange();
    await service.testMediaAddress('admin@example.com');
    expect(fake.argsOf('settings.set')).toEqual([['media_address_test', { requestedAt: NOW.toISOString() }, 'admin@example.com']]);
    expect(fake.auditActions).toEqual(['instagram.test_media_address']);
  });
});

describe('InstagramService.capabilities', () => {
  it('names the login of the account that is asked about', async () => {
    const { service } = arrange(
      {},
      { instagramApi: { flavour: 'instagram', version: 'v26.0' } },
      { id: CONNECTED, api: { flavour: 'facebook', version: 'v25.0' } },
    );
    expect(await service.capabilities(CONNECTED)).toMatchObject({ login: 'facebook', version: 'v25.0' });
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
