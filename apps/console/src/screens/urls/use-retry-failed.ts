import type { Download } from '@autoposter/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { retryDownload } from '../../data/downloads/use-downloads';
import { errorText } from '../../data/http/client';
import { keys } from '../../data/http/cache';
import { startRun } from '../../data/runs/run-store';
import { URLS_TEXT as TEXT } from '../../text/urls.text';
import { notify } from '../../ui/notifications';

/** Tries failed downloads again, one after the other, and tells what came of it. */
export function useRetryFailed() {
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
  const start = async (items: readonly Download[]): Promise<void> => {
    setRunning(true);
    const bar = startRun({ title: TEXT.retrying, total: items.length, cancel: () => undefined });
    const errors: string[] = [];
    let [done, ended] = [0, 0];
    for (const item of items) {
      if (bar.cancelled()) break;
      await retryDownload(item).then(
        () => (done += 1),
        (error: unknown) => errors.push(errorText(error)),
      );
      ended += 1;
      bar.progress({ done: ended, failed: errors.length, detail: item.title });
    }
    bar.end();
    void client.invalidateQueries({ queryKey: [keys.downloads] });
    setRunning(false);
    if (done > 0) notify.success(TEXT.retriedMany(done, errors.length));
    for (const error of new Set(errors)) notify.failure(TEXT.retryFailed(error));
  };
  return { running, start: (items: readonly Download[]) => void start(items) };
}
