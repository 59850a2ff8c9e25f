import { PipelineError, cutText } from '@autoposter/domain';

export const undeclaredTopic = (topic: string): PipelineError =>
  new PipelineError({
    kind: 'not_found',
    message: `The topic ${topic} was never declared.`,
    side: 'ours',
    nextAction: 'Declare the topics once with the migration step, then start again.',
    detail: { topic },
  });

/** The broker or database did not answer in time, or refused for a reason that passes. */
export const busUnavailable = (what: string, cause: unknown): PipelineError =>
  new PipelineError(
    {
      kind: 'transient',
      message: `The event bus could not ${what}: ${wordsOf(cause)}`,
      side: 'ours',
      nextAction: 'It is tried again by itself; look at the event bus when it goes on.',
    },
    { cause },
  );

/** The topic takes messages, but not this one. */
export const messageRefused = (topic: string, code: string, cause: unknown): PipelineError =>
  new PipelineError(
    {
      kind: 'too_large',
      message: `The topic ${topic} does not accept a message (${code}).`,
      side: 'ours',
      nextAction: 'Raise max.message.bytes of the topic; the message is kept and tried again.',
      detail: { topic, code },
    },
    { cause },
  );

export const busClosed = (): PipelineError =>
  new PipelineError({
    kind: 'conflict',
    message: 'The event bus of this process is closed.',
    side: 'ours',
    nextAction: 'Nothing to do: the process is ending.',
  });

/** The words of an error, on one line and short enough for a log or a screen. */
export const wordsOf = (error: unknown): string => cutText((error instanceof Error ? error.message : String(error)).split('\n')[0]!, 300);
