import { ConfigError } from './config-error';
import { envExample } from './env-example';
import { loadConfig } from './load-config';
import { VARIABLES } from './variables';

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
  it('fills what is not set', () => {
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

  it('never tells a value', () => {
    const error = wrongOf('downloader', { DATABASE_URL: 'mysql://root:hunter2@db/x', REDDIT_API_URL: 'https://u:hunter2@reddit.example/' });
    expect(error.message).toContain('DATABASE_URL');
    expect(error.message).toContain('REDDIT_API_URL');
    expect(error.message).not.toContain('hunter2');
  });

  it('asks each service only for what it needs', () => {
    expect(() => loadConfig('dmca-worker', { DATABASE_URL })).not.toThrow();
    expect(wrongOf('gateway', { DATABASE_URL }).wrong).toHaveLength(4);
    expect(loadConfig('gateway', GATEWAY).adminEmails).toEqual(['ann@example.org', 'bob@example.org']);
  });

  it('says "not configured" for an outside system without credentials, and what is missing', () => {
    const config = loadConfig('downloader', { DATABASE_URL, REDDIT_CLIENT_ID: 'id' });
    expect(config.reddit).toEqual({ configured: false, missing: ['REDDIT_CLIENT_SECRET', 'REDDIT_USER_AGENT'] });
    expect(config.gemini).toEqual({ configured: false, missing: ['GEMINI_API_KEY'] });
    const whole = loadConfig('downloader', { DATABASE_URL, GEMINI_API_KEY: 'k' });
    expect(whole.gemini).toMatchObject({ configured: true, apiKey: 'k', url: 'https://generativelanguage.googleapis.com' });
  });

  it('takes origins without a path, whatever slash is at their end', () => {
    expect(loadConfig('gateway', { ...GATEWAY, PUBLIC_URL: 'https://post.example/' }).http.publicUrl).toBe('https://post.example');
    expect(wrongOf('gateway', { ...GATEWAY, PUBLIC_URL: 'https://post.example/app' }).wrong.map(({ name }) => name)).toEqual([
      'PUBLIC_URL',
    ]);
  });

  it('needs brokers for Kafka', () => {
    expect(wrongOf('downloader', { DATABASE_URL, EVENT_BUS: 'kafka' }).wrong.map(({ name }) => name)).toEqual(['KAFKA_BROKERS']);
    expect(loadConfig('downloader', { DATABASE_URL, EVENT_BUS: 'kafka', KAFKA_BROKERS: 'a:9092, b:9092' }).bus.brokers).toEqual([
      'a:9092',
      'b:9092',
    ]);
  });

  it('takes plain http for extra media origins, but not in production', () => {
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

describe('the table of variables', () => {
  it.each(Object.entries(VARIABLES))('%s tells the default that it has', (name, variable) => {
    const fromNothing = variable.schema.safeParse(undefined);
    const fromText = variable.schema.safeParse(variable.defaultText);
    expect(fromText).toEqual(fromNothing);
    expect(variable.meaning).toMatch(/^[A-Z].*\.$/u);
    expect(envExample()).toMatch(new RegExp(`^#? ?${name}=`, 'mu'));
  });
});
