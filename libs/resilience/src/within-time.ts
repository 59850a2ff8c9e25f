/**
 * Rejects when `work` has not ended in time: with `late`, or with an error that names what took too long. The work itself cannot be cancelled;
 * its late result is ignored.
 */
export async function withinTime<T>(work: Promise<T>, milliseconds: number, late: string | (() => Error)): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(typeof late === 'string' ? new Error(`${late} took longer than ${milliseconds} ms`) : late()),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles with the promise. After an abort the promise has `graceMs` to settle; then this rejects with the reason of the abort and ignores it. */
export async function settleOrAbort<T>(promise: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  let onAbort: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    promise.catch(() => undefined);
  }
}
