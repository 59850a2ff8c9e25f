import { cutText, failureOf, PipelineError } from '@autoposter/domain';

/** The broker or database did not answer in time, or refused for a temporary reason. */
export const busUnavailable = (operation: string, cause: unknown): PipelineError =>
  new PipelineError(failureOf('bus_unavailable', { fields: { operation, reason: errorText(cause) } }), { cause });

/** The topic accepts messages, but not this one. */
export const messageRefused = (topic: string, code: string, cause: unknown): PipelineError =>
  new PipelineError(failureOf('bus_message_refused', { fields: { topic, code }, detail: { topic, code } }), { cause });

export const busClosed = (): PipelineError => PipelineError.of('bus_closed');

/** The first of these codes of a broker in the error or in its causes: kafkajs wraps an error that it has retried in vain. */
export function brokerCode(error: unknown, codes: ReadonlySet<string>): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = (cause as { cause?: unknown }).cause) {
    const { type } = cause as { type?: string };
    if (type !== undefined && codes.has(type)) return type;
  }
  return undefined;
}

const MISSING_TOPIC = new Set(['UNKNOWN_TOPIC_OR_PARTITION']);
export const isTopicMissing = (error: unknown): boolean => brokerCode(error, MISSING_TOPIC) !== undefined;

/** The first line of an error's text, short enough for a log or a screen. */
export const errorText = (error: unknown): string => cutText((error instanceof Error ? error.message : String(error)).split('\n')[0]!, 300);
