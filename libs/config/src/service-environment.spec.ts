import { hkdfSync } from 'node:crypto';
import { loadConfig } from './load-config';
import { serviceEnvironment } from './service-environment';

const DATABASE_URL = 'postgresql://user@db.example/autoposter';
const SECRET = 'dQ0w9-WgXcQ-r4nd0m-enough-for-tests';
const RETIRED = 'its former value 8hJ-9kL-0mN-1p2qR';
const everything = {
  PATH: '/bin',
  DATABASE_URL,
  JWT_SECRET: SECRET,
  SESSION_KEY: 'kZ3-a-session-key-of-its-own-8h2Lq!',
  ADMIN_EMAILS: 'a@b.c',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
  INSTAGRAM_ACCESS_TOKEN: 'IG',
  INSTAGRAM_APP_SECRET: 'app',
  FACEBOOK_APP_SECRET: 'facebook app',
  REDDIT_CLIENT_SECRET: 'reddit',
  GEMINI_API_KEY: 'gemini',
  ALERT_WEBHOOK_URL: 'https://alerts.example/secret',
};
const bytes = (keys: readonly Uint8Array[]) => keys.map((key) => Buffer.from(key).toString('hex'));
const keysIn = (service: Parameters<typeof loadConfig>[0], environment: Record<string, string | undefined>) =>
  loadConfig(service, { DATABASE_URL, ...environment }).keys;

describe('serviceEnvironment', () => {
  it.each([
    [
      'downloader',
      [
        ...['SEALING_KEY', 'SEALING_KEY_PREVIOUS', 'INSTAGRAM_ACCESS_TOKEN', 'REDDIT_CLIENT_SECRET'],
        ...['INSTAGRAM_APP_SECRET', 'FACEBOOK_APP_SECRET'],
      ],
    ],
    ['dmca-worker', []],
    ['ai-worker', ['GEMINI_API_KEY']],
  ] as const)('gives %s no secret but its own', (service, secrets) => {
    const environment = serviceEnvironment(service, everything);
    expect(Object.keys(environment).sort()).toEqual(['PATH', 'DATABASE_URL', ...secrets].sort());
    expect(JSON.stringify(environment)).not.toContain(SECRET);
  });

  it('hands the downloader the key that opens what the poster seals', () => {
    const poster = keysIn('instagram-poster', serviceEnvironment('instagram-poster', everything)).sealing;
    const downloader = keysIn('downloader', serviceEnvironment('downloader', everything)).sealing;
    expect(bytes(downloader)).toEqual(bytes(poster));
    const rotated = {
      ...everything,
      SEALING_KEY: 'a new sealing key 7xK-2pLm-9QwE-44',
      SEALING_KEY_PREVIOUS: 'an old sealing key 1aB-2cD-3eF-4g5',
    };
    const after = keysIn('downloader', serviceEnvironment('downloader', rotated)).sealing;
    expect(bytes(after)).toEqual(bytes(keysIn('instagram-poster', serviceEnvironment('instagram-poster', rotated)).sealing));
    expect(after).toHaveLength(3);
  });

  it('gives the gateway its session key and the poster none', () => {
    expect(serviceEnvironment('gateway', everything)).toMatchObject({ SESSION_KEY: everything.SESSION_KEY, JWT_SECRET: SECRET });
    expect(serviceEnvironment('instagram-poster', everything)).not.toHaveProperty('SESSION_KEY');
    expect(serviceEnvironment('gateway', everything)).not.toHaveProperty('INSTAGRAM_APP_SECRET');
  });
});

describe('the keys', () => {
  it('are three different ones where only JWT_SECRET is set', () => {
    const { session, link, sealing } = keysIn('instagram-poster', { JWT_SECRET: SECRET });
    expect(new Set(bytes([...session, ...link, ...sealing])).size).toBe(3);
    expect(bytes(session)).not.toEqual(bytes([Buffer.from(SECRET)]));
  });

  it('open a token that was sealed before there were three', () => {
    const former = hkdfSync('sha256', SECRET, '', 'autoposter instagram access token', 32);
    expect(bytes(keysIn('instagram-poster', { JWT_SECRET: SECRET }).sealing)).toEqual([Buffer.from(former).toString('hex')]);
    const own = keysIn('instagram-poster', { JWT_SECRET: SECRET, SEALING_KEY: 'a sealing key of its own 7xK-2pLm-9' });
    expect(bytes(own.sealing)[1]).toBe(Buffer.from(former).toString('hex'));
  });

  it('lists the evidence key that JWT_SECRET derived also if EVIDENCE_KEY is set, for the gateway only', () => {
    const { evidence } = keysIn('gateway', {
      ...everything,
      EVIDENCE_KEY: 'a key of evidence 1aB-2cD-3eF-4g5hJ',
      EVIDENCE_KEY_PREVIOUS: RETIRED,
    });
    expect(evidence).toHaveLength(3);
    expect(bytes(evidence)[2]).toBe(bytes(keysIn('gateway', everything).evidence)[0]);
    expect(serviceEnvironment('instagram-poster', { ...everything, EVIDENCE_KEY: RETIRED })).not.toHaveProperty('EVIDENCE_KEY');
  });

  it('take the current one first and previous ones after it', () => {
    const before = keysIn('instagram-poster', { JWT_SECRET: SECRET });
    const after = keysIn('instagram-poster', { JWT_SECRET: 'another secret 7xK-2pLm-9QwE-44zZ', JWT_SECRET_PREVIOUS: SECRET });
    for (const purpose of ['session', 'link', 'sealing'] as const) {
      expect(after[purpose]).toHaveLength(2);
      expect(bytes(after[purpose])[1]).toBe(bytes(before[purpose])[0]);
    }
    const own = keysIn('instagram-poster', { JWT_SECRET: SECRET, SESSION_KEY: 'a session key of its own 7xK-2pLm-9' });
    expect(own.session).toHaveLength(1);
    expect(bytes(own.link)).toEqual(bytes(before.link));
  });
});
