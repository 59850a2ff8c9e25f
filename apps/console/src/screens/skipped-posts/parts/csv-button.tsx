import Button from '@mui/material/Button';
import { useState } from 'react';
import { errorText } from '../../../data/http/client';
import { startRun } from '../../../data/runs/run-store';
import { MAX_ROWS, readAllSkipped } from '../../../data/skipped-posts/use-skipped-posts';
import { SKIPPED_TEXT as TEXT } from '../../../text/skipped-posts.text';
import { notify } from '../../../ui/notifications';
import { saveFile } from '../../../ui/export-text';
import { skippedCsv } from '../skipped-csv';

const FILE = 'skipped-posts.csv';

interface CsvButtonProps {
  query: Record<string, string | number>;
  label: (reason: string) => string;
  disabled: boolean;
}

/** Saves what the filters let through as a file. */
export function CsvButton({ query, label, disabled }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const shown = startRun({ title: TEXT.csvRun, total: 1, cancel: () => undefined });
    try {
      const { posts, total } = await readAllSkipped(query, (done, all) => {
        shown.progress({ done, total: Math.max(1, Math.min(all, MAX_ROWS)) });
        return !shown.cancelled();
      });
      if (shown.cancelled()) return;
      saveFile(FILE, skippedCsv(posts, label), 'text/csv;charset=utf-8');
      notify.success(posts.length < total ? TEXT.csvCut(posts.length, total) : TEXT.csvDone(posts.length));
    } catch (error) {
      notify.failure(TEXT.error(errorText(error)));
    } finally {
      shown.end();
      setBusy(false);
    }
  };
  return (
    <Button variant="outlined" disabled={disabled} loading={busy} onClick={() => void run()}>
      {TEXT.csv}
    </Button>
  );
}
