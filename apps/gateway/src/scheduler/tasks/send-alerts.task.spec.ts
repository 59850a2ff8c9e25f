import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting } from '@autoposter/domain';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { gatewaySettings } from '../../testing/fake-settings';
import { SendAlertsTask } from './send-alerts.task';

const URL = 'https://alerts.example/hook';
const NOTHING = { failedPublishes: 0, unresolvedPublishes: 0, deadJobs: 0 };
const secondsBefore = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const DAYS = 24 * 60;
const channelsTo = (url: string | null) => ({ webhook: url === null ? null : { url, secret: null }, slackUrl: null, email: null });

/** What was recorded is due at once. */
function delivering() {
  const due: { id: string; channel: string; body: unknown }[] = [];
  return {
    'notifications.add': (channels: readonly string[], body: unknown) => {
      for (const channel of channels) due.push({ id: `notification-${due.length + 1}`, channel, body });
    },
    'notifications.claimDue': () => due.splice(0),
  };
}
const PROBLEM = {
  id: 'queue-1',
  itemId: 'item-1',
  accountId: ENVIRONMENT_ACCOUNT_ID,
  title: 'Morning fog',
  kind: 'publish_overdue',
  step: 'post',
  failure: { code: 'poster_absent', side: 'operator', message: 'This post is due.', nextAction: 'Start it.' },
  rightsCheck: null,
};
const HELD = { ...PROBLEM, kind: 'rights_held', failure: null, rightsCheck: { state: 'timed_out', since: NOW.toISOString(), held: true } };

describe('SendAlertsTask', () => {
  const answer = jest.spyOn(globalThis, 'fetch');
  beforeEach(() => answer.mockReset().mockResolvedValue(new Response(null, { status: 200 })));
  afterAll(() => answer.mockRestore());

  const run = async (stubs: Record<string, unknown> = {}, settings: Record<string, unknown> = {}, url: string | null = URL) => {
    const fake = new FakeDatabase({
      'failures.countBetween': NOTHING,
      'failures.publishProblems': [],
      'outbox.refused': [],
      'settings.get': (name: string) => settings[name] ?? null,
      ...delivering(),
      ...stubs,
    });
    await new SendAlertsTask(fake.database, gatewaySettings({ alerts: channelsTo(url), publicUrl: 'https://autoposter.example' })).run();
    const bodies = answer.mock.calls.map(
      ([, init]) => JSON.parse(String(init?.body)) as { text: string; alerts: { kind: string; count: number }[] },
    );
    return { fake, text: bodies[0]?.text, kinds: bodies.flatMap(({ alerts }) => alerts.map(({ kind, count }) => [kind, count])) };
  };
  const sent = () => JSON.parse(String(answer.mock.calls[0]?.[1]?.body)) as { alerts: { kind: string; items?: object[] }[] };
  const mark = (fake: FakeDatabase) => fake.argsOf('settings.set')[0]?.[1];

  it('sends nothing without an address', async () => {
    const { fake } = await run({}, {}, null);
    expect([answer.mock.calls, fake.argsOf('settings.set')]).toEqual([[], []]);
  });

  it('reports new and overdue rights cases since the last alerts', async () => {
    const { fake, kinds, text } = await run({ 'cases.alertsBetween': { opened: 2, overdue: 1 } });
    expect(kinds).toEqual([
      ['case_opened', 2],
      ['case_overdue', 1],
    ]);
    expect(text).toContain('1 published post(s) were not removed by their deadline.');
    expect(fake.argsOf('cases.alertsBetween')).toEqual(fake.argsOf('failures.countBetween'));
  });

  it('reports deadlines of notices and permissions that end, each as it passes', async () => {
    const hours = (count: number) => new Date(NOW.getTime() - count * 3_600_000);
    const open = { counterReceivedAt: null, answeredAt: null, createdAt: hours(80) };
    const openOnes = [
      // the answer is due after 72 hours; the mark is an hour old
      { ...open, receivedAt: hours(48.5) },
      { ...open, receivedAt: hours(72.5) },
      { ...open, receivedAt: hours(72.5), answeredAt: hours(60) },
      { ...open, receivedAt: hours(60) },
      // recorded half an hour ago, after its deadline
      { ...open, receivedAt: hours(100), createdAt: hours(0.5) },
    ];
    const { kinds, text } = await run({ 'notices.findOpen': openOnes, 'permissions.endingBetween': 2 });
    expect(kinds).toEqual([
      ['answer_due', 1],
      ['answer_overdue', 2],
      ['permission_ends', 2],
    ]);
    expect(text).toContain('2 takedown notice(s) were not answered by their deadline.');
  });

  it('records nothing that another scheduler has recorded since the mark was read', async () => {
    const marks = [{ at: minutesFromNow(-2).toISOString() }, { at: minutesFromNow(-1).toISOString() }];
    const { fake, kinds } = await run({
      'settings.get': (name: string) => (name === 'last_alert' ? marks.shift() : null),
      'failures.countBetween': { ...NOTHING, failedPublishes: 1 },
    });
    expect([kinds, fake.argsOf('settings.set')]).toEqual([[], []]);
  });

  it('moves the mark even if there is nothing to report', async () => {
    const { fake, kinds } = await run();
    expect([kinds, mark(fake)]).toEqual([[], { at: secondsBefore(5).toISOString() }]);
  });

  it.each([
    ['failed posts', { failedPublishes: 2 }, [['publish_failed', 2]], '2 post(s) could not be published.'],
    ['unknown outcomes', { unresolvedPublishes: 1 }, [['publish_unknown', 1]], '1 post(s) may be published or not; check the account.'],
    ['dead jobs', { deadJobs: 3 }, [['dead_letter', 3]], '3 job(s) failed permanently.'],
  ])('reports %s', async (_what, counts, kinds, text) => {
    expect(await run({ 'failures.countBetween': { ...NOTHING, ...counts } })).toMatchObject({ kinds, text });
  });

  it.each([
    ['the last mark', { at: minutesFromNow(-2).toISOString() }, minutesFromNow(-2)],
    ['an hour ago without a mark', undefined, minutesFromNow(-60)],
    ['an hour ago after a mark in the future, which a wrong clock wrote', { at: minutesFromNow(5).toISOString() }, minutesFromNow(-60)],
  ])('counts failures since %s, except rows that may not be committed yet', async (_what, last_alert, since) => {
    const { fake } = await run({}, { last_alert });
    expect(fake.argsOf('failures.countBetween')).toEqual([[since, secondsBefore(5)]]);
  });

  it('records the message with the mark and repeats a failed delivery', async () => {
    answer.mockResolvedValue(new Response(null, { status: 503 }));
    const fake = new FakeDatabase({
      'failures.countBetween': { ...NOTHING, deadJobs: 1 },
      'failures.publishProblems': [],
      'outbox.refused': [],
      ...delivering(),
    });
    const task = new SendAlertsTask(fake.database, gatewaySettings({ alerts: channelsTo(URL) }));
    await expect(task.run()).rejects.toThrow('The alert address responded with HTTP 503.');
    expect(fake.argsOf('settings.set')).toHaveLength(1);
    expect(fake.argsOf('notifications.markFailed')).toEqual([['notification-1', 'The alert address responded with HTTP 503.']]);
    expect(fake.argsOf('notifications.markSent')).toEqual([]);
  });

  it('delivers the other messages after one that fails', async () => {
    answer.mockResolvedValueOnce(new Response(null, { status: 500 }));
    const two = ['a', 'b'].map((id) => ({ id, channel: 'webhook', body: { text: id, alerts: [] } }));
    const fake = new FakeDatabase({
      'failures.countBetween': NOTHING,
      'failures.publishProblems': [],
      'outbox.refused': [],
      'notifications.claimDue': two,
    });
    await expect(new SendAlertsTask(fake.database, gatewaySettings({ alerts: channelsTo(URL) })).run()).rejects.toThrow('HTTP 500');
    expect([fake.argsOf('notifications.markFailed').length, fake.argsOf('notifications.markSent')]).toEqual([1, [['b']]]);
  });

  it('delivers a message although the receiver of another one does not answer', async () => {
    const two = ['a', 'b'].map((id) => ({ id, channel: 'webhook', body: { text: id, alerts: [] } }));
    let answerFirst: (response: Response) => void = () => undefined;
    answer.mockImplementationOnce(() => new Promise((resolve) => (answerFirst = resolve)));
    answer.mockImplementationOnce(() => {
      answerFirst(new Response(null, { status: 200 }));
      return Promise.resolve(new Response(null, { status: 200 }));
    });
    const { fake } = await run({ 'notifications.claimDue': two });
    expect(
      fake
        .argsOf('notifications.markSent')
        .map(([id]) => id)
        .toSorted(),
    ).toEqual(['a', 'b']);
  });

  it('names item, step, cause, side, next action and link of a post that is overdue, once', async () => {
    const first = await run({ 'failures.publishProblems': [PROBLEM] });
    expect(first.kinds).toEqual([['publish_overdue', 1]]);
    expect(JSON.parse(String(answer.mock.calls[0]?.[1]?.body))).toMatchObject({
      alerts: [
        {
          items: [
            {
              itemId: 'item-1',
              title: 'Morning fog',
              step: 'post',
              cause: 'poster_absent',
              side: 'operator',
              nextAction: 'Start it.',
              link: 'https://autoposter.example/admin/items/item-1',
            },
          ],
        },
      ],
    });
    answer.mockClear();
    expect((await run({ 'failures.publishProblems': [PROBLEM] }, { last_alert: mark(first.fake) })).kinds).toEqual([]);
  });

  it('names a post that its copyright check holds, once', async () => {
    const first = await run({ 'failures.publishProblems': [HELD] });
    expect(first.kinds).toEqual([['rights_held', 1]]);
    expect(JSON.parse(String(answer.mock.calls[0]?.[1]?.body))).toMatchObject({
      alerts: [
        {
          message: "1 post(s) are held, because Instagram's copyright check has no result.",
          items: [{ title: 'Morning fog', cause: 'copyright_check_timed_out', message: expect.stringContaining('more than an hour') }],
        },
      ],
    });
    answer.mockClear();
    expect((await run({ 'failures.publishProblems': [HELD] }, { last_alert: mark(first.fake) })).kinds).toEqual([]);
  });

  describe('SendAlertsTask: automatic pause', () => {
    const publishing = { paused: true, cause: 'token', since: 'then', reason: 'The token has expired.', nextAction: 'Set a new one.' };

    it.each([
      ['a pause', publishing, {}, [['publishing_stopped', 1]]],
      ['a pause of the account', { ...publishing, cause: 'account' }, {}, [['publishing_stopped', 1]]],
      ['a pause again that was reported', publishing, { stopTold: 'then' }, []],
      ['a pause by a person', { ...publishing, cause: 'person' }, {}, []],
      ['a pause that ended', { ...publishing, paused: false }, {}, []],
    ])('reports %s', async (_what, stored, told, kinds) => {
      expect(await run({}, { publishing: stored, last_alert: { at: NOW.toISOString(), ...told } })).toMatchObject({ kinds });
    });

    it('remembers the reported pause', async () => {
      const { fake, text } = await run({}, { publishing });
      expect([text, mark(fake)]).toEqual([
        'Publishing was paused: The token has expired. Set a new one.',
        expect.objectContaining({ stopTold: 'then' }),
      ]);
    });
  });

  describe('SendAlertsTask: access token', () => {
    const token = (minutes: number) => ({
      'workerReports.find': { report: { tokenExpiresAt: minutesFromNow(minutes).toISOString() }, reportedAt: NOW },
    });

    it('reports a token that expires within a week, once', async () => {
      const soon = token(6 * DAYS);
      const first = await run(soon);
      expect([first.kinds, first.text]).toEqual([[['token_expires', 1]], 'The Instagram access token expires on 2026-05-11.']);
      answer.mockClear();
      expect((await run(soon, { last_alert: mark(first.fake) })).kinds).toEqual([]);
    });

    it('reports no token that is valid for longer', async () => {
      expect((await run(token(8 * DAYS))).kinds).toEqual([]);
    });
  });

  describe('SendAlertsTask: connected accounts', () => {
    const account = (more: object = {}) => ({
      'accounts.connected': [{ id: 'a1', userId: '17', username: 'second', tokenExpiresAt: null, ...more }],
    });
    const stopped = { paused: true, cause: 'token', since: 'then', reason: 'The token has expired.', nextAction: 'Connect it again.' };

    it('reports an automatic pause with the name of the account, once', async () => {
      const settings = { [accountSetting('publishing', 'a1')]: stopped };
      const first = await run(account(), settings);
      expect([first.kinds, first.text]).toEqual([
        [['publishing_stopped', 1]],
        'Publishing on @second was paused: The token has expired. Connect it again.',
      ]);
      answer.mockClear();
      expect((await run(account(), { ...settings, last_alert: mark(first.fake) })).kinds).toEqual([]);
      const by = { ...stopped, cause: 'person' };
      expect((await run(account(), { [accountSetting('publishing', 'a1')]: by })).kinds).toEqual([]);
    });

    it('names the account of each post, pause and token where there are several', async () => {
      const report = { username: 'first', tokenExpiresAt: minutesFromNow(6 * DAYS).toISOString() };
      const problems = [PROBLEM, { ...PROBLEM, id: 'queue-2', accountId: 'a1' }];
      const stubs = { ...account(), 'workerReports.find': { report, reportedAt: NOW }, 'failures.publishProblems': problems };
      const { text } = await run(stubs, { publishing: stopped });
      expect(text).toContain('Publishing on @first was paused: The token has expired.');
      expect(text).toContain('The Instagram access token of @first expires on 2026-05-11.');
      const items = () => sent().alerts.find(({ kind }) => kind === 'publish_overdue')?.items;
      expect(items()).toMatchObject([{ account: '@first' }, { account: '@second' }]);
      answer.mockClear();
      await run({ 'failures.publishProblems': [PROBLEM] });
      expect(items()?.[0]).not.toHaveProperty('account');
    });

    it('reports a token that expires although it is renewed, once', async () => {
      const soon = account({ username: null, tokenExpiresAt: minutesFromNow(6 * DAYS) });
      const first = await run(soon);
      expect([first.kinds, first.text]).toEqual([[['token_expires', 1]], 'The Instagram access token of 17 expires on 2026-05-11.']);
      answer.mockClear();
      expect((await run(soon, { last_alert: mark(first.fake) })).kinds).toEqual([]);
      expect((await run(account({ tokenExpiresAt: minutesFromNow(8 * DAYS) }))).kinds).toEqual([]);
    });
  });

  describe('SendAlertsTask: refused messages', () => {
    const refused = (id: string, failure: string, topic = 'a') => ({ 'outbox.refused': [{ id, topic, failure, count: 2, since: NOW }] });

    it('reports a topic once for all of its refusals', async () => {
      const first = await run(refused('1', 'not_authorised'));
      expect([first.kinds, first.text]).toEqual([[['messages_refused', 2]], 'The event bus refuses 2 message(s) for a.']);
      answer.mockClear();
      expect((await run(refused('2', 'not_authorised'), { last_alert: mark(first.fake) })).kinds).toEqual([]);
    });

    it('reports each message that is refused for its own sake', async () => {
      const first = await run(refused('1', 'too_large'));
      answer.mockClear();
      expect((await run(refused('2', 'too_large'), { last_alert: mark(first.fake) })).kinds).toEqual([['messages_refused', 2]]);
    });

    it('reports a topic again after an acceptance in between', async () => {
      const first = await run(refused('1', 'not_authorised'));
      const accepted = await run({}, { last_alert: mark(first.fake) });
      answer.mockClear();
      expect((await run(refused('3', 'not_authorised'), { last_alert: mark(accepted.fake) })).kinds).toEqual([['messages_refused', 2]]);
    });
  });
});
