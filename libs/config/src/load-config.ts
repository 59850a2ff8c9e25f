import type { z } from 'zod';
import { isLoopbackHost, isMetadataHost, isPublicHost } from './addresses';
import { isDerived, isRandomLooking, keysOf } from './keys';
import { ConfigError, type Service, type Variable, type WrongVariable } from './variable';
import { VARIABLES, type VariableName } from './variables';

type Values = { [Name in VariableName]: z.output<(typeof VARIABLES)[Name]['schema']> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of an optional external system without credentials; `missing` names the variables. */
interface NotConfigured {
  configured: false;
  missing: readonly VariableName[];
}
type Optional<Settings> = (Settings & { configured: true }) | NotConfigured;

export type Config = ReturnType<typeof arrange>;

/**
 * Reads and checks every variable, of `process.env` by default. Throws a `ConfigError` that names all wrong ones at once. External systems
 * without credentials are `{ configured: false, missing }`.
 */
export function loadConfig(service: Service, environment: Environment = process.env): Config {
  const wrong: WrongVariable[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    const parsed = variable.schema.safeParse(environment[name]);
    const replaced = variable.replacedBy?.every((other) => environment[other]?.trim()) ?? false;
    const required = !replaced && (variable.requiredBy?.includes(service) ?? false);
    if (!parsed.success) wrong.push(wrongOf(name, environment[name] ? (parsed.error.issues[0]?.message ?? 'is wrong') : 'is missing'));
    else if (required && isEmpty(parsed.data)) wrong.push(wrongOf(name, 'is missing'));
    else values[name] = parsed.data;
  }
  wrong.push(...crossChecks(values as Partial<Values>, new Set(wrong.map(({ name }) => name))));
  if (wrong.length > 0) throw new ConfigError(wrong);
  return arrange(service, values as Values);
}

const isEmpty = (value: unknown): boolean => value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function wrongOf(name: string, problem: string): WrongVariable {
  const { meaning, source } = VARIABLES[name as VariableName] as Variable;
  return { name, problem, meaning, ...(source ? { source } : {}) };
}

/** Rules between variables. A variable is named once only. */
function crossChecks(values: Partial<Values>, named: ReadonlySet<string>): WrongVariable[] {
  const wrong: WrongVariable[] = [];
  const check: Check = (name, met, problem) => {
    if (!met && !named.has(name) && !wrong.some((one) => one.name === name)) wrong.push(wrongOf(name, problem));
  };
  if (values.EVENT_BUS === 'kafka') check('KAFKA_BROKERS', !isEmpty(values.KAFKA_BROKERS), 'is missing, but EVENT_BUS is kafka');
  for (const name of ['ALERT_EMAIL_FROM', 'ALERT_EMAIL_TO'] as const)
    if (!isEmpty(values.ALERT_SMTP_URL)) check(name, !isEmpty(values[name]), 'is missing, but ALERT_SMTP_URL is set');
  if (values.OBJECT_STORE === 'minio') {
    for (const name of ['MINIO_ENDPOINT', 'MINIO_ACCESS_KEY', 'MINIO_SECRET_KEY'] as const) {
      check(name, !isEmpty(values[name]), 'is missing, but OBJECT_STORE is minio');
    }
  }
  for (const name of SECRETS) {
    const given = values[name];
    for (const secret of (typeof given === 'string' ? [given] : (given ?? [])).filter((one) => !isDerived(one))) {
      check(name, secret.length >= 32, 'is shorter than 32 characters');
    }
  }
  for (const entry of values.DOWNLOAD_EXTRA_ORIGINS ?? []) {
    check('DOWNLOAD_EXTRA_ORIGINS', isOrigin(entry), 'must hold origins such as https://host.example');
    if (isOrigin(entry)) check('DOWNLOAD_EXTRA_ORIGINS', !isMetadataHost(new URL(entry)), 'must not hold a metadata or link-local address');
  }
  if (values.NODE_ENV === 'production') productionChecks(values, check);
  return wrong;
}

type Check = (name: VariableName, met: boolean, problem: string) => void;

const SECRETS = [
  'JWT_SECRET',
  'SESSION_KEY',
  'LINK_KEY',
  'SEALING_KEY',
  'EVIDENCE_KEY',
  'JWT_SECRET_PREVIOUS',
  'SESSION_KEY_PREVIOUS',
  'LINK_KEY_PREVIOUS',
  'SEALING_KEY_PREVIOUS',
  'EVIDENCE_KEY_PREVIOUS',
] as const;

/** Addresses that receive sessions, sign-in codes or the client's secret. */
const CONFIDENTIAL = [
  'PUBLIC_URL',
  'GOOGLE_AUTHORIZATION_URL',
  'GOOGLE_TOKEN_URL',
  'GOOGLE_USERINFO_URL',
  'OIDC_ISSUER_URL',
  'INSTAGRAM_LOGIN_URL',
  'INSTAGRAM_TOKEN_URL',
  'FACEBOOK_LOGIN_URL',
] as const;

/** Settings that are useful on a developer's machine and dangerous with real accounts. */
function productionChecks(values: Partial<Values>, check: Check): void {
  for (const name of CONFIDENTIAL) {
    const address = values[name];
    if (address === undefined) continue;
    const url = new URL(address);
    check(name, url.protocol === 'https:' || isLoopbackHost(url), 'must be https in production, unless it is on this machine');
  }
  check(
    'TRUST_PROXY',
    values.TRUST_PROXY !== true,
    'must not be true in production, because anyone could then choose the address they are known by: give the number of proxies or their addresses',
  );
  for (const name of SECRETS) {
    const given = values[name];
    for (const secret of (typeof given === 'string' ? [given] : (given ?? [])).filter((one) => !isDerived(one))) {
      check(name, isRandomLooking(secret), 'is easy to guess: take a random value');
    }
  }
  for (const entry of (values.DOWNLOAD_EXTRA_ORIGINS ?? []).filter(isOrigin)) {
    const url = new URL(entry);
    check('DOWNLOAD_EXTRA_ORIGINS', url.protocol === 'https:', 'must hold https origins only in production');
    check('DOWNLOAD_EXTRA_ORIGINS', isPublicHost(url), 'must hold public hosts only in production, no private, loopback or internal one');
  }
  check('RATE_LIMITS', values.RATE_LIMITS !== false, 'must be true in production');
  check('AUTOPOSTER_FAULT', isEmpty(values.AUTOPOSTER_FAULT), 'must be empty in production: it kills the process on purpose');
}

function isOrigin(value: string): boolean {
  try {
    const url = new URL(value);
    return ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && url.search === '' && url.username === '';
  } catch {
    return false;
  }
}

/** How accounts are connected, in each login; an application whose id is not set is `null`. */
function loginOf(values: Values) {
  const token = values.INSTAGRAM_ACCESS_TOKEN ?? '';
  // the one application of an installation that publishes with a token of Facebook Login
  const isOfFacebook = values.INSTAGRAM_LOGIN_FLAVOUR === 'facebook' || (!values.INSTAGRAM_LOGIN_FLAVOUR && token.startsWith('EA'));
  const own = { id: values.INSTAGRAM_APP_ID ?? null, secret: values.INSTAGRAM_APP_SECRET ?? null };
  const facebook = { id: values.FACEBOOK_APP_ID ?? null, secret: values.FACEBOOK_APP_SECRET ?? null };
  const hasFacebook = facebook.id !== null || facebook.secret !== null;
  const apps = { instagram: own, facebook: !hasFacebook && isOfFacebook ? own : facebook };
  return {
    apps,
    /** The application of the configured token: its secret alone signs calls with that token. */
    ownApp: isOfFacebook ? apps.facebook : own,
    loginUrls: { instagram: values.INSTAGRAM_LOGIN_URL, facebook: values.FACEBOOK_LOGIN_URL },
    tokenUrl: values.INSTAGRAM_TOKEN_URL,
    graphUrl: values.INSTAGRAM_GRAPH_URL ?? null,
    uploadUrl: values.INSTAGRAM_UPLOAD_URL,
    apiVersion: values.INSTAGRAM_API_VERSION,
  };
}

/** Where alerts go; a channel without an address is off. */
function alertsOf(values: Values) {
  const { ALERT_WEBHOOK_URL: url, ALERT_SMTP_URL: server, ALERT_EMAIL_FROM: from, ALERT_EMAIL_TO: to } = values;
  return {
    webhook: url === undefined ? null : { url, secret: values.ALERT_WEBHOOK_SECRET ?? null },
    slackUrl: values.ALERT_SLACK_URL ?? null,
    email: server === undefined || from === undefined || to.length === 0 ? null : { url: server, from, to },
  };
}

function arrange(service: Service, values: Values) {
  const optional = <Settings extends object>(needs: readonly VariableName[], settings: () => Settings): Optional<Settings> => {
    const missing = needs.filter((name) => isEmpty(values[name]));
    return missing.length > 0 ? { configured: false, missing } : { configured: true, ...settings() };
  };
  const set = (value: string | undefined): string => value ?? '';
  const shared = { shared: values.JWT_SECRET, sharedPrevious: values.JWT_SECRET_PREVIOUS };
  const { ownApp, ...instagramLogin } = loginOf(values);
  return {
    service,
    production: values.NODE_ENV === 'production',
    environment: values.NODE_ENV,
    database: {
      url: values.DATABASE_URL,
      poolSize: values.DATABASE_POOL_SIZE,
      limits: { statementMs: values.DATABASE_STATEMENT_SECONDS * 1_000, lockMs: values.DATABASE_LOCK_SECONDS * 1_000 },
    },
    bus: { kind: values.EVENT_BUS, brokers: values.KAFKA_BROKERS, replication: values.KAFKA_REPLICATION, facts: values.PUBLISH_FACTS },
    objects: {
      kind: values.OBJECT_STORE,
      endpoint: set(values.MINIO_ENDPOINT),
      accessKey: set(values.MINIO_ACCESS_KEY),
      secretKey: set(values.MINIO_SECRET_KEY),
      bucket: values.MINIO_BUCKET,
      region: values.MINIO_REGION,
    },
    dataDir: values.DATA_DIR,
    log: { level: values.LOG_LEVEL, folder: values.LOG_DIR ?? null },
    pods: values.POD_NAMESPACE ? { namespace: values.POD_NAMESPACE, selector: values.POD_SELECTOR } : null,
    http: {
      host: values.HOST,
      port: values.PORT,
      metricsPort: values.METRICS_PORT,
      shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS,
      publicUrl: values.PUBLIC_URL,
      cdnBaseUrl: values.CDN_BASE_URL ?? null,
      rateLimits: values.RATE_LIMITS,
      trustProxy: values.TRUST_PROXY,
      consoleFolder: values.CONSOLE_DIR ?? null,
    },
    timeZone: values.TIME_ZONE,
    alerts: alertsOf(values),
    schedulersStart: values.SCHEDULERS_START,
    keys: {
      session: keysOf('session', { ...shared, own: values.SESSION_KEY, ownPrevious: values.SESSION_KEY_PREVIOUS }),
      link: keysOf('link', { ...shared, own: values.LINK_KEY, ownPrevious: values.LINK_KEY_PREVIOUS }),
      sealing: keysOf('sealing', { ...shared, own: values.SEALING_KEY, ownPrevious: values.SEALING_KEY_PREVIOUS }),
      evidence: keysOf('evidence', { ...shared, own: values.EVIDENCE_KEY, ownPrevious: values.EVIDENCE_KEY_PREVIOUS }),
    },
    adminEmails: values.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    adminAccounts: values.ADMIN_ACCOUNTS,
    google: optional(['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'], () => ({
      clientId: set(values.GOOGLE_CLIENT_ID),
      clientSecret: set(values.GOOGLE_CLIENT_SECRET),
      authorizationUrl: values.GOOGLE_AUTHORIZATION_URL,
      tokenUrl: values.GOOGLE_TOKEN_URL,
      userinfoUrl: values.GOOGLE_USERINFO_URL,
      issuerUrl: values.OIDC_ISSUER_URL ?? null,
    })),
    reddit: optional(['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET', 'REDDIT_USER_AGENT'], () => ({
      clientId: set(values.REDDIT_CLIENT_ID),
      clientSecret: set(values.REDDIT_CLIENT_SECRET),
      userAgent: set(values.REDDIT_USER_AGENT),
      authUrl: values.REDDIT_AUTH_URL,
      apiUrl: values.REDDIT_API_URL,
    })),
    downloadExtraOrigins: values.DOWNLOAD_EXTRA_ORIGINS,
    instagram: optional(['INSTAGRAM_ACCESS_TOKEN', 'INSTAGRAM_BUSINESS_ACCOUNT_ID'], () => ({
      accessToken: set(values.INSTAGRAM_ACCESS_TOKEN),
      accountId: set(values.INSTAGRAM_BUSINESS_ACCOUNT_ID),
      flavour: values.INSTAGRAM_LOGIN_FLAVOUR ?? null,
      appId: ownApp.id,
      appSecret: ownApp.secret,
      graphUrl: values.INSTAGRAM_GRAPH_URL ?? null,
      uploadUrl: values.INSTAGRAM_UPLOAD_URL,
      apiVersion: values.INSTAGRAM_API_VERSION,
    })),
    instagramLogin,
    publishing: {
      maxHashtags: values.INSTAGRAM_HASHTAG_LIMIT,
      containerPollSeconds: values.CONTAINER_POLL_SECONDS,
      reconcileLooksAtSeconds: values.RECONCILE_LOOKS_SECONDS,
      believeAbsentAfterSeconds: values.RECONCILE_ABSENT_SECONDS,
    },
    gemini: optional(['GEMINI_API_KEY'], () => ({
      apiKey: set(values.GEMINI_API_KEY),
      url: values.GEMINI_API_URL,
      model: values.GEMINI_MODEL,
    })),
    groq: optional(['GROQ_API_KEY'], () => ({ apiKey: set(values.GROQ_API_KEY), url: values.GROQ_API_URL, model: values.GROQ_MODEL })),
    aiDailyLimit: values.AI_DAILY_LIMIT,
    media: { ffmpegPath: values.FFMPEG_PATH, ffprobePath: values.FFPROBE_PATH },
    chromePath: values.CHROME_PATH ?? null,
    stage: {
      leaseSeconds: values.STAGE_LEASE_SECONDS,
      /** 0: the stage's own number. */
      slots: values.STAGE_SLOTS,
      retrySeconds: values.STAGE_RETRY_SECONDS,
      drainSeconds: values.DRAIN_SECONDS,
    },
    schedulerSeconds: values.CLOCK_SECONDS,
    fault: values.AUTOPOSTER_FAULT ?? null,
    traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  };
}
