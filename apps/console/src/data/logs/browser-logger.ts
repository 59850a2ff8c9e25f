import { type BrowserLog, LIMITS, logsRoutes } from '@autoposter/contracts';
import { call, CallError } from '../http/client';
import { readToken } from '../session/session-token';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const MAX_MESSAGE_LENGTH = 2_000;
const LEVELS = { debug: 'debug', info: 'info', log: 'info', warn: 'warn', error: 'error' } as const;

const asText = (value: unknown): string => {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
};

/**
 * Forwards console output and uncaught errors to the server, in batches by size or time; on localhost only. A failed batch is logged to
 * the original console, except after the session ended. Returns a function that restores the console.
 */
export function startBrowserLogger(host: string = window.location.hostname): () => void {
  if (!LOCAL_HOSTS.includes(host)) return () => undefined;
  const original = { ...console };
  const buffer: BrowserLog[] = [];

  const send = (): void => {
    if (buffer.length === 0 || readToken() === null) return;
    const logs = buffer.splice(0, buffer.length).slice(-100);
    call(logsRoutes.sendBrowser, { body: { batch: true, logs } }).catch((error: unknown) => {
      if (!(error instanceof CallError && error.status === 401)) original.error('Browser log batch failed', error);
    });
  };
  const record = (level: BrowserLog['level'], values: unknown[]): void => {
    const message = values.map(asText).join(' ').slice(0, MAX_MESSAGE_LENGTH);
    buffer.push({ level, message, source: window.location.pathname, timestamp: new Date().toISOString() });
    if (buffer.length >= LIMITS.browserLogs.batchSize) send();
  };
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, BrowserLog['level']][]) {
    console[method] = (...values: unknown[]) => {
      original[method](...values);
      record(level, values);
    };
  }
  const onError = (event: ErrorEvent) => record('error', [event.message]);
  window.addEventListener('error', onError);
  const timer = setInterval(send, LIMITS.browserLogs.everyMs);
  return () => {
    clearInterval(timer);
    window.removeEventListener('error', onError);
    for (const method of Object.keys(LEVELS) as (keyof typeof LEVELS)[]) console[method] = original[method];
  };
}
