import { asVariable, keysOf, type KeyPurpose } from './keys';
import type { Environment } from './load-config';
import type { Service } from './variable';
import { VARIABLES, type VariableName } from './variables';

const GATEWAY = ['gateway'] as const;
const DOWNLOADER = ['downloader'] as const;
const POSTER = ['instagram-poster'] as const;
const ACCOUNT = ['gateway', 'downloader', 'instagram-poster'] as const;
const LINKS = ['gateway', 'instagram-poster'] as const;
const SEALING = ['downloader', 'instagram-poster'] as const;
const MODELS = ['ai-worker'] as const;
const WORKERS = ['downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'] as const;
const MEDIA = ['downloader', 'dmca-worker', 'ai-worker'] as const;

/**
 * Which services get which variable; one that is absent here is for every service. Launcher, compose file and chart give a service exactly
 * these, so that a process that decodes untrusted media has no secret it does not need.
 */
export const READERS: Partial<Record<VariableName, readonly Service[]>> = {
  JWT_SECRET: LINKS,
  JWT_SECRET_PREVIOUS: LINKS,
  SESSION_KEY: GATEWAY,
  SESSION_KEY_PREVIOUS: GATEWAY,
  LINK_KEY: LINKS,
  LINK_KEY_PREVIOUS: LINKS,
  SEALING_KEY: SEALING,
  SEALING_KEY_PREVIOUS: SEALING,
  EVIDENCE_KEY: GATEWAY,
  EVIDENCE_KEY_PREVIOUS: GATEWAY,

  ADMIN_EMAILS: GATEWAY,
  ADMIN_ACCOUNTS: GATEWAY,
  GOOGLE_CLIENT_ID: GATEWAY,
  GOOGLE_CLIENT_SECRET: GATEWAY,
  GOOGLE_AUTHORIZATION_URL: GATEWAY,
  GOOGLE_TOKEN_URL: GATEWAY,
  GOOGLE_USERINFO_URL: GATEWAY,
  OIDC_ISSUER_URL: GATEWAY,
  ALERT_WEBHOOK_URL: GATEWAY,
  ALERT_WEBHOOK_SECRET: GATEWAY,
  ALERT_SLACK_URL: GATEWAY,
  ALERT_SMTP_URL: GATEWAY,
  ALERT_EMAIL_FROM: GATEWAY,
  ALERT_EMAIL_TO: GATEWAY,
  LOG_DIR: GATEWAY,
  POD_NAMESPACE: GATEWAY,
  POD_SELECTOR: GATEWAY,
  PORT: GATEWAY,
  TRUST_PROXY: GATEWAY,
  RATE_LIMITS: GATEWAY,
  CONSOLE_DIR: GATEWAY,
  SCHEDULERS_START: GATEWAY,
  SHUTDOWN_DELAY_SECONDS: GATEWAY,
  CLOCK_SECONDS: GATEWAY,
  PUBLIC_URL: LINKS,
  CDN_BASE_URL: LINKS,
  TIME_ZONE: LINKS,

  REDDIT_CLIENT_ID: DOWNLOADER,
  REDDIT_CLIENT_SECRET: DOWNLOADER,
  REDDIT_USER_AGENT: DOWNLOADER,
  REDDIT_AUTH_URL: DOWNLOADER,
  REDDIT_API_URL: DOWNLOADER,
  DOWNLOAD_EXTRA_ORIGINS: DOWNLOADER,

  INSTAGRAM_ACCESS_TOKEN: ACCOUNT,
  INSTAGRAM_BUSINESS_ACCOUNT_ID: ACCOUNT,
  INSTAGRAM_LOGIN_FLAVOUR: ACCOUNT,
  INSTAGRAM_GRAPH_URL: ACCOUNT,
  INSTAGRAM_UPLOAD_URL: ACCOUNT,
  INSTAGRAM_API_VERSION: ACCOUNT,
  INSTAGRAM_HASHTAG_LIMIT: ['gateway', 'ai-worker', 'instagram-poster'],
  INSTAGRAM_APP_ID: LINKS,
  INSTAGRAM_APP_SECRET: ['downloader', 'instagram-poster'],
  INSTAGRAM_LOGIN_URL: GATEWAY,
  INSTAGRAM_TOKEN_URL: POSTER,
  FACEBOOK_APP_ID: LINKS,
  FACEBOOK_APP_SECRET: ['downloader', 'instagram-poster'],
  FACEBOOK_LOGIN_URL: GATEWAY,
  CONTAINER_POLL_SECONDS: POSTER,
  RECONCILE_LOOKS_SECONDS: POSTER,
  RECONCILE_ABSENT_SECONDS: POSTER,

  GEMINI_API_KEY: MODELS,
  GEMINI_API_URL: MODELS,
  GEMINI_MODEL: MODELS,
  GROQ_API_KEY: MODELS,
  GROQ_API_URL: MODELS,
  GROQ_MODEL: MODELS,
  AI_DAILY_LIMIT: ['gateway', 'ai-worker'],

  DRAIN_SECONDS: WORKERS,
  STAGE_SLOTS: WORKERS,
  STAGE_RETRY_SECONDS: WORKERS,
  FFMPEG_PATH: MEDIA,
  FFPROBE_PATH: MEDIA,
  CHROME_PATH: [],
};

const readsVariable = (service: Service, name: VariableName): boolean => READERS[name]?.includes(service) ?? true;

/**
 * The environment of one service: its variables and those of the system (`PATH` and the like). A service that needs a key but not the secret
 * behind it gets the derived key.
 */
export function serviceEnvironment(service: Service, environment: Environment): Record<string, string | undefined> {
  const own = Object.entries(environment).filter(([name]) => !(name in VARIABLES) || readsVariable(service, name as VariableName));
  const derived = readsVariable(service, 'JWT_SECRET')
    ? []
    : (['session', 'link', 'sealing'] as const).flatMap((purpose) => keyVariables(service, purpose, environment));
  return Object.fromEntries([...own, ...derived]);
}

const NAMES = { session: 'SESSION_KEY', link: 'LINK_KEY', sealing: 'SEALING_KEY', evidence: 'EVIDENCE_KEY' } as const;

function keyVariables(service: Service, purpose: KeyPurpose, environment: Environment): [string, string][] {
  const name = NAMES[purpose];
  if (!readsVariable(service, name)) return [];
  const text = (variable: VariableName): string | undefined => environment[variable]?.trim() || undefined;
  const list = (variable: VariableName): string[] => VARIABLES.SESSION_KEY_PREVIOUS.schema.parse(environment[variable]);
  const [current, ...previous] = keysOf(purpose, {
    own: text(name),
    ownPrevious: list(`${name}_PREVIOUS`),
    shared: text('JWT_SECRET'),
    sharedPrevious: list('JWT_SECRET_PREVIOUS'),
  });
  if (current === undefined) return [];
  return [
    [name, asVariable(current)],
    [`${name}_PREVIOUS`, previous.map(asVariable).join(',')],
  ];
}
