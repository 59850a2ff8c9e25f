import { SERVICES } from '@autoposter/config';
import { demoWorld } from '../demo/demo-world';
import { realWorld } from '../start/real-world';
import { filled, refuseWrong } from './wrong-variables';

const words = { of: '.env', advice: 'Mend them.' };
const told = (act: () => void): string[] => {
  try {
    act();
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

describe('wrong variables', () => {
  it('are named all at once, each of them once, whichever services they concern', () => {
    const env = { DATABASE_URL: 'mysql://somewhere', EVENT_BUS: 'kafka', ADMIN_EMAILS: 'a@b.c' };
    const lines = told(() => refuseWrong(env, SERVICES, words));
    const names = lines.slice(1, -1).map((line) => line.trim().split(' ')[0]);
    expect(names).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'KAFKA_BROKERS', 'JWT_SECRET', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']),
    );
    expect(new Set(names).size).toBe(names.length);
    expect([lines[0], lines.at(-1)]).toEqual([
      `Nothing was started, because ${names.length} of the variables in .env are missing or wrong:`,
      'Mend them.',
    ]);
  });

  it('are one or many', () => {
    const env = { ADMIN_EMAILS: 'a@b.c', JWT_SECRET: 'x'.repeat(32), GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: '' };
    expect(told(() => refuseWrong(env, SERVICES, words))[0]).toBe(
      'Nothing was started, because 1 of the variables in .env is missing or wrong:',
    );
  });

  it('are none where the launcher brings what is missing', () => {
    expect(told(() => refuseWrong({}, ['dmca-worker'], words))).toEqual([]);
    expect(filled({ A: '', B: undefined, C: 'c' })).toEqual({ C: 'c' });
  });
});

it('the demo asks for nothing, and refuses a place that cannot be', () => {
  expect(told(() => demoWorld().check({}))).toEqual([]);
  expect(told(() => demoWorld().check({ DATABASE_URL: 'nonsense' }))[1]).toMatch(/^ {2}DATABASE_URL /u);
});

it.each<Record<string, string>>([
  { NODE_ENV: 'staging' },
  { NODE_ENV: 'production', RATE_LIMITS: 'false' },
  { PUBLIC_URL: 'my.host', METRICS_PORT: 'none', CDN_BASE_URL: 'cdn' },
  { REDDIT_API_URL: 'nowhere', INSTAGRAM_LOGIN_FLAVOUR: 'both', GOOGLE_TOKEN_URL: 'nowhere', OIDC_ISSUER_URL: 'nowhere' },
])('the demo does not mind what it puts aside: %j', (env) => expect(told(() => demoWorld().check(env))).toEqual([]));

it('the product asks for the sign-in and a secret', () => {
  expect(told(() => realWorld().check({}))[0]).toContain('because 4 of the variables');
});
