import type { Logger } from '@autoposter/observability';
import { Client } from 'pg';

interface ListenOptions {
  url: string;
  channel: string;
  onNotify: (payload: string) => void;
  logger: Logger;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/** A connection of its own for one channel. Comes back by itself after an outage, and then calls once, for what was missed meanwhile. */
export async function listen({ url, channel, onNotify, logger }: ListenOptions): Promise<() => Promise<void>> {
  if (!/^[a-z][a-z0-9_]{0,62}$/u.test(channel)) throw new Error('a channel name is lower case letters, digits and underscores');
  let current: Client | null = null;
  let stopped = false;
  let retry: NodeJS.Timeout | null = null;

  const open = async (): Promise<void> => {
    const client = new Client({
      connectionString: url,
      application_name: `autoposter listen ${channel}`,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    client.on('notification', (message) => onNotify(message.payload ?? ''));
    let lost = false;
    const onLost = (error?: unknown): void => {
      if (lost || stopped) return;
      lost = true;
      logger.warn({ channel, error }, 'the connection that listens was lost');
      if (current === client) {
        current = null;
        void client.end().catch(() => undefined);
        comeBack(FIRST_PAUSE_MS);
      }
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    if (stopped) await client.end();
    else current = client;
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
