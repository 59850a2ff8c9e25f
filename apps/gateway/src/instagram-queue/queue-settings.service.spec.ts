import { failureOf, initialQueueSettings } from '@autoposter/domain';
import { ConflictException } from '@nestjs/common';
import { MediaReach } from '../instagram/media-reach';
import { FakeDatabase, minutesFromNow, queueItem } from '@autoposter/testkit';
import { gatewaySettings } from '../testing/fake-settings';
import { StoredSettings } from '../settings/stored-settings';
import { QueueSettingsService } from './queue-settings.service';

const ACTOR = 'admin@example.com';

function arrange(settings: Record<string, unknown> = {}, stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({
    'settings.get': (name: string) => settings[name] ?? null,
    'queue.next': { next: null, waiting: 0 },
    'queue.listWaiting': [queueItem()],
    ...stubs,
  });
  const own = gatewaySettings({ timeZone: 'UTC', schedulersStart: false });
  return { fake, service: new QueueSettingsService(fake.database, new StoredSettings(fake.database, own), new MediaReach(own)) };
}
const BY = { actor: ACTOR };
const saved = (fake: FakeDatabase) => fake.argsOf('settings.set').find(([name]) => name === 'queue');

describe('QueueSettingsService', () => {
  const randomization = { enabled: false, maxDelayMinutes: 0 };
  const timeBlocking = { enabled: true, startTime: '22:00', endTime: '06:00' };
  it.each([
    ['start', (one: QueueSettingsService) => one.change('started', { running: true }, BY), { running: true }, 'started'],
    ['stop', (one: QueueSettingsService) => one.change('stopped', { running: false }, BY), { running: false }, 'stopped'],
    ['interval', (one: QueueSettingsService) => one.change('interval', { intervalMinutes: 45 }, BY), { intervalMinutes: 45 }, 'interval'],
    ['delay', (one: QueueSettingsService) => one.change('randomization', { randomization }, BY), { randomization }, 'randomization'],
    [
      'blocked hours',
      (one: QueueSettingsService) => one.setTimeBlocking(timeBlocking, BY),
      { timeBlocking: { ...timeBlocking, timeZone: 'UTC' } },
      'time_blocking',
    ],
    [
      'time zone',
      (one: QueueSettingsService) => one.setTimeBlocking({ ...timeBlocking, timeZone: 'Asia/Tokyo' }, BY),
      { timeBlocking: { ...timeBlocking, timeZone: 'Asia/Tokyo' } },
      'time_blocking',
    ],
  ])('saves a change of the %s', async (_what, change, values, state) => {
    const { fake, service } = arrange();
    await change(service);
    expect(saved(fake)).toEqual(['queue', { ...initialQueueSettings('UTC'), ...values }, ACTOR]);
    expect([fake.events, fake.auditActions]).toMatchObject([
      [{ type: 'queue.changed', state }, ...(state === 'started' ? [{ state: 'planned' }] : [])],
      [`queue.${state}`],
    ]);
  });

  it.each([
    [
      'interval',
      (one: QueueSettingsService, seen: object) => one.change('interval', { intervalMinutes: 45, replaces: seen }, BY),
      'intervalMinutes',
      120,
      90,
    ],
    [
      'delay',
      (one: QueueSettingsService, seen: object) => one.change('randomization', { randomization, replaces: seen }, BY),
      'randomization',
      { enabled: true, maxDelayMinutes: 15 },
      { enabled: true, maxDelayMinutes: 16 },
    ],
  ])('replaces only the %s that the administrator has seen, where that is said', async (_what, change, name, stored, other) => {
    const { fake, service } = arrange();
    await expect(change(service, { [name]: other })).rejects.toThrow('These settings were changed meanwhile.');
    expect(saved(fake)).toBeUndefined();
    await change(service, { [name]: stored });
    expect(saved(fake)).toBeDefined();
  });

  it('replaces only the blocked hours that the administrator has seen, where that is said', async () => {
    const { fake, service } = arrange();
    const { enabled, startTime, endTime } = initialQueueSettings('UTC').timeBlocking;
    const seen = { enabled, startTime, endTime };
    await expect(service.setTimeBlocking({ ...timeBlocking, replaces: { ...seen, endTime: '07:00' } }, BY)).rejects.toThrow(
      ConflictException,
    );
    await expect(service.setTimeBlocking({ ...timeBlocking, replaces: { ...seen, timeZone: 'Asia/Tokyo' } }, BY)).rejects.toThrow(
      ConflictException,
    );
    expect(saved(fake)).toBeUndefined();
    await service.setTimeBlocking({ ...timeBlocking, replaces: seen }, BY);
    expect(saved(fake)).toBeDefined();
  });

  describe('the next post', () => {
    const inMinutes = (minutes: number) => minutesFromNow(minutes).toISOString();
    const nextAt = async (minutes: number, settings: object, values: object = {}) => {
      const next = { queueItem: queueItem({ scheduledFor: minutesFromNow(minutes), ...values }), title: 'Next' };
      const hold = { cause: 'quota', reason: 'Full.', until: inMinutes(30) };
      const { service } = arrange({ account_hold: hold, queue: settings }, { 'queue.next': { next, waiting: 1 } });
      return (await service.status()).nextPost?.scheduledFor;
    };
    const hour = (minutes: number) => inMinutes(minutes).slice(11, 16);
    const blocked = { timeBlocking: { enabled: true, startTime: hour(20), endTime: hour(90), timeZone: 'UTC' } };
    const free = `${inMinutes(90).slice(0, 16)}:00.000Z`;

    it.each([
      ['is expected at its slot after a hold', 31, {}, {}, inMinutes(31)],
      ['is expected at the end of a hold that its slot is in', 5, {}, {}, inMinutes(30)],
      ['is expected after blocked hours in which the hold ends', 5, blocked, {}, free],
      [
        'is expected at the end of a hold in spite of blocked hours if it was sent with Post Now',
        5,
        blocked,
        { immediate: true },
        inMinutes(30),
      ],
    ])('%s', async (_what, minutes, settings, values, expected) => {
      expect(await nextAt(minutes, settings, values)).toBe(expected);
    });
  });

  it('plans the slots again while the queue runs', async () => {
    const { fake, service } = arrange({ queue: { running: true } });
    await service.change('interval', { intervalMinutes: 60 }, BY);
    expect(fake.argsOf('queue.assignSlots')).toMatchObject([[[{ slot: expect.any(Date) }]]]);
  });

  it('refuses blocked hours of zero length', async () => {
    const { fake, service } = arrange();
    const body = { enabled: true, startTime: '06:00', endTime: '06:00' };
    expect(() => service.setTimeBlocking(body, BY)).toThrow('The blocked time must start and end at different times.');
    expect(saved(fake)).toBeUndefined();
  });

  it('shows settings, next post and backlog', async () => {
    const next = { title: 'A fox', queueItem: queueItem({ scheduledFor: minutesFromNow(30) }) };
    const { service } = arrange({ queue: { running: true, intervalMinutes: 90 } }, { 'queue.next': { next, waiting: 3 } });
    expect(await service.status()).toMatchObject({
      isRunning: true,
      intervalMinutes: 90,
      nextPost: { title: 'A fox', scheduledFor: minutesFromNow(30).toISOString() },
      totalInQueue: 3,
      paused: false,
      hold: null,
    });
  });
});

describe('QueueSettingsService.hold', () => {
  const quota = (minutes: number) => ({ cause: 'quota', reason: 'Used up.', until: minutesFromNow(minutes).toISOString() });
  const unreachable = failureOf('videos_need_address');
  const report = { 'workerReports.find': { report: { canPublishImages: false, canPublishVideos: false } } };
  const byPerson = {
    cause: 'person',
    reason: `Publishing was paused by ${ACTOR}.`,
    nextAction: 'Resume publishing when you are ready.',
    until: null,
  };

  it.each([
    ['nothing', {}, {}, null],
    ['a pause by a person before a hold', { publishing: { paused: true, by: ACTOR }, account_hold: quota(5) }, {}, byPerson],
    [
      'a pause with a reason',
      { publishing: { paused: true, cause: 'token', reason: 'Expired.', nextAction: 'Set one.' } },
      {},
      { cause: 'token', reason: 'Expired.', nextAction: 'Set one.', until: null },
    ],
    [
      'unreachable media before a hold',
      { account_hold: quota(5) },
      report,
      { cause: 'media_access', reason: unreachable.message, nextAction: unreachable.nextAction, until: null },
    ],
    ['a hold', { account_hold: quota(5) }, {}, { ...quota(5), nextAction: null }],
    ['no hold that is over', { account_hold: quota(0) }, {}, null],
  ])('shows %s', async (_what, settings, stubs, hold) => {
    expect(await arrange(settings, stubs).service.hold()).toEqual(hold);
  });
});
