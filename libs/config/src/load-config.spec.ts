import { loadConfig } from './load-config';
import { ConfigError } from './variable';
import { defaultTextOf, envExample, VARIABLES } from './variables';

const DATABASE_URL = 'postgresql://user:secret-password@db.example:5432/autoposter';
const GATEWAY = {
  DATABASE_URL,
  JWT_SECRET: 'x'.repeat(32),
  ADMIN_EMAILS: ' Ann@Example.org ,bob@example.org,',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
};

const wrongOf = (service: Parameters<typeof loadConfig>[0], environment: Record<string, string>): ConfigError => {
  try {
    loadConfig(service, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('loadConfig', () => {
  it.each(['ada', 'ada@example.com; bob@example.com', 'Ada <ada@example.com>'])('refuses ADMIN_EMAILS of %j', (ADMIN_EMAILS) => {
    expect(wrongOf('gateway', { ...GATEWAY, ADMIN_EMAILS }).wrong).toMatchObject([
      { name: 'ADMIN_EMAILS', problem: 'must be mail addresses such as ada@example.com' },
    ]);
  });

  it('names for each variable a place to get it that is complete without the others', () => {
    expect(envExample()).not.toContain('as above');
  });

  it('fills in defaults', () => {
    const config = loadConfig('downloader', { DATABASE_URL, LOG_LEVEL: '', STAGE_LEASE_SECONDS: ' ' });
    expect(config).toMatchObject({
      bus: { kind: 'postgres', brokers: [] },
      objects: { kind: 'local', bucket: 'autoposter' },
      log: { level: 'info', folder: null },
      stage: { leaseSeconds: 30, slots: 0 },
      aiDailyLimit: 50,
      production: false,
      fault: null,
    });
  });

  it.each([
    ['EAAtoken', { FACEBOOK_APP_ID: 'f', FACEBOOK_APP_SECRET: 'fs' }, { appId: 'f', appSecret: 'fs' }],
    ['EAAtoken', {}, { appId: 'i', appSecret: 'is' }],
    ['IGtoken', { FACEBOOK_APP_ID: 'f', FACEBOOK_APP_SECRET: 'fs' }, { appId: 'i', appSecret: 'is' }],
    ['other', { FACEBOOK_APP_SECRET: 'fs', INSTAGRAM_LOGIN_FLAVOUR: 'facebook' }, { appId: null, appSecret: 'fs' }],
  ])('reads the token %s with the application of its login (%j)', (token, more, app) => {
    const account = { INSTAGRAM_ACCESS_TOKEN: token, INSTAGRAM_BUSINESS_ACCOUNT_ID: '1' };
    const apps = { INSTAGRAM_APP_ID: 'i', INSTAGRAM_APP_SECRET: 'is', ...more };
    expect(loadConfig('instagram-poster', { DATABASE_URL, ...account, ...apps }).instagram).toMatchObject(app);
  });

  it.each([
    ['GEMINI_API_KEY', 'AIza\u200bSy', 'U+200B'],
    ['GROQ_API_KEY', '\u201cgsk_key\u201d', 'U+201C'],
    ['REDDIT_USER_AGENT', 'linux:автопостер:1 (by /u/x)', 'U+0430'],
    ['INSTAGRAM_ACCESS_TOKEN', 'IGAA\ttoken', 'U+0009'],
  ])('names the character of %s that no request header can contain, and not the value', (name, value, character) => {
    const error = wrongOf(name.startsWith('G') ? 'ai-worker' : 'downloader', { DATABASE_URL, [name]: value });
    expect(error.wrong).toMatchObject([{ name, problem: expect.stringContaining(character) as string }]);
    expect(error.message).not.toContain(value);
  });

  it.each(['26', 'v26', '26.0', 'latest', 'v26.0/', 'V26.0'])('refuses INSTAGRAM_API_VERSION=%s', (value) => {
    const { wrong } = wrongOf('instagram-poster', { DATABASE_URL, INSTAGRAM_API_VERSION: value });
    expect(wrong).toMatchObject([{ name: 'INSTAGRAM_API_VERSION', problem: 'must be a version such as v26.0' }]);
  });

  it('names every missing and every wrong variable at once', () => {
    const error = wrongOf('gateway', {
      PORT: 'eighty',
      EVENT_BUS: 'carrier-pigeon',
      OBJECT_STORE: 'minio',
      TIME_ZONE: 'Mars/Base',
      JWT_SECRET: 'short',
    });
    expect(error.wrong.map(({ name }) => name).sort()).toEqual(
      [
        'ADMIN_EMAILS',
        'DATABASE_URL',
        'EVENT_BUS',
        'GOOGLE_CLIENT_ID',
        'GOOGLE_CLIENT_SECRET',
        'JWT_SECRET',
        'MINIO_ACCESS_KEY',
        'MINIO_ENDPOINT',
        'MINIO_SECRET_KEY',
        'PORT',
        'TIME_ZONE',
      ].sort(),
    );
    expect(error.message).toContain('EVENT_BUS must be one of postgres, kafka');
  });

  it('names no value in an error', () => {
    const error = wrongOf('downloader', { DATABASE_URL: 'mysql://root:hunter2@db/x', REDDIT_API_URL: 'https://u:hunter2@reddit.example/' });
    expect(error.message).toContain('DATABASE_URL');
    expect(error.message).toContain('REDDIT_API_URL');
    expect(error.message).not.toContain('hunter2');
  });

  it('requires of each service only what it uses', () => {
    expect(() => loadConfig('dmca-worker', { DATABASE_URL })).not.toThrow();
    expect(wrongOf('gateway', { DATABASE_URL }).wrong).toHaveLength(4);
    expect(loadConfig('gateway', GATEWAY).adminEmails).toEqual(['ann@example.org', 'bob@example.org']);
    const accepted = loadConfig('gateway', { ...GATEWAY, ADMIN_ACCOUNTS: 'Ann@Example.org=1082, bob@example.org = 7' }).adminAccounts;
    expect([...accepted]).toEqual([
      ['ann@example.org', '1082'],
      ['bob@example.org', '7'],
    ]);
    expect(() => loadConfig('gateway', { ...GATEWAY, ADMIN_ACCOUNTS: 'ann@example.org' })).toThrow(/ADMIN_ACCOUNTS.*pairs/u);
  });

  it('reports an external system without credentials as not configured, with what is missing', () => {
    const config = loadConfig('downloader', { DATABASE_URL, REDDIT_CLIENT_ID: 'id' });
    expect(config.reddit).toEqual({ configured: false, missing: ['REDDIT_CLIENT_SECRET', 'REDDIT_USER_AGENT'] });
    expect(config.gemini).toEqual({ configured: false, missing: ['GEMINI_API_KEY'] });
    const whole = loadConfig('downloader', { DATABASE_URL, GEMINI_API_KEY: 'k' });
    expect(whole.gemini).toMatchObject({ configured: true, apiKey: 'k', url: 'https://generativelanguage.googleapis.com' });
  });

  it('accepts origins without a path, with or without a final slash', () => {
    expect(loadConfig('gateway', { ...GATEWAY, PUBLIC_URL: 'https://post.example/' }).http.publicUrl).toBe('https://post.example');
    expect(wrongOf('gateway', { ...GATEWAY, PUBLIC_URL: 'https://post.example/app' }).wrong.map(({ name }) => name)).toEqual([
      'PUBLIC_URL',
    ]);
  });

  it('requires brokers for Kafka', () => {
    expect(wrongOf('downloader', { DATABASE_URL, EVENT_BUS: 'kafka' }).wrong.map(({ name }) => name)).toEqual(['KAFKA_BROKERS']);
    expect(loadConfig('downloader', { DATABASE_URL, EVENT_BUS: 'kafka', KAFKA_BROKERS: 'a:9092, b:9092' }).bus.brokers).toEqual([
      'a:9092',
      'b:9092',
    ]);
  });

  it('accepts plain http for extra media origins, but not in production', () => {
    const environment = { DATABASE_URL, DOWNLOAD_EXTRA_ORIGINS: 'http://127.0.0.1:4000' };
    expect(loadConfig('downloader', environment).downloadExtraOrigins).toEqual(['http://127.0.0.1:4000']);
    expect(wrongOf('downloader', { ...environment, NODE_ENV: 'production' }).wrong.map(({ name }) => name)).toEqual([
      'DOWNLOAD_EXTRA_ORIGINS',
    ]);
  });

  it('keeps the rate limits in production', () => {
    const environment = { DATABASE_URL, RATE_LIMITS: 'false' };
    expect([loadConfig('downloader', environment).http.rateLimits, loadConfig('downloader', { DATABASE_URL }).http.rateLimits]).toEqual([
      false,
      true,
    ]);
    expect(wrongOf('downloader', { ...environment, NODE_ENV: 'production' }).wrong.map(({ name }) => name)).toEqual(['RATE_LIMITS']);
  });

  it.each([
    ['claim:before', true],
    ['commit:after#2', true],
    ['claim', false],
    ['claim:during', false],
    ['commit:after#0', false],
  ])('reads the fault place %s', (fault, accepted) => {
    const load = (): unknown => loadConfig('downloader', { DATABASE_URL, AUTOPOSTER_FAULT: fault });
    if (accepted) expect(load()).toMatchObject({ fault });
    else expect(load).toThrow(ConfigError);
  });
});

describe('loadConfig in production', () => {
  const RANDOM = 'q8Zr3-vLx0T-pW6yB-m2KdJ-9sHfN-u4CgE';
  const SAFE = { ...GATEWAY, NODE_ENV: 'production', JWT_SECRET: RANDOM, PUBLIC_URL: 'https://post.example' };
  const refused = (environment: Record<string, string>) => wrongOf('gateway', { ...SAFE, ...environment }).wrong.map(({ name }) => name);

  it('accepts a safe configuration, and plain http on this machine', () => {
    expect(loadConfig('gateway', SAFE).production).toBe(true);
    for (const PUBLIC_URL of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']) {
      expect(() => loadConfig('gateway', { ...SAFE, PUBLIC_URL, GOOGLE_TOKEN_URL: 'http://127.0.0.1:4007/token' })).not.toThrow();
    }
  });

  it.each([
    ['PUBLIC_URL', 'http://post.example'],
    ['PUBLIC_URL', 'http://10.0.0.5:3000'],
    ['PUBLIC_URL', 'http://127.0.0.1.evil.example'],
    ['GOOGLE_AUTHORIZATION_URL', 'http://accounts.example/auth'],
    ['GOOGLE_TOKEN_URL', 'http://accounts.example/token'],
    ['GOOGLE_USERINFO_URL', 'http://accounts.example/userinfo'],
    ['OIDC_ISSUER_URL', 'http://accounts.example'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/8,::/0'],
    ['JWT_SECRET', 'x'.repeat(32)],
    ['JWT_SECRET', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['JWT_SECRET', 'q8Zr3vLx0TpW6yBm'.repeat(2)],
    ['SESSION_KEY', '1234567890'.repeat(4)],
    ['LINK_KEY', 'password'.repeat(5)],
    ['SEALING_KEY', 'ab'.repeat(20)],
    ['JWT_SECRET_PREVIOUS', `${'y'.repeat(40)}`],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://169.254.169.254'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://2852039166'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://[::ffff:a9fe:a9fe]'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://[fd00:ec2::254]'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://metadata.google.internal'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://10.0.0.8'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://localhost:4000'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'https://minio'],
    ['DOWNLOAD_EXTRA_ORIGINS', 'http://media.example'],
    ['RATE_LIMITS', 'false'],
    ['AUTOPOSTER_FAULT', 'claim:before'],
  ])('refuses %s=%s by name', (name, value) => expect(refused({ [name]: value })).toEqual([name]));

  it('reports all errors together, each once', () => {
    const wrong = {
      PUBLIC_URL: 'http://post.example',
      OIDC_ISSUER_URL: 'http://accounts.example',
      TRUST_PROXY: 'true',
      JWT_SECRET: 'x'.repeat(32),
      DOWNLOAD_EXTRA_ORIGINS: 'https://169.254.169.254,http://10.0.0.1',
      AUTOPOSTER_FAULT: 'commit:after',
    };
    expect(refused(wrong).sort()).toEqual(Object.keys(wrong).sort());
  });

  it.each([
    ['openssl rand -hex 32', '3f9a1c77e0b24d58a6c1f0927bd43e815cc2907fe1ab4d6690ff12d3847ac5be'],
    ['openssl rand -base64 48', 'kX1v0bq9mJ7Zc3hT5yRw8LrN2sFdG6uAePiVoQxWzYtBnCjM4lHkSaD+UgEf/I7='],
  ])('accepts what %s prints', (_command, secret) => expect(() => loadConfig('gateway', { ...SAFE, JWT_SECRET: secret })).not.toThrow());

  it.each(['1', '2', '10.0.0.0/8', 'loopback', '10.0.0.1, 2001:db8::/32', 'false'])('accepts TRUST_PROXY=%s', (value) => {
    expect(() => loadConfig('gateway', { ...SAFE, TRUST_PROXY: value })).not.toThrow();
  });

  it.each(['yes', '17', '10.0.0.0/33', 'proxy.example', '1,'])('refuses TRUST_PROXY=%s in any environment', (value) => {
    expect(wrongOf('gateway', { ...GATEWAY, TRUST_PROXY: value }).wrong.map(({ name }) => name)).toEqual(['TRUST_PROXY']);
  });

  it('refuses a metadata address as a source of media in any environment', () => {
    const environment = { DATABASE_URL, DOWNLOAD_EXTRA_ORIGINS: 'http://169.254.169.254' };
    expect(wrongOf('downloader', environment).wrong.map(({ name }) => name)).toEqual(['DOWNLOAD_EXTRA_ORIGINS']);
  });

  it('requires no JWT_SECRET if the keys are given', () => {
    const { JWT_SECRET: _none, ...rest } = SAFE;
    expect(() => loadConfig('gateway', { ...rest, SESSION_KEY: RANDOM, LINK_KEY: `${RANDOM}2` })).not.toThrow();
    expect(wrongOf('gateway', { ...rest, SESSION_KEY: RANDOM }).wrong.map(({ name }) => name)).toEqual(['JWT_SECRET']);
  });
});

describe('VARIABLES', () => {
  it.each(Object.entries(VARIABLES))('gives %s a meaning and a default text that parses to its default', (name, variable) => {
    const fromNothing = variable.schema.safeParse(undefined);
    const fromText = variable.schema.safeParse(defaultTextOf(variable));
    expect(fromText).toEqual(fromNothing);
    expect(variable.meaning).toMatch(/^[A-Z].*\.$/u);
    expect(envExample()).toMatch(new RegExp(`^#? ?${name}=`, 'mu'));
  });
});
