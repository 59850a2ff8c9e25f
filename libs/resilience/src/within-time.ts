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
