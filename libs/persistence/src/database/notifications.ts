import type { Logger } from '@autoposter/observability';
import { PreparedClient } from './prepared-client';
import { KEEP_ALIVE, type TimeLimits } from './time-limits';

interface ListenOptions {
  url: string;
  channel: string;
  onNotify: (payload: string) => void;
  logger: Logger;
  limits: TimeLimits;
}

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5000;

/**
 * Listens to one channel on its own connection and returns a function that stops it. Connects again after an outage, also where the first
 * attempt failed, and then calls `onNotify` once because notifications may have been missed. Rejects for the name of a channel only.
 */
export async function listen({ url, channel, onNotify, logger, limits }: ListenOptions): Promise<() => Promise<void>> {
  if (!/^[a-z][a-z0-9_]{0,62}$/u.test(channel)) throw new Error('a channel name is lower case letters, digits and underscores');
  let current: PreparedClient | null = null;
  let stopped = false;
  let retry: NodeJS.Timeout | null = null;

  const open = async (): Promise<void> => {
    const client = new PreparedClient({
      connectionString: url,
      application_name: `autoposter listen ${channel}`,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: limits.connectMs,
      query_timeout: limits.connectMs,
    });
    client.on('notification', (message) => onNotify(message.payload ?? ''));
    let lost = false;
    let heartbeat: NodeJS.Timeout | null = null;
    const onLost = (error?: unknown): void => {
      if (lost || stopped) return;
      lost = true;
      clearInterval(heartbeat ?? undefined);
      logger.warn({ channel, error }, 'the listening connection was lost');
      if (current === client) {
        current = null;
        void client.end().catch(() => undefined);
        reconnect(FIRST_RETRY_MS);
      }
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    if (stopped) return client.end();
    current = client;
    // a connection that only receives would not notice that its server is gone
    let checking = false;
    heartbeat = setInterval(() => {
      if (checking) return;
      checking = true;
      client.query('SELECT 1').then(() => (checking = false), onLost);
    }, limits.heartbeatMs).unref();
    client.once('end', () => clearInterval(heartbeat ?? undefined));
  };

  const reconnect = (pauseMs: number): void => {
    if (stopped) return;
    retry = setTimeout(() => {
      open().then(
        () => onNotify(''),
        () => reconnect(Math.min(pauseMs * 2, MAX_RETRY_MS)),
      );
    }, pauseMs);
    retry.unref();
  };

  await open().catch((error: unknown) => {
    logger.warn({ channel, error }, 'no notifications from PostgreSQL until a connection succeeds');
    reconnect(FIRST_RETRY_MS);
  });
  return async () => {
    stopped = true;
    if (retry !== null) clearTimeout(retry);
    await current?.end().catch(() => undefined);
  };
}

/** NOTIFY takes a lock that all committers share, and a disk write. */
const NOTIFY_INTERVAL_MS = 20;

/** Sends the notifications of an interval as one per channel; a failed one is dropped, because notifications are only hints. */
export class NotificationThrottle {
  /** Words of the payload by channel. */
  private wanted = new Map<string, Set<string>>();
  private timer: NodeJS.Timeout | null = null;
  private sending: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(private readonly send: (wanted: ReadonlyMap<string, ReadonlySet<string>>) => Promise<unknown>) {}

  request(channel: string, words: Iterable<string> = []): void {
    if (this.stopped) return;
    this.wanted.set(channel, new Set([...(this.wanted.get(channel) ?? []), ...words]));
    this.timer ??= setTimeout(() => {
      const { wanted } = this;
      this.wanted = new Map();
      this.timer = null;
      this.sending = this.send(wanted).catch(() => undefined);
    }, NOTIFY_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.sending;
  }
}
