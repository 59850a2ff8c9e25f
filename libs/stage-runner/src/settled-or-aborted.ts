/** Time that an aborted step gets to clean up after itself. */
const GRACE_MS = 5000;

/** The promise's own end; after an abort it gets a short time to end by itself, then it is left alone and this rejects. */
export async function settledOrAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), GRACE_MS);
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
