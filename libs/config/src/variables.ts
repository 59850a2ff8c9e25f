import { LIMITS } from '@autoposter/contracts';
import { ALERT_VARIABLES } from './alert-variables';
import { INSTAGRAM_VARIABLES } from './instagram-variables';
import * as read from './readers';
import { SERVICES, type Variable } from './variable';

const define = <const Table extends Record<string, Variable>>(table: Table): Table => table;

/** Every environment variable of the product. Nothing else in it reads the environment. */
export const VARIABLES = define({
  NODE_ENV: {
    schema: read.oneOf(['development', 'test', 'production'], 'development'),
    meaning: 'What kind of installation this is; npm start takes production, which refuses plain http for media sources.',
    defaultText: 'development',
  },
  DATABASE_URL: {
    schema: read.databaseAddress(),
    meaning: 'PostgreSQL 17 or 18. On one machine the launcher starts an embedded server when this is empty.',
    defaultText: '',
    source: 'Your database administrator: postgresql://user:password@host:5432/name',
    secret: true,
    requiredBy: SERVICES,
  },
  DATABASE_POOL_SIZE: { schema: read.wholeNumber(8, 2, 100), meaning: 'Connections to the database per process.', defaultText: '8' },
  DATABASE_STATEMENT_SECONDS: {
    schema: read.wholeNumber(20, 1, 600),
    meaning: 'Seconds after which the database ends a statement; a connection without an answer is closed five seconds later.',
    defaultText: '20',
  },
  DATABASE_LOCK_SECONDS: {
    schema: read.wholeNumber(10, 1, 600),
    meaning: 'Seconds after which the database ends a statement that waits for a lock.',
    defaultText: '10',
  },
  EVENT_BUS: {
    schema: read.oneOf(['postgres', 'kafka'], 'postgres'),
    meaning: 'What announces jobs to the workers: kafka, or postgres where no Kafka is wanted.',
    defaultText: 'postgres',
  },
  KAFKA_BROKERS: {
    schema: read.list(),
    meaning: 'Kafka bootstrap servers, comma-separated; needed when EVENT_BUS=kafka.',
    defaultText: '',
    source: 'host:9092,host:9092',
  },
  KAFKA_REPLICATION: {
    schema: read.wholeNumber(1, 1, 9),
    meaning: 'Copies of each partition of the topics that are created.',
    defaultText: '1',
  },
  PUBLISH_FACTS: {
    schema: read.flag(false),
    meaning: 'Whether facts are published to Kafka for other programs; the product itself reads them from its history.',
    defaultText: 'false',
  },
  OBJECT_STORE: {
    schema: read.oneOf(['local', 'minio'], 'local'),
    meaning: 'Where media lies: local (a folder in DATA_DIR) or minio (MinIO or any S3-compatible store).',
    defaultText: 'local',
  },
  MINIO_ENDPOINT: {
    schema: read.originOrNone(),
    meaning: 'Address of the object store; needed when OBJECT_STORE=minio.',
    defaultText: '',
    source: 'http://host:9000',
  },
  MINIO_ACCESS_KEY: { schema: read.text(), meaning: 'Access key of the object store.', defaultText: '', secret: true },
  MINIO_SECRET_KEY: { schema: read.text(), meaning: 'Secret key of the object store.', defaultText: '', secret: true },
  MINIO_BUCKET: { schema: read.textOr('autoposter'), meaning: 'Bucket that holds the media.', defaultText: 'autoposter' },
  MINIO_REGION: {
    schema: read.textOr('us-east-1'),
    meaning: 'Region of the bucket, which each request is signed for; MinIO uses us-east-1 unless configured otherwise.',
    defaultText: 'us-east-1',
  },
  DATA_DIR: { schema: read.textOr('./data'), meaning: 'Folder for everything that is kept on this machine.', defaultText: './data' },
  LOG_LEVEL: {
    schema: read.oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    meaning: 'How much the services say.',
    defaultText: 'info',
  },
  LOG_DIR: {
    schema: read.text(),
    meaning: "Folder of the launcher's log files, read by the Logs screen; empty on Kubernetes.",
    defaultText: '',
  },
  POD_NAMESPACE: { schema: read.text(), meaning: 'Namespace whose pod logs the Logs screen reads; set by the chart.', defaultText: '' },
  POD_SELECTOR: {
    schema: read.textOr('app.kubernetes.io/part-of=autoposter'),
    meaning: 'Label selector of those pods.',
    defaultText: 'app.kubernetes.io/part-of=autoposter',
  },

  HOST: {
    schema: read.textOr('127.0.0.1'),
    meaning: 'Address on which the services listen; 0.0.0.0 in containers.',
    defaultText: '127.0.0.1',
  },
  PORT: { schema: read.wholeNumber(3000, 0, 65535), meaning: 'Port of the gateway; Google sign-in needs it fixed.', defaultText: '3000' },
  METRICS_PORT: {
    schema: read.wholeNumber(0, 0, 65535),
    meaning: 'Management port of each service for /healthz, /readyz and /metrics, never for browsers; 0 takes a free one.',
    defaultText: '0',
  },
  PUBLIC_URL: {
    schema: read.originOr('http://127.0.0.1:3000'),
    meaning: 'Origin under which browsers reach the product.',
    defaultText: 'http://127.0.0.1:3000',
  },
  CDN_BASE_URL: {
    schema: read.originOrNone(),
    meaning: 'Public origin of the gateway, where Instagram fetches media; without one only videos go out, and only with Facebook Login.',
    defaultText: '',
  },
  TRUST_PROXY: {
    schema: read.trustedProxies(),
    meaning: 'Proxies in front of the gateway: false, a number of hops, or addresses; true, which trusts anyone, is refused in production.',
    defaultText: 'false',
  },
  RATE_LIMITS: {
    schema: read.flag(true),
    meaning: 'Whether the gateway sends away who asks too often; false is for trials and refused in production.',
    defaultText: 'true',
  },
  CONSOLE_DIR: { schema: read.text(), meaning: 'Folder of the built console that the gateway serves.', defaultText: '' },
  TIME_ZONE: { schema: read.timeZone('UTC'), meaning: 'Time zone of the queue until a person sets one on the screen.', defaultText: 'UTC' },
  ...ALERT_VARIABLES,
  SCHEDULERS_START: {
    schema: read.flag(false),
    meaning: 'Whether queue and schedulers run on the very first start, or wait for a person.',
    defaultText: 'false',
  },

  JWT_SECRET: {
    schema: read.text(),
    meaning:
      'SESSION_KEY, LINK_KEY, SEALING_KEY and EVIDENCE_KEY are derived from it where they are not set; at least 32 random characters.',
    defaultText: '',
    source: 'openssl rand -base64 48',
    secret: true,
    requiredBy: ['gateway'],
    replacedBy: ['SESSION_KEY', 'LINK_KEY'],
  },
  JWT_SECRET_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of JWT_SECRET, comma-separated: what they signed or sealed is still accepted while you rotate.',
    defaultText: '',
    secret: true,
  },
  SESSION_KEY: {
    schema: read.text(),
    meaning: 'Signs sessions; at least 32 random characters.',
    defaultText: '',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  SESSION_KEY_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of SESSION_KEY, comma-separated, still accepted.',
    defaultText: '',
    secret: true,
  },
  LINK_KEY: {
    schema: read.text(),
    meaning: 'Signs the addresses of media; at least 32 random characters.',
    defaultText: '',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  LINK_KEY_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of LINK_KEY, comma-separated, still accepted.',
    defaultText: '',
    secret: true,
  },
  SEALING_KEY: {
    schema: read.text(),
    meaning:
      'Seals a renewed Instagram token in the database; at least 32 random characters. The downloader, which gets no JWT_SECRET, opens it.',
    defaultText: '',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  SEALING_KEY_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of SEALING_KEY, comma-separated: tokens that they sealed are still opened, and sealed anew.',
    defaultText: '',
    secret: true,
  },
  EVIDENCE_KEY: {
    schema: read.text(),
    meaning: 'Signs evidence bundles (Ed25519); at least 32 random characters.',
    defaultText: '',
    source: 'openssl rand -base64 48',
    secret: true,
  },
  EVIDENCE_KEY_PREVIOUS: {
    schema: read.list(),
    meaning: 'Former values of EVIDENCE_KEY, comma-separated: their public keys are still listed for bundles that they signed.',
    defaultText: '',
    secret: true,
  },
  ADMIN_EMAILS: {
    schema: read.list(),
    meaning: 'E-mail addresses that may use the product, comma-separated.',
    defaultText: '',
    requiredBy: ['gateway'],
  },
  ADMIN_ACCOUNTS: {
    schema: read.accounts(),
    meaning:
      'Accepts another Google account for an address, as address=account id, comma-separated. The audit log names the id of an account that was refused.',
    defaultText: '',
  },
  GOOGLE_CLIENT_ID: {
    schema: read.text(),
    meaning: 'Client of the Google sign-in.',
    defaultText: '',
    source: 'https://console.cloud.google.com/apis/credentials, callback PUBLIC_URL/api/auth/google/callback',
    requiredBy: ['gateway'],
  },
  GOOGLE_CLIENT_SECRET: {
    schema: read.text(),
    meaning: 'Secret of that client.',
    defaultText: '',
    source: 'as above',
    secret: true,
    requiredBy: ['gateway'],
  },
  GOOGLE_AUTHORIZATION_URL: {
    schema: read.addressOr('https://accounts.google.com/o/oauth2/v2/auth'),
    meaning: 'Whole address of the authorization endpoint.',
    defaultText: 'https://accounts.google.com/o/oauth2/v2/auth',
  },
  GOOGLE_TOKEN_URL: {
    schema: read.addressOr('https://oauth2.googleapis.com/token'),
    meaning: 'Whole address of the token endpoint.',
    defaultText: 'https://oauth2.googleapis.com/token',
  },
  GOOGLE_USERINFO_URL: {
    schema: read.addressOr('https://openidconnect.googleapis.com/v1/userinfo'),
    meaning: 'Whole address of the userinfo endpoint.',
    defaultText: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  OIDC_ISSUER_URL: { schema: read.addressOrNone(), meaning: 'Another OpenID Connect issuer instead of Google.', defaultText: '' },

  REDDIT_CLIENT_ID: {
    schema: read.text(),
    meaning: 'Client of the Reddit API; without it Reddit is "not configured".',
    defaultText: '',
    source: 'https://www.reddit.com/prefs/apps (type "script" or "web app")',
  },
  REDDIT_CLIENT_SECRET: { schema: read.text(), meaning: 'Secret of that client.', defaultText: '', source: 'as above', secret: true },
  REDDIT_USER_AGENT: {
    schema: read.text(),
    meaning: 'How the product names itself to Reddit, for example linux:autoposter:0.1.0 (by /u/name).',
    defaultText: '',
  },
  REDDIT_AUTH_URL: {
    schema: read.originOr('https://www.reddit.com'),
    meaning: 'Origin for tokens and share links.',
    defaultText: 'https://www.reddit.com',
  },
  REDDIT_API_URL: {
    schema: read.originOr('https://oauth.reddit.com'),
    meaning: 'Origin of the API.',
    defaultText: 'https://oauth.reddit.com',
  },
  DOWNLOAD_EXTRA_ORIGINS: {
    schema: read.list(),
    meaning: 'Origins beside the built-in ones from which media may be fetched, comma-separated; production takes https only.',
    defaultText: '',
  },

  ...INSTAGRAM_VARIABLES,
  CONTAINER_POLL_SECONDS: {
    schema: read.wholeNumber(60, 1, 3600),
    meaning:
      'Longest time between two status checks of a media container, in seconds; the first check is after 5 s, later ones at growing intervals.',
    defaultText: '60',
  },
  RECONCILE_LOOKS_SECONDS: {
    schema: read.secondsList([60, 180, 600, 1800, 3600, 7200, 14400, 28800, 57600, 86400]),
    meaning: 'Seconds after an unknown publish result at which the account is checked; afterwards an administrator decides.',
    defaultText: '60,180,600,1800,3600,7200,14400,28800,57600,86400',
  },
  RECONCILE_ABSENT_SECONDS: {
    schema: read.wholeNumber(600, 1, 86400),
    meaning: 'Seconds before an absent post is believed to be absent.',
    defaultText: '600',
  },

  GEMINI_API_KEY: {
    schema: read.text(),
    meaning: 'Key of the model that describes frames; without it the offline model is used.',
    defaultText: '',
    source: 'https://aistudio.google.com/apikey',
    secret: true,
  },
  GEMINI_API_URL: {
    schema: read.originOr('https://generativelanguage.googleapis.com'),
    meaning: 'Origin of the Gemini API.',
    defaultText: 'https://generativelanguage.googleapis.com',
  },
  GEMINI_MODEL: {
    schema: read.textOr('gemini-3.5-flash-lite'),
    meaning: 'Model that describes frames.',
    defaultText: 'gemini-3.5-flash-lite',
  },
  GROQ_API_KEY: {
    schema: read.text(),
    meaning: 'Key for writing captions; without it Gemini or the offline model writes.',
    defaultText: '',
    source: 'https://console.groq.com/keys',
    secret: true,
  },
  GROQ_API_URL: { schema: read.originOr('https://api.groq.com'), meaning: 'Origin of the Groq API.', defaultText: 'https://api.groq.com' },
  GROQ_MODEL: { schema: read.textOr('openai/gpt-oss-120b'), meaning: 'Model that writes captions.', defaultText: 'openai/gpt-oss-120b' },
  AI_DAILY_LIMIT: {
    schema: read.wholeNumber(LIMITS.ai.requestsPerDay, 1, 1_000_000),
    meaning: 'Requests a day that each AI provider may get; the day of Gemini ends at midnight Pacific time.',
    defaultText: String(LIMITS.ai.requestsPerDay),
  },

  FFMPEG_PATH: { schema: read.textOr('ffmpeg'), meaning: 'The ffmpeg program.', defaultText: 'ffmpeg' },
  FFPROBE_PATH: { schema: read.textOr('ffprobe'), meaning: 'The ffprobe program.', defaultText: 'ffprobe' },
  CHROME_PATH: { schema: read.text(), meaning: 'Chromium or Chrome for the browser tests.', defaultText: '' },

  STAGE_LEASE_SECONDS: {
    schema: read.wholeNumber(30, 1, 3600),
    meaning: 'Seconds after which the job of a silent worker is taken over.',
    defaultText: '30',
  },
  STAGE_SLOTS: {
    schema: read.wholeNumber(0, 0, 64),
    meaning: 'Jobs at a time per stage and process; 0 takes what the stage says.',
    defaultText: '0',
  },
  STAGE_RETRY_SECONDS: {
    schema: read.wholeNumber(10, 1, 3600),
    meaning: 'Seconds before the first automatic retry; each further one waits longer.',
    defaultText: '10',
  },
  DRAIN_SECONDS: {
    schema: read.wholeNumber(15, 0, 3600),
    meaning: 'Seconds that running jobs get to end when the process is stopped.',
    defaultText: '15',
  },
  SHUTDOWN_DELAY_SECONDS: {
    schema: read.wholeNumber(0, 0, 300),
    meaning: 'Seconds for which the gateway still accepts requests after the stop signal, for load balancers that learn of it later.',
    defaultText: '0',
  },
  CLOCK_SECONDS: { schema: read.wholeNumber(1, 1, 60), meaning: 'Seconds between two rounds of the scheduler.', defaultText: '1' },
  AUTOPOSTER_FAULT: {
    schema: read.faultPlace(),
    meaning: 'Kills the process at a named place; for reliability trials only.',
    defaultText: '',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { schema: read.addressOrNone(), meaning: 'Collector that takes traces; none when empty.', defaultText: '' },
});

export type VariableName = keyof typeof VARIABLES;

/** The text of `.env.example`: each variable with its meaning, default and where to get it. */
export function envExample(): string {
  const blocks = Object.entries<Variable>(VARIABLES).map(([name, { meaning, defaultText, source, requiredBy }]) =>
    [
      `# ${meaning}${requiredBy ? ' Required.' : ''}`,
      ...(source ? [`# Where to get it: ${source}`] : []),
      `# Default: ${defaultText === '' ? 'none' : defaultText}`,
      requiredBy ? `${name}=` : `# ${name}=${defaultText}`,
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n`;
}
