import { Kafka, logLevel, type LogEntry } from 'kafkajs';
import type { BusLogger } from '../event-bus.port';
import { calmIdleLoop } from './idle-loop';
import type { KafkaBusSettings } from './kafka-settings';

/**
 * kafkajs says ERROR for what it tries again by itself (a broker that is still loading, a refused commit during a rebalance), so its words
 * count one step less here; what ends a consumer is reported by the subscription.
 */
const logTo = (logger: BusLogger) => () => (entry: LogEntry) => {
  const { message, groupId, error, broker } = entry.log as { message: string } & Record<string, unknown>;
  const fields = { from: entry.namespace, groupId, broker, error: typeof error === 'string' ? error : undefined };
  if (entry.level === logLevel.ERROR) logger.warn(fields, message);
  else logger.debug(fields, message);
};

export const createKafka = (settings: KafkaBusSettings, logger: BusLogger): Kafka => {
  calmIdleLoop();
  const { connectSocket } = settings;
  return new Kafka({
    clientId: settings.clientId,
    brokers: [...settings.brokers],
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: 5_000,
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 6 },
    logLevel: logLevel.WARN,
    logCreator: logTo(logger),
    ...(connectSocket && { socketFactory: ({ host, port, onConnect }) => connectSocket({ host, port, onConnect }) }),
  });
};

/** Rejects when `work` takes longer; the work itself goes on unheard. */
export const within = async <T>(ms: number, what: string, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};
