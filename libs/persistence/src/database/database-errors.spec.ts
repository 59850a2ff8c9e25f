import { isOutage, isStalePlan } from './database-errors';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('isOutage', () => {
  it.each([
    coded('ECONNREFUSED'),
    coded('57P01', 'terminating connection due to administrator command'),
    coded('53300', 'too many clients already'),
    coded('25006', 'cannot execute UPDATE in a read-only transaction'),
    new Error('Connection terminated unexpectedly'),
    coded('55P03', 'canceling statement due to lock timeout'),
    coded('25P03', 'terminating connection due to idle-in-transaction timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Query read timeout'),
    Object.assign(new Error('query failed'), { driverError: coded('08006') }),
    Object.assign(new Error(''), { errors: [coded('ECONNREFUSED')] }),
    // from another realm, as network errors in tests are
    { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
  ])('accepts %j as an outage', (error) => expect(isOutage(error)).toBe(true));

  it.each([coded('23505', 'duplicate key'), coded('42P01'), coded('40001'), new Error('a mistake'), null, undefined, 'ECONNREFUSED', 57])(
    'does not accept %j as an outage',
    (error) => expect(isOutage(error)).toBe(false),
  );
});

describe('isStalePlan', () => {
  const refused = (routine: string, message: string) => Object.assign(coded('0A000', message), { routine });

  it('accepts the refusal of a prepared statement in the language of any server', () => {
    expect(isStalePlan(refused('RevalidateCachedQuery', 'cached plan must not change result type'))).toBe(true);
    expect(isStalePlan(refused('RevalidateCachedQuery', 'gecachter Plan darf den Ergebnistyp nicht ändern'))).toBe(true);
  });

  it('accepts no other unsupported feature and no other code', () => {
    expect(isStalePlan(refused('transformLockingClause', 'FOR UPDATE is not allowed with a cached plan'))).toBe(false);
    expect(isStalePlan(Object.assign(coded('XX000'), { routine: 'RevalidateCachedQuery' }))).toBe(false);
    expect(isStalePlan(coded('0A000'))).toBe(false);
  });
});
