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

/**
 * The schema changed under a prepared statement: the server refuses it until it is prepared again. The code is that of every unsupported
 * feature, and the message is in the language of the server (`lc_messages`); the server's routine that raised it names it.
 */
export const isStalePlan = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

/**
 * A pooler that shares sessions between clients (PgBouncer) accepts no session settings. Its errors have a code of several meanings and a
 * message that is always English, and nothing else.
 */
export const refusesSessionSettings = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === '08P01' && (message ?? '').includes('unsupported startup parameter');
};
