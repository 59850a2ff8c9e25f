import type { Download } from '@autoposter/contracts';
import { useState } from 'react';
import { useRetryDownload } from '../../data/downloads/use-downloads';
import { errorText } from '../../data/http/client';
import { startRun } from '../../data/runs/run-store';
import { URLS_TEXT as TEXT } from '../../text/urls.text';
import { notify } from '../../ui/notices/notice-store';

/** Tries failed downloads again, one after the other, and tells what came of it. */
export function useRetryFailed() {
  const retry = useRetryDownload();
  const [running, setRunning] = useState(false);
  const start = async (items: readonly Download[]): Promise<void> => {
    setRunning(true);
    const bar = startRun({ title: TEXT.retrying, total: items.length, cancel: () => undefined });
    const errors: string[] = [];
    let [done, ended] = [0, 0];
    for (const item of items) {
      if (bar.cancelled()) break;
      await retry.mutateAsync(item).then(
        () => (done += 1),
        (error: unknown) => errors.push(errorText(error)),
      );
      ended += 1;
      bar.progress({ done: ended, failed: errors.length, detail: item.title });
    }
    bar.end();
    setRunning(false);
    if (done > 0) notify.success(TEXT.retriedMany(done, errors.length));
    for (const error of new Set(errors)) notify.failure(TEXT.retryFailed(error));
  };
  return { running, start: (items: readonly Download[]) => void start(items) };
}
