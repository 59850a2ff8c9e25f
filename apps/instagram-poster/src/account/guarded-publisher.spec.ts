import {
  type AccountHold,
  type AccountStop,
  failureOf,
  ofConnectedAccount,
  PipelineError,
  type Publisher,
  type PublishOutcome,
} from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import { pollUntil } from '@autoposter/testkit';
import type { AccountSwitch } from './account-breaker';
import { GuardedPublisher } from './guarded-publisher';

const HOLD: AccountHold = { cause: 'quota', reason: 'Used up.', until: '2026-11-21T13:00:00.000Z' };
const never = () => new Promise<never>(() => undefined);

describe('GuardedPublisher', () => {
  const publish = (outcome: PublishOutcome, breaker: Partial<AccountSwitch>) => {
    const inner = { publish: () => Promise.resolve(outcome) } as unknown as Publisher;
    return new GuardedPublisher(inner, breaker as AccountSwitch, silentLogger).publish('c1');
  };
  const published: PublishOutcome = { outcome: 'published', mediaId: 'm1' };

  it('calls at once and returns the answer at once, however long the database takes', async () => {
    expect(await publish(published, { held: never })).toEqual(published);
    expect(await publish(published, { held: () => Promise.resolve(HOLD), lift: never })).toEqual(published);
    expect(await publish(published, { held: () => Promise.reject(new Error('away')) })).toEqual(published);
  });

  it('lifts the hold of the account after a published post only', async () => {
    const lifted: AccountHold[] = [];
    const breaker = { held: () => Promise.resolve(HOLD), lift: (hold: AccountHold) => Promise.resolve(void lifted.push(hold)) };
    await publish({ outcome: 'unknown', code: null, message: 'No answer.' }, breaker);
    await publish(published, breaker);
    await pollUntil(() => lifted.length > 0);
    expect(lifted).toEqual([HOLD]);
  });
});

it('tells how to reconnect a connected account that it stops', async () => {
  const stops: AccountStop[] = [];
  const breaker = { stop: (stop: AccountStop) => Promise.resolve(void stops.push(stop)) } as unknown as AccountSwitch;
  const inner = { quota: () => Promise.reject(PipelineError.of('instagram_token_expired')) } as unknown as Publisher;
  const publisher = new GuardedPublisher(inner, breaker, silentLogger, ofConnectedAccount);
  await expect(publisher.quota()).rejects.toMatchObject({ failure: { nextAction: expect.stringContaining('under Settings') } });
  expect(stops).toMatchObject([{ cause: 'token', nextAction: 'Connect the account again under Settings.' }]);
});

it('tells how to reconnect a connected account in the outcome of a refused post', async () => {
  const failure = failureOf('instagram_token_expired');
  const inner = { publish: () => Promise.resolve({ outcome: 'refused', code: null, message: failure.message, failure }) };
  const breaker = { held: () => Promise.resolve(null), stop: () => Promise.resolve() } as unknown as AccountSwitch;
  const publisher = new GuardedPublisher(inner as unknown as Publisher, breaker, silentLogger, ofConnectedAccount);
  expect(await publisher.publish('c1')).toMatchObject({
    outcome: 'refused',
    failure: { code: 'instagram_token_expired', nextAction: 'Connect the account again under Settings.' },
  });
});
