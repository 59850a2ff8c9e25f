import { LIMITS } from '@autoposter/contracts';
import { INSTAGRAM_VARIABLES } from './instagram-variables';
import * as read from './readers';
import { SERVICES, type Variable, type VariableGroup } from './variable';

/** Receivers of alerts: any of webhook, Slack and mail, or none. */
const ALERT_VARIABLES = {
  ALERT_WEBHOOK_URL: {
    schema: read.addressOrNone(),
    meaning: 'Receives a JSON message when publishing fails, a token expires, a job is dead or the bus keeps refusing messages.',
    secret: true,
  },
  ALERT_WEBHOOK_SECRET: {
    schema: read.text(),
    meaning: 'Signs the messages to ALERT_WEBHOOK_URL (HMAC-SHA256 in the header Autoposter-Signature).',
    secret: true,
  },
  ALERT_SLACK_URL: {
    schema: read.addressOrNone(),
    meaning: 'Incoming webhook of Slack, or of a service that accepts its messages, for the same alerts.',
    secret: true,
  },
  ALERT_SMTP_URL: {
    schema: read.mailServerOrNone(),
    meaning: 'Mail server for the same alerts, as smtps://user:password@host:465 or smtp://host:587; needs both addresses below.',
    secret: true,
  },
  ALERT_EMAIL_FROM: { schema: read.mailboxOrNone(), meaning: 'Sender of alert mails.' },
  ALERT_EMAIL_TO: { schema: read.mailboxes(), meaning: 'Receivers of alert mails, comma-separated.' },
} as const satisfies VariableGroup;

const define = <const Table extends Record<string, Variable>>(table: Table): Table => table;

/** Every environment variable of the product. Nothing else in it reads the environment. */
export const VARIABLES = define({
  NODE_ENV: {
    schema: read.oneOf(['development', 'test', 'production'], 'development'),
    meaning: 'Kind of installation; npm start uses production, which refuses plain http for media sources.',
  },
  DATABASE_URL: {
    schema: read.databaseAddress(),
    meaning: 'PostgreSQL 17 or 18. On one machine the launcher starts an embedded server when this is empty.',
    source: 'Your database administrator: postgresql://user:password@host:5432/name',
    secret: true,
    requiredBy: SERVICES,
  },
  DATABASE_POOL_SIZE: { schema: read.wholeNumber(8, 2, 100), meaning: 'Connections to the database per process.' },
  DATABASE_STATEMENT_SECONDS: {
    schema: read.wholeNumber(20, 1, 600),
    meaning: 'Seconds after which the database ends a statement; a connection without an answer is closed five seconds later.',
  },
  DATABASE_LOCK_SECONDS: {
    schema: read.wholeNumber(10, 1, 600),
    meaning: 'Seconds after which the database ends a statement that waits for a lock.',
  },
  EVENT_BUS: {
    schema: read.oneOf(['postgres', 'kafka'], 'postgres'),
    meaning: 'What announces jobs to the workers: kafka, or postgres, which needs no Kafka.',
  },
  KAFKA_BROKERS: {
    schema: read.list(),
    meaning: 'Kafka bootstrap servers, comma-separated; needed when EVENT_BUS=kafka.',
    source: 'host:9092,host:9092',
  },
  KAFKA_REPLICATION: {
    schema: read.wholeNumber(1, 1, 9),
    meaning: 'Replication factor of the topics that are created.',
  },
  PUBLISH_FACTS: {
    schema: read.flag(false),
    meaning: 'Whether facts are published to Kafka for other programs; the product reads them from the database.',
  },
  OBJECT_STORE: {
    schema: read.oneOf(['local', 'minio'], 'local'),
    meaning: 'Where media is stored: local (a folder in DATA_DIR) or minio (MinIO or any S3-compatible store).',
  },
  MINIO_ENDPOINT: {
    schema: read.originOrNone(),
    meaning: 'Address of the object store; needed when OBJECT_STORE=minio.',
    source: 'http://host:9000',
  },
  MINIO_ACCESS_KEY: { schema: read.text(), meaning: 'Access key of the object store.', secret: true },
  MINIO_SECRET_KEY: { schema: read.text(), meaning: 'Secret key of the object store.', secret: true },
  MINIO_BUCKET: { schema: read.textOr('autoposter'), meaning: 'Bucket that holds the media.' },
  MINIO_REGION: {
    schema: read.textOr('us-east-1'),
    meaning: "Region of the bucket, part of each request's signature; MinIO uses us-east-1 unless configured otherwise.",
  },
  DATA_DIR: { schema: read.textOr('./data'), meaning: 'Folder for all data on this machine.' },
  LOG_LEVEL: {
    schema: read.oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    meaning: 'Lowest level that the services log.',
  },
  LOG_DIR: {
    schema: read.text(),
    meaning: "Folder of the launcher's log files, read by the Logs screen; empty on Kubernetes.",
  },
  POD_NAMESPACE: { schema: read.text(), meaning: 'Namespace whose pod logs the Logs screen reads; set by the chart.' },
  POD_SELECTOR: {
    schema: read.textOr('app.kubernetes.io/part-of=autoposter'),
    meaning: 'Label selector of those pods.',
  },

  HOST: {
    schema: read.textOr('127.0.0.1'),
    meaning: 'Address on which the services listen; 0.0.0.0 in containers.',
  },
  PORT: { schema: read.wholeNumber(3000, 1, 65535), meaning: 'Port of the gateway; Google sign-in needs it fixed.' },
  METRICS_PORT: {
    schema: read.wholeNumber(0, 0, 65535),
    meaning: 'Management port of each service for /healthz, /readyz and /metrics, not for browsers; 0 selects a free port.',
  },
  PUBLIC_URL: {
    schema: read.originOr('http://127.0.0.1:3000'),
    meaning: 'Origin at which browsers reach the product.',
  },
  CDN_BASE_URL: {
    schema: read.originOrNone(),
    meaning:
      'Public origin of the gateway, where Instagram fetches media; without it only videos can be published, and only with Facebook Login.',
  },
  TRUST_PROXY: {
    schema: read.trustedProxies(),
    meaning:
      'Trusted proxies in front of the gateway: false, a number of hops, or addresses; true trusts every client and is refused in production.',
  },
  RATE_LIMITS: {
    schema: read.flag(true),
    meaning: 'Whether the gateway limits the request rate; false is for trials and refused in production.',
  },
  CONSOLE_DIR: { schema: read.text(), meaning: 'Folder of the built console that the gateway serves.' },
  TIME_ZONE: { schema: read.timeZone('UTC'), meaning: 'Time zone of the queue until an administrator sets one in the console.' },
  ...ALERT_VARIABLES,
  SCHEDULERS_START: {
    schema: read.flag(false),
    meaning: 'Whether queue and schedulers run after the first start; otherwise an administrator starts them.',
  },

  JWT_SECRET: {
    schema: read.text(),
    meaning:
      'Secret from which SESSION_KEY, LINK_KEY, SEALING_KEY and EVIDENCE_KEY are derived unless they are set; at least 32 random characters.',
    source: 'openssl rand -base64 48',
    secret: true,
    requiredBy: ['gateway'],
    replacedBy: ['SESSION_KEY', 'LINK_KEY'],
  },
  JWT_SECRET_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of JWT_SECRET, comma-separated; data that they signed or encrypted is still accepted during a rotation.',
    secret: true,
  },
  SESSION_KEY: {
    schema: read.text(),
    meaning: 'Signs sessions; at least 32 random characters.',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  SESSION_KEY_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of SESSION_KEY, comma-separated, still accepted.',
    secret: true,
  },
  LINK_KEY: {
    schema: read.text(),
    meaning: 'Signs the links to media; at least 32 random characters.',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  LINK_KEY_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of LINK_KEY, comma-separated, still accepted.',
    secret: true,
  },
  SEALING_KEY: {
    schema: read.text(),
    meaning:
      'Encrypts Instagram tokens in the database; at least 32 random characters. The downloader, which has no JWT_SECRET, needs it to read them.',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  SEALING_KEY_PREVIOUS: {
    schema: read.list(),
    meaning:
      'Former values of SEALING_KEY, comma-separated; tokens encrypted with them are still read, and encrypted again with the current key.',
    secret: true,
  },
  EVIDENCE_KEY: {
    schema: read.text(),
    meaning: 'Signs evidence bundles (Ed25519); at least 32 random characters.',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  EVIDENCE_KEY_PREVIOUS: {
    schema: read.list(),
    meaning:
      'Former values of EVIDENCE_KEY, comma-separated; their public keys stay listed, so that bundles signed with them can be verified.',
    secret: true,
  },
  ADMIN_EMAILS: {
    schema: read.mailboxes(),
    meaning: 'E-mail addresses that may use the product, comma-separated.',
    requiredBy: ['gateway'],
  },
  ADMIN_ACCOUNTS: {
    schema: read.accounts(),
    meaning:
      "Google account ids accepted in place of an administrator's known account, as address=account id, comma-separated. The audit log contains the id of a refused account.",
  },
  GOOGLE_CLIENT_ID: {
    schema: read.text(),
    meaning: 'Client of the Google sign-in.',
    source: 'https://console.cloud.google.com/apis/credentials, callback PUBLIC_URL/api/auth/google/callback',
    requiredBy: ['gateway'],
  },
  GOOGLE_CLIENT_SECRET: {
    schema: read.text(),
    meaning: 'Secret of that client.',
    source: 'https://console.cloud.google.com/apis/credentials',
    secret: true,
    requiredBy: ['gateway'],
  },
  GOOGLE_AUTHORIZATION_URL: {
    schema: read.addressOr('https://accounts.google.com/o/oauth2/v2/auth'),
    meaning: 'Full URL of the authorization endpoint.',
  },
  GOOGLE_TOKEN_URL: {
    schema: read.addressOr('https://oauth2.googleapis.com/token'),
    meaning: 'Full URL of the token endpoint.',
  },
  GOOGLE_USERINFO_URL: {
    schema: read.addressOr('https://openidconnect.googleapis.com/v1/userinfo'),
    meaning: 'Full URL of the userinfo endpoint.',
  },
  OIDC_ISSUER_URL: { schema: read.addressOrNone(), meaning: 'OpenID Connect issuer to use instead of Google.' },

  REDDIT_CLIENT_ID: {
    schema: read.headerText(),
    meaning: 'Client of the Reddit API; without it Reddit is "not configured".',
    source: 'https://www.reddit.com/prefs/apps (type "script" or "web app")',
  },
  REDDIT_CLIENT_SECRET: {
    schema: read.headerText(),
    meaning: 'Secret of that client.',
    source: 'https://www.reddit.com/prefs/apps',
    secret: true,
  },
  REDDIT_USER_AGENT: {
    schema: read.headerText(),
    meaning: 'User agent of requests to Reddit, for example linux:autoposter:0.1.0 (by /u/name).',
  },
  REDDIT_AUTH_URL: {
    schema: read.originOr('https://www.reddit.com'),
    meaning: 'Origin for tokens and share links.',
  },
  REDDIT_API_URL: {
    schema: read.originOr('https://oauth.reddit.com'),
    meaning: 'Origin of the API.',
  },
  DOWNLOAD_EXTRA_ORIGINS: {
    schema: read.list(),
    meaning: 'Origins from which media may be fetched in addition to the built-in ones, comma-separated; production accepts https only.',
  },

  ...INSTAGRAM_VARIABLES,
  CONTAINER_POLL_SECONDS: {
    schema: read.wholeNumber(60, 1, 3600),
    meaning:
      'Maximum seconds between two status checks of a media container; the first check is after 5 s, later ones at growing intervals.',
  },
  RECONCILE_LOOKS_SECONDS: {
    schema: read.secondsList([60, 180, 600, 1800, 3600, 7200, 14400, 28800, 57600, 86400]),
    meaning: 'Seconds after an unknown publish result at which the account is checked; after the last check an administrator decides.',
  },
  RECONCILE_ABSENT_SECONDS: {
    schema: read.wholeNumber(600, 1, 86400),
    meaning: 'Seconds after a publish call before a post that the account does not show counts as not published.',
  },

  GEMINI_API_KEY: {
    schema: read.headerText(),
    meaning: 'Key of the model that describes frames; without it the offline model is used.',
    source: 'https://aistudio.google.com/apikey',
    secret: true,
  },
  GEMINI_API_URL: {
    schema: read.originOr('https://generativelanguage.googleapis.com'),
    meaning: 'Origin of the Gemini API.',
  },
  GEMINI_MODEL: {
    schema: read.textOr('gemini-3.5-flash-lite'),
    meaning: 'Model that describes frames.',
  },
  GROQ_API_KEY: {
    schema: read.headerText(),
    meaning: 'Key for writing captions; without it Gemini or the offline model writes.',
    source: 'https://console.groq.com/keys',
    secret: true,
  },
  GROQ_API_URL: { schema: read.originOr('https://api.groq.com'), meaning: 'Origin of the Groq API.' },
  GROQ_MODEL: { schema: read.textOr('openai/gpt-oss-120b'), meaning: 'Model that writes captions.' },
  AI_DAILY_LIMIT: {
    schema: read.wholeNumber(LIMITS.ai.requestsPerDay, 1, 1_000_000),
    meaning: "Maximum requests per day to each AI provider; Gemini's day ends at midnight Pacific time.",
  },

  FFMPEG_PATH: { schema: read.textOr('ffmpeg'), meaning: 'The ffmpeg program.' },
  FFPROBE_PATH: { schema: read.textOr('ffprobe'), meaning: 'The ffprobe program.' },
  CHROME_PATH: { schema: read.text(), meaning: 'Chromium or Chrome for the browser tests.' },

  STAGE_LEASE_SECONDS: {
    schema: read.wholeNumber(30, 1, 3600),
    meaning: 'Seconds without a sign of life from a worker after which another one takes over its job.',
  },
  STAGE_SLOTS: {
    schema: read.wholeNumber(0, 0, 64),
    meaning: 'Concurrent jobs per stage and process; 0 uses the default of the stage.',
  },
  STAGE_RETRY_SECONDS: {
    schema: read.wholeNumber(10, 1, 3600),
    meaning: 'Seconds before the first automatic retry; each further one waits longer.',
  },
  DRAIN_SECONDS: {
    schema: read.wholeNumber(15, 0, 3600),
    meaning: 'Seconds for running jobs to finish when the process is stopped.',
  },
  SHUTDOWN_DELAY_SECONDS: {
    schema: read.wholeNumber(0, 0, 300),
    meaning: 'Seconds for which the gateway still accepts requests after the stop signal, until load balancers have noticed it.',
  },
  CLOCK_SECONDS: { schema: read.wholeNumber(1, 1, 60), meaning: 'Seconds between two rounds of the scheduler.' },
  AUTOPOSTER_FAULT: {
    schema: read.faultPlace(),
    meaning: 'Point at which the process kills itself; for reliability trials only.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { schema: read.addressOrNone(), meaning: 'OpenTelemetry collector for traces; no traces when empty.' },
});

export type VariableName = keyof typeof VARIABLES;

/** The default as written in an `.env` file; empty without one. */
export function defaultTextOf({ schema }: Variable): string {
  const fallback: unknown = schema.safeParse(undefined).data;
  if (fallback === undefined) return '';
  return typeof fallback === 'object' ? [...(fallback as Iterable<unknown>)].join(',') : String(fallback as string | number | boolean);
}

/** The text of `.env.example`: each variable with its meaning, default and where to get it. */
export function envExample(): string {
  const blocks = Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const { meaning, source, requiredBy } = variable;
    const defaultText = defaultTextOf(variable);
    return [
      `# ${meaning}${requiredBy ? ' Required.' : ''}`,
      ...(source ? [`# Where to get it: ${source}`] : []),
      `# Default: ${defaultText === '' ? 'none' : defaultText}`,
      requiredBy ? `${name}=` : `# ${name}=${defaultText}`,
    ].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}
