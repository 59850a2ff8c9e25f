import type { AccountHold, Publisher, PublishOutcome } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import { pollUntil } from '@autoposter/testkit';
import type { AccountSwitch } from './account-breaker';
import { GuardedPublisher } from './guarded-publisher';

const HOLD: AccountHold = { cause: 'quota', reason: 'Used up.', until: '2026-11-21T13:00:00.000Z' };
const never = () => new Promise<never>(() => undefined);

describe('publishing under the eye of the account switch', () => {
  const publish = (outcome: PublishOutcome, breaker: Partial<AccountSwitch>) => {
    const inner = { publish: () => Promise.resolve(outcome) } as unknown as Publisher;
    return new GuardedPublisher(inner, breaker as AccountSwitch, silentLogger).publish('c1');
  };
  const published: PublishOutcome = { outcome: 'published', mediaId: 'm1' };

  it('calls at once and hands the answer on at once, however long the database takes', async () => {
    expect(await publish(published, { held: never })).toEqual(published);
    expect(await publish(published, { held: () => Promise.resolve(HOLD), lift: never })).toEqual(published);
    expect(await publish(published, { held: () => Promise.reject(new Error('away')) })).toEqual(published);
  });

  it('lifts what held the account after a post that went out, and after no other', async () => {
    const lifted: AccountHold[] = [];
    const breaker = { held: () => Promise.resolve(HOLD), lift: (hold: AccountHold) => Promise.resolve(void lifted.push(hold)) };
    await publish({ outcome: 'unknown', code: null, message: 'No answer.' }, breaker);
    await publish(published, breaker);
    await pollUntil(() => lifted.length > 0);
    expect(lifted).toEqual([HOLD]);
  });
});
