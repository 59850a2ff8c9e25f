import type { Logger } from '@autoposter/observability';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { AccountBreaker } from './account-breaker';

const STOP = { cause: 'token', reason: 'The token has expired.', nextAction: 'Set a new one.' } as const;
const HOLD = { cause: 'quota', reason: 'Used up.', until: minutesFromNow(5).toISOString() } as const;

function arrange(stored: unknown = null) {
  const logged: string[] = [];
  const log = (level: string) => () => void logged.push(level);
  const logger = { error: log('error'), warn: log('warn'), info: log('info') } as unknown as Logger;
  const fake = new FakeDatabase({ 'settings.get': stored });
  return { fake, logged, breaker: new AccountBreaker(fake.database, logger) };
}

describe('AccountBreaker.stop', () => {
  const paused = (cause: string) => ({ paused: true, by: 'x', since: 'then', cause });

  it.each([
    ['nothing', null, {}],
    ['a pause that ended', { paused: false }, {}],
    ['a pause of all accounts by a person, which stays one', paused('person'), { all: true }],
    ['a pause of this account by a person', { ...paused('person'), all: false }, {}],
    ['a pause for the account', paused('account'), {}],
  ])('pauses publishing after %s', async (_what, stored, all) => {
    const { fake, logged, breaker } = arrange(stored);
    await breaker.stop(STOP);
    const after = { paused: true, by: 'autoposter', since: NOW.toISOString(), ...STOP, ...all };
    expect(fake.argsOf('settings.set')).toEqual([['publishing', after, 'autoposter']]);
    expect(fake.events).toMatchObject([{ type: 'publishing.paused', reason: STOP.reason, actor: 'autoposter' }]);
    expect(fake.argsOf('audit.record')).toEqual([
      [{ actor: 'autoposter', action: 'publishing.pause', detail: { cause: 'token', reason: STOP.reason } }],
    ]);
    expect(logged).toEqual(['error']);
  });

  it.each([
    ['pauses once', paused('token'), STOP],
    ['pauses once for the account', paused('account'), { ...STOP, cause: 'account' }],
    ['keeps a refused token as the cause', paused('token'), { ...STOP, cause: 'account' }],
  ] as const)('%s', async (_what, stored, stop) => {
    const { fake, logged, breaker } = arrange(stored);
    await breaker.stop(stop);
    expect([fake.argsOf('settings.set'), fake.events, logged]).toEqual([[], [], []]);
  });
});

describe('AccountBreaker.hold', () => {
  it('holds the queue until a time on the database clock', async () => {
    const { fake, breaker } = arrange();
    await breaker.hold({ cause: 'quota', reason: 'Used up.', seconds: 300 });
    expect(fake.argsOf('settings.set')).toEqual([['account_hold', HOLD, 'autoposter']]);
  });

  it('tells the current hold', async () => {
    expect(await arrange(HOLD).breaker.held()).toEqual(HOLD);
  });
});

describe('AccountBreaker.lift', () => {
  it('ends the hold', async () => {
    const { fake, breaker } = arrange(HOLD);
    await breaker.lift({ ...HOLD });
    expect(fake.argsOf('settings.set')).toEqual([['account_hold', null, 'autoposter']]);
  });

  it.each([
    ['that ended', null],
    ['that was replaced by a longer one', { ...HOLD, until: minutesFromNow(60).toISOString() }],
    ['that was replaced for another reason', { ...HOLD, reason: 'Rate limit.' }],
  ])('leaves a hold %s', async (_what, stored) => {
    const { fake, breaker } = arrange(stored);
    await breaker.lift(HOLD);
    expect(fake.argsOf('settings.set')).toEqual([]);
  });
});
