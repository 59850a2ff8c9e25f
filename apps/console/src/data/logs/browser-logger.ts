import { LIMITS, logsRoutes, type BrowserLog } from '@autoposter/contracts';
import { call, CallError } from '../http/client';
import { readToken } from '../session/session-token';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const LONGEST = 2_000;
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
 * On this machine only, sends what the page writes to its console to the server: a batch at 5 entries or every second. Returns the way
 * back. A batch that fails is written to the console, unless the session is over.
 */
export function startBrowserLogger(host: string = window.location.hostname): () => void {
  if (!LOCAL_HOSTS.includes(host)) return () => undefined;
  const original = { ...console };
  const waiting: BrowserLog[] = [];

  const send = (): void => {
    if (waiting.length === 0 || readToken() === null) return;
    const logs = waiting.splice(0, waiting.length).slice(-100);
    call(logsRoutes.sendBrowser, { body: { batch: true, logs } }).catch((error: unknown) => {
      if (!(error instanceof CallError && error.status === 401)) original.error('Browser log batch failed', error);
    });
  };
  const take = (level: BrowserLog['level'], values: unknown[]): void => {
    const message = values.map(asText).join(' ').slice(0, LONGEST);
    waiting.push({ level, message, source: window.location.pathname, timestamp: new Date().toISOString() });
    if (waiting.length >= LIMITS.browserLogs.batchSize) send();
  };
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, BrowserLog['level']][]) {
    console[method] = (...values: unknown[]) => {
      original[method](...values);
      take(level, values);
    };
  }
  const onError = (event: ErrorEvent) => take('error', [event.message]);
  window.addEventListener('error', onError);
  const timer = setInterval(send, LIMITS.browserLogs.everyMs);
  return () => {
    clearInterval(timer);
    window.removeEventListener('error', onError);
    for (const method of Object.keys(LEVELS) as (keyof typeof LEVELS)[]) console[method] = original[method];
  };
}
