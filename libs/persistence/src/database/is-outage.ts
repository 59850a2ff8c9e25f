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
  // a lock that was not had in time, and a session that was ended because its transaction was left open
  '55P03',
  '25P03',
]);
/** What the driver says without a code. */
const OUTAGE_TEXTS =
  /connection terminated|timeout exceeded when trying to connect|connection ended unexpectedly|client has encountered a connection error|not queryable|query read timeout|timeout expired|driver not connected/iu;

/** Looks at the fields, not the class: errors of the network come from Node's own realm, which is not always ours. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errors, driverError, message } = error as { code?: unknown; errors?: unknown; driverError?: unknown; message?: unknown };
  if (typeof code === 'string' && (OUTAGE_CODES.has(code) || (code.length === 5 && OUTAGE_CLASSES.includes(code.slice(0, 2))))) return true;
  if (Array.isArray(errors) && errors.some(isOutage)) return true;
  if (driverError !== error && isOutage(driverError)) return true;
  return typeof message === 'string' && OUTAGE_TEXTS.test(message);
}
