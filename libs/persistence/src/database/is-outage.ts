/** SQLSTATE classes: connection, resources, operator intervention; and read-only after a failover. */
const OUTAGE_CLASSES = ['08', '53', '57'];
const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25006',
]);
/** What the driver says without a code. */
const OUTAGE_TEXTS =
  /connection terminated|timeout exceeded when trying to connect|connection ended unexpectedly|client has encountered a connection error|not queryable|driver not connected/iu;

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errors, driverError } = error as { code?: unknown; errors?: unknown[]; driverError?: unknown };
  if (typeof code === 'string' && (OUTAGE_CODES.has(code) || (code.length === 5 && OUTAGE_CLASSES.includes(code.slice(0, 2))))) return true;
  if (Array.isArray(errors) && errors.some(isOutage)) return true;
  if (driverError !== undefined && driverError !== error && isOutage(driverError)) return true;
  return OUTAGE_TEXTS.test(error.message);
}
