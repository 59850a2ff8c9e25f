import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { FailuresService } from './failures.service';

const ACTOR = 'admin@example.com';
const row = (id: string, minutes: number, values: object = {}) => ({
  id,
  kind: 'item',
  title: 'A fox',
  platform: 'reddit',
  stage: 'ai',
  code: null,
  message: 'No answer.',
  next_action: 'Wait.',
  at: minutesFromNow(minutes),
  ...values,
});
const refused = (id: string, minutes: number, values: object = {}) => ({
  id,
  topic: 'a',
  failure: 'not_authorised',
  count: 1,
  since: minutesFromNow(minutes),
  ...values,
});

function arrange(stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({ 'failures.unseen': [], 'outbox.refused': [], ...stubs });
  return { fake, service: new FailuresService(fake.database) };
}

describe('FailuresService.list', () => {
  it('lists failures and refused messages, newest first', async () => {
    const { service } = arrange({ 'failures.unseen': [row('a', -3), row('b', -1)], 'outbox.refused': [refused('c', -2)] });
    expect((await service.list()).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  });

  it('has a text for a failure without a message', async () => {
    const { service } = arrange({ 'failures.unseen': [row('a', 0, { message: null })] });
    expect(await service.list()).toMatchObject([{ id: 'a', message: 'Unknown error', nextAction: 'Wait.', occurredAt: NOW.toISOString() }]);
  });

  it.each([
    [{ failure: 'too_large', count: 2 }, 'The event bus refuses 2 messages for the topic a.', 'max.message.bytes'],
    [{ failure: 'not_authorised' }, 'The event bus refuses a message for the topic a.', 'Allow the user of Autoposter'],
    [{ failure: 'other' }, 'The event bus refuses a message for the topic a.', 'Check the state of this topic'],
  ])('explains refused messages %j', async (values, message, nextAction) => {
    const { service } = arrange({ 'outbox.refused': [refused('c', 0, values)] });
    expect(await service.list()).toMatchObject([{ kind: 'bus', message, nextAction: expect.stringContaining(nextAction) as string }]);
  });

  it.each([
    ['the last seven days without a mark', null, minutesFromNow(-7 * 24 * 60), ['a', 'c']],
    ['the time since all were marked', { until: minutesFromNow(-2).toISOString(), ids: [] }, minutesFromNow(-2), ['a']],
    ['what was not marked one by one', { until: new Date(0).toISOString(), ids: ['a'] }, minutesFromNow(-7 * 24 * 60), ['c']],
  ])('covers %s', async (_what, mark, since, ids) => {
    const { fake, service } = arrange({ 'settings.get': mark, 'failures.unseen': [row('a', -1)], 'outbox.refused': [refused('c', -3)] });
    expect((await service.list()).map(({ id }) => id)).toEqual(ids);
    expect(fake.argsOf('failures.unseen')).toEqual([[since, 200]]);
  });
});

describe('FailuresService.markSeen', () => {
  it.each([
    ['all failures', null, undefined, { until: NOW.toISOString(), ids: [] }],
    ['one failure', null, ['a'], { until: new Date(0).toISOString(), ids: ['a'] }],
    ['one more failure', { until: 'then', ids: ['a'] }, ['b'], { until: 'then', ids: ['a', 'b'] }],
  ])('marks %s', async (_what, before, ids, mark) => {
    const { fake, service } = arrange({ 'settings.get': before });
    await service.markSeen(ids, ACTOR);
    expect(fake.argsOf('items.markFailuresSeen')).toEqual([[ids]]);
    expect(fake.argsOf('settings.set')).toEqual([['failures_seen', mark, ACTOR]]);
  });

  it('remembers at most 1,000 ids', async () => {
    const { fake, service } = arrange({ 'settings.get': { until: 'then', ids: Array.from({ length: 1_000 }, (_, id) => `${id}`) } });
    await service.markSeen(['new'], ACTOR);
    const { ids } = fake.argsOf('settings.set')[0]?.[1] as { ids: string[] };
    expect([ids.length, ids.at(-1)]).toEqual([1_000, 'new']);
  });
});
