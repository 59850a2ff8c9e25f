const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'accessToken',
  'access_token',
  'refresh_token',
  'clientSecret',
  'client_secret',
  'apiKey',
  'api_key',
  'secretKey',
  'jwtSecret',
];

/** Paths that pino censors: each secret field at the top and up to two levels down. */
export const REDACTED_PATHS: readonly string[] = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

const PATTERNS: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic|OAuth)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/([?&](?:access_token|client_secret|code|key|sig|signature|token|X-Amz-Signature|X-Amz-Credential)=)[^&\s"'\\]+/gi, '$1[redacted]'],
  // user:password@ in any address
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]+:)[^\s@/"\\]+@/gi, '$1[redacted]@'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g, '[redacted]'],
  [/\b(?:gsk_|AIza|IGQV|IGAA|EAA|GOCSPX-|ya29\.|1\/\/0)[\w-]{20,}/g, '[redacted]'],
  // NAME_SECRET=value, as an environment is printed
  [/\b([A-Z][A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|API_KEY|SECRET_KEY|ACCESS_KEY)\s*[=:]\s*)[^\s"',;\\]{6,}/g, '$1[redacted]'],
  // "access_token":"value", quoted once more or not
  [
    /(\\?"(?:access_token|refresh_token|id_token|token|client_secret|clientSecret|secret|password|api_?[kK]ey|secretKey)\\?"\s*:\s*\\?")[^"\\]+/g,
    '$1[redacted]',
  ],
];

/** Cuts credentials out of a text: bearer values, tokens in addresses, passwords of connection strings, JWTs, provider keys. */
export function redactText(text: string): string {
  return PATTERNS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
