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

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/** A connection of its own for one channel. Comes back by itself after an outage, and then calls once, for what was missed meanwhile. */
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
      logger.warn({ channel, error }, 'the connection that listens was lost');
      if (current === client) {
        current = null;
        void client.end().catch(() => undefined);
        comeBack(FIRST_PAUSE_MS);
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
    // a connection that only waits would not notice that its server is gone
    let asked = false;
    heartbeat = setInterval(() => {
      if (asked) return;
      asked = true;
      client.query('SELECT 1').then(() => (asked = false), onLost);
    }, limits.heartbeatMs).unref();
    client.once('end', () => clearInterval(heartbeat ?? undefined));
  };

  const comeBack = (pauseMs: number): void => {
    if (stopped) return;
    retry = setTimeout(() => {
      open().then(
        () => onNotify(''),
        () => comeBack(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)),
      );
    }, pauseMs);
    retry.unref();
  };

  await open();
  return async () => {
    stopped = true;
    if (retry !== null) clearTimeout(retry);
    await current?.end().catch(() => undefined);
  };
}
