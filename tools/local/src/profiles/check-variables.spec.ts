import { SERVICES } from '@autoposter/config';
import { refuseWrongVariables, withoutEmpty } from './check-variables';
import { demoProfile } from './demo.profile';
import { realProfile } from './real.profile';

const texts = { source: '.env', advice: 'Correct them.' };
const report = (act: () => void): string[] => {
  try {
    act();
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

describe('refuseWrongVariables', () => {
  it('reports the wrong variables of all services together, each of them once', () => {
    const env = { DATABASE_URL: 'mysql://somewhere', EVENT_BUS: 'kafka', ADMIN_EMAILS: 'a@b.c' };
    const lines = report(() => refuseWrongVariables(env, SERVICES, texts));
    const names = lines.slice(1, -1).map((line) => line.trim().split(' ')[0]);
    expect(names).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'KAFKA_BROKERS', 'JWT_SECRET', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']),
    );
    expect(new Set(names).size).toBe(names.length);
    expect([lines[0], lines.at(-1)]).toEqual([
      `Nothing was started, because ${names.length} of the variables in .env are missing or wrong:`,
      'Correct them.',
    ]);
  });

  it('uses the singular for one variable', () => {
    const env = { ADMIN_EMAILS: 'a@b.c', JWT_SECRET: 'x'.repeat(32), GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: '' };
    expect(report(() => refuseWrongVariables(env, SERVICES, texts))[0]).toBe(
      'Nothing was started, because 1 of the variables in .env is missing or wrong:',
    );
  });

  it('accepts variables that the launcher sets itself', () => {
    expect(report(() => refuseWrongVariables({}, ['dmca-worker'], texts))).toEqual([]);
    expect(withoutEmpty({ A: '', B: undefined, C: 'c' })).toEqual({ C: 'c' });
  });
});

it('needs no variable for the demo, and refuses an impossible database address', () => {
  expect(report(() => demoProfile().check({}))).toEqual([]);
  expect(report(() => demoProfile().check({ DATABASE_URL: 'nonsense' }))[1]).toMatch(/^ {2}DATABASE_URL /u);
});

it.each<Record<string, string>>([
  { NODE_ENV: 'staging' },
  { NODE_ENV: 'production', RATE_LIMITS: 'false' },
  { PUBLIC_URL: 'my.host', METRICS_PORT: 'none', CDN_BASE_URL: 'cdn' },
  { REDDIT_API_URL: 'nowhere', INSTAGRAM_LOGIN_FLAVOUR: 'both', GOOGLE_TOKEN_URL: 'nowhere', OIDC_ISSUER_URL: 'nowhere' },
])('ignores variables that the demo sets itself: %j', (env) => expect(report(() => demoProfile().check(env))).toEqual([]));

it('needs the sign-in settings and a secret for the real product', () => {
  expect(report(() => realProfile().check({}))[0]).toContain('because 4 of the variables');
});
