import type { SkippedPost } from '@autoposter/contracts';
import { useState } from 'react';
import { errorText } from '../../data/http/client';
import { startRun } from '../../data/runs/run-store';
import { MAX_ROWS, readAllSkipped } from '../../data/skipped-posts/use-skipped-posts';
import { SKIPPED_TEXT as TEXT } from '../../text/skipped-posts.text';
import { ActionButton } from '../../ui/actions';
import { saveFile } from '../../ui/export-text';
import { notify } from '../../ui/notifications';

type Column = readonly [name: string, value: (post: SkippedPost) => string | number | null];

const COLUMNS: readonly Column[] = [
  ['Title', ({ redditData }) => redditData.title],
  ['URL', ({ originalUrl }) => originalUrl],
  ['Author', ({ redditData }) => redditData.author],
  ['Post type', ({ redditData }) => redditData.postType],
  ['Subreddit', ({ redditData }) => redditData.subreddit],
  ['Additional info', ({ skipDetails }) => skipDetails.additionalInfo],
  ['Error message', ({ skipDetails }) => skipDetails.errorMessage],
  ['Skipped at', ({ skippedAt }) => skippedAt],
  ['Posted at', ({ redditData }) => redditData.created],
  ['Post age (hours)', ({ postAgeHours }) => postAgeHours],
  ['Score', ({ redditData }) => redditData.score],
];

/** Escapes a cell. The apostrophe stops spreadsheet programs from executing a text as a formula. */
const cell = (value: string | number | null): string => {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/u.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The posts as CSV. The byte order mark makes spreadsheet programs read it as UTF-8. */
export function skippedCsv(posts: readonly SkippedPost[], label: (reason: string) => string): string {
  const lines = posts.map((post) => [cell(label(post.skipReason)), ...COLUMNS.map(([, value]) => cell(value(post)))].join(','));
  return `\uFEFF${['Skip reason', ...COLUMNS.map(([name]) => name)].join(',')}\r\n${lines.map((line) => `${line}\r\n`).join('')}`;
}

const FILE = 'skipped-posts.csv';

interface CsvButtonProps {
  query: Record<string, string | number>;
  label: (reason: string) => string;
  disabled: boolean;
}

export function CsvButton({ query, label, disabled }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const shown = startRun({ title: TEXT.csvRun, total: 1 });
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
  return <ActionButton label={TEXT.csv} disabled={disabled} loading={busy} onClick={() => void run()} />;
}
