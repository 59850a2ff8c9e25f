const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'clientSecret',
  'client_secret',
  'appSecret',
  'app_secret',
  'apiKey',
  'api_key',
  'secretKey',
  'jwtSecret',
  'webhookUrl',
];

/** Paths that pino censors: each secret field at the top and up to two levels down. */
export const REDACTED_PATHS: readonly string[] = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Longer texts are cut before redaction. The logger's lines are shorter. */
export const MAX_REDACTED = 64 * 1024;

const REDACTED = '[redacted]';
/** Names of secrets, by their ending: `refresh_token`, `INSTAGRAM_APP_SECRET`, `sealingKey`. */
const SECRET_NAME = String.raw`[\w.-]{0,80}?(?:token|secret|password|passwd|pwd|passphrase|credential|signature|proof|code[_-]?verifier|webhook[_-]?url|(?:api|secret|private|access|session|link|sealing)[_-]?key)`;

/** A secret after its name and a separator. Each match starts at the start of a name, so that no text is scanned twice. */
const named = (separator: string, value: string): RegExp => new RegExp(String.raw`(?<![\w.-])(${SECRET_NAME}${separator})${value}`, 'gi');

type Replacement = string | ((match: string, ...groups: string[]) => string);

/** Every pattern takes time linear in the length of the text; a check measures that. */
const PATTERNS: readonly (readonly [RegExp, Replacement])[] = [
  [/\b(Bearer|Basic|OAuth)\s{1,8}[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/([?&;](?:code|key|sig|X-Amz-Credential)=)[^&\s"'\\]+/gi, `$1${REDACTED}`],
  // user:password@ in any address
  [/(:\/\/[^\s:/@"\\]{0,255}:)[^\s/?#"\\]+@/g, `$1${REDACTED}@`],
  [/(?<![\w-])[\w-]{11,}(?:\.[\w-]*){2,4}/g, withoutJwt],
  // Groq, Google, Instagram and Facebook, Slack, GitHub
  [/(?<![A-Za-z0-9])(?:gsk_|AIza|IG[A-Z]|EA[A-Z]|GOCSPX-|ya29\.|[14]\/\/?0|xox[a-z]-|gh[a-z]_)[\w-]{16,}/g, REDACTED],
  // organisations of Groq
  [/\borg_\w{8,}/g, REDACTED],
  [/(\bhttps?:\/\/)([^\s"'<>\\/?#]{1,255})(\/[^\s"'<>\\]*)/gi, withoutWebhook],
  // signed addresses from which Instagram fetches media
  [/(\/media\/\d{9,12}\/)[\w-]{16,}/g, `$1${REDACTED}`],
  [/\b(cookie["'\\]{0,4}\s{0,4}[:=]\s{0,4}(?:\[["'\\]{1,4}|["'\\]{0,4}))[^"'\\\r\n]+/gi, `$1${REDACTED}`],
  // "access_token":"value", and the same inside another JSON text
  [named(String.raw`"\s{0,4}:\s{0,4}"`, String.raw`(?:[^"\\]|\\.)+`), `$1${REDACTED}`],
  [named(String.raw`\\{1,3}"\s{0,4}:\s{0,4}\\{1,3}"`, String.raw`[^"\\]+`), `$1${REDACTED}`],
  [named(String.raw`'?\s{0,4}[=:]\s{0,4}'`, String.raw`[^'\\]+`), `$1${REDACTED}`],
  // refresh_token=value, NAME_SECRET: value
  [named(String.raw`\s{0,4}=\s{0,4}["']?`, String.raw`[^\s"'&,;<>(){}[\]\\]+`), `$1${REDACTED}`],
  [named(String.raw`:\s{0,4}`, String.raw`[^\s"'&,;<>(){}[\]\\]{6,}`), withoutNamedSecret],
];

/**
 * Masks credentials in a text: bearer values, tokens in addresses, passwords of connection strings, JWTs, keys of providers, webhook
 * addresses, signed paths, and the value after a name such as `refresh_token`.
 */
export function redactText(text: string): string {
  return PATTERNS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement as string), excerptOf(text, MAX_REDACTED));
}

/** At most `length` units and the number of missing ones; never splits a surrogate pair. */
export function excerptOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = /[\uD800-\uDBFF]/u.test(text.charAt(length - 1)) ? 1 : 0;
  return `${text.slice(0, length - half)}… (${text.length - length + half} more characters)`;
}

function withoutJwt(match: string): string {
  const start = match.indexOf('eyJ');
  return start < 0 ? match : `${match.slice(0, start)}${REDACTED}`;
}

/** The address of a webhook is enough to post to it. */
function withoutWebhook(match: string, scheme = '', host = '', path = ''): string {
  const isWebhook = /(?:^|\.)hooks?\.|webhook/iu.test(host) || /webhook|\/hooks?\/|^\/services\/T/iu.test(path);
  return isWebhook ? `${scheme}${host}/${REDACTED}` : match;
}

/** Sentences have a colon after a name, too: "the access token: expired" is not a secret. A value with a digit may be one. */
function withoutNamedSecret(match: string, name = ''): string {
  return /(?:token|signature|proof|credential)\W*$/iu.test(name) && !/\d/u.test(match.slice(name.length)) ? match : `${name}${REDACTED}`;
}
