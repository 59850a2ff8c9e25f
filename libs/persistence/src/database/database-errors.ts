/** The schema in the database is not one that this program can work with. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** SQLSTATE classes: connection, insufficient resources, operator intervention. */
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
  // read-only after a failover
  '25006',
  // lock timeout, idle-in-transaction timeout
  '55P03',
  '25P03',
]);
/** Errors of the driver that have no code. */
const OUTAGE_TEXTS =
  /connection terminated|timeout exceeded when trying to connect|connection ended unexpectedly|client has encountered a connection error|not queryable|query read timeout|timeout expired|driver not connected/iu;

/** Checks fields and not the class: in tests, network errors come from another realm. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errors, driverError, message } = error as { code?: unknown; errors?: unknown; driverError?: unknown; message?: unknown };
  if (typeof code === 'string' && (OUTAGE_CODES.has(code) || (code.length === 5 && OUTAGE_CLASSES.includes(code.slice(0, 2))))) return true;
  if (Array.isArray(errors) && errors.some(isOutage)) return true;
  if (driverError !== error && isOutage(driverError)) return true;
  return typeof message === 'string' && OUTAGE_TEXTS.test(message);
}

/** Serialization failure or deadlock: the server expects the client to retry the transaction. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes((error as { code?: string }).code ?? '');

/** The schema changed under a prepared statement: the server refuses it until it is prepared again. */
export const isStalePlan = (error: unknown): boolean => hasCodeAndText(error, '0A000', 'cached plan');

/** A pooler that shares sessions between clients (PgBouncer) accepts no session settings. */
export const refusesSessionSettings = (error: unknown): boolean => hasCodeAndText(error, '08P01', 'unsupported startup parameter');

/** Both codes have several meanings; only the server's message tells them apart. */
function hasCodeAndText(error: unknown, code: string, text: string): boolean {
  const { code: actual, message } = error as { code?: string; message?: string };
  return actual === code && (message ?? '').includes(text);
}
