import { mdiTrayArrowDown } from '@mdi/js';
import { type Download, DOWNLOAD_STATUSES, type DownloadStatus } from '@autoposter/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { retryDownload, useDownloads } from '../../data/downloads/use-downloads';
import { keys } from '../../data/http/cache';
import { errorText } from '../../data/http/client';
import { startRun } from '../../data/runs/run-store';
import { URLS_TEXT as TEXT } from '../../text/urls.text';
import { ActionButton, RefreshButton } from '../../ui/actions';
import { EmptyState, LoadState } from '../../ui/feedback';
import { ToggleChoice } from '../../ui/fields';
import { capitalised, count, sourceName } from '../../ui/format';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { Panel } from '../../ui/layout';
import { Box, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { useDebouncedText } from '../../ui/timers';
import { useUrlState } from '../../ui/use-url-state';
import { VirtualList } from '../../ui/virtual-list';
import { canRetry, DownloadRow } from './download-row';

const parseStatus = (text: string): DownloadStatus | null => DOWNLOAD_STATUSES.find((status) => status === text) ?? null;

const textOf = (item: Download): string =>
  [item.title, item.author, sourceName(item), item.originalUrl, item.fileInfo?.fileName].join('\n').toLowerCase();

/** Downloads with the status that contain all words of the search. */
function filterDownloads(items: readonly Download[], status: DownloadStatus | null, search: string): readonly Download[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  const ofStatus = status === null ? items : items.filter((item) => item.status === status);
  return words.length === 0 ? ofStatus : ofStatus.filter((item) => words.every((word) => textOf(item).includes(word)));
}

function useRetryFailed() {
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
  const start = async (items: readonly Download[]): Promise<void> => {
    setRunning(true);
    const bar = startRun({ title: TEXT.retrying, total: items.length });
    const errors: string[] = [];
    let done = 0;
    for (const item of items) {
      if (bar.cancelled()) break;
      try {
        await retryDownload(item);
        done += 1;
      } catch (error) {
        errors.push(errorText(error));
      }
      bar.progress({ done, failed: errors.length, detail: item.title });
    }
    bar.end();
    void client.invalidateQueries({ queryKey: [keys.downloads] });
    setRunning(false);
    if (done > 0) notify.success(TEXT.retriedMany(done, errors.length));
    for (const error of new Set(errors)) notify.failure(TEXT.retryFailed(error));
  };
  return { running, start: (items: readonly Download[]) => void start(items) };
}

const ROW_PX = 168;

interface StatusFilterProps {
  items: readonly Download[];
  status: DownloadStatus | null;
  onStatus: (next: string) => void;
}

function StatusFilter({ items, status, onStatus }: StatusFilterProps) {
  const countOf = (wanted: DownloadStatus) => items.filter((item) => item.status === wanted).length;
  const options = DOWNLOAD_STATUSES.map((option) => [option, `${capitalised(option)} ${count(countOf(option))}`] as const);
  return (
    <ToggleChoice<string>
      label="Status"
      value={status ?? ''}
      options={[['', `All ${count(items.length)}`], ...options]}
      onChange={(next) => onStatus(next ?? '')}
    />
  );
}

export function DownloadQueue() {
  const downloads = useDownloads();
  const { fields, change } = useUrlState({ status: '', search: '' });
  const [typed, type] = useDebouncedText(fields.search, (search) => change({ search }));
  const retry = useRetryFailed();
  const status = parseStatus(fields.status);
  const items = useMemo(() => downloads.data ?? [], [downloads.data]);
  const shown = useMemo(() => filterDownloads(items, status, fields.search), [items, status, fields.search]);
  const failed = shown.filter(canRetry);
  useShortcuts(TEXT.title, [{ keys: 'r', label: TEXT.refresh, run: () => void downloads.refetch() }]);
  return (
    <Panel
      title={TEXT.queue}
      flush
      actions={
        <>
          {failed.length > 1 ? (
            <ActionButton small label={TEXT.retryAll(failed.length)} loading={retry.running} onClick={() => retry.start(failed)} />
          ) : null}
          <RefreshButton small label={TEXT.refresh} onRefresh={downloads.refetch} />
        </>
      }
    >
      {items.length > 0 ? (
        <Box sx={{ px: 5, pb: 4, display: 'flex', gap: 3, flexWrap: 'wrap', alignItems: 'center' }}>
          <StatusFilter items={items} status={status} onStatus={(next) => change({ status: next })} />
          <TextField
            type="search"
            label={TEXT.search}
            value={typed}
            onChange={(event) => type(event.target.value)}
            slotProps={{ inputLabel: { shrink: true }, htmlInput: { 'data-search': '' } }}
            sx={{ flex: '1 1 200px', maxWidth: { sm: 320 } }}
          />
        </Box>
      ) : null}
      <LoadState
        inset
        query={downloads}
        loading={{ rows: 3, height: 120, label: TEXT.loading }}
        error={(message) => TEXT.fetchError(message === '' ? TEXT.fetchFailed : message)}
        empty={items.length === 0 && { icon: mdiTrayArrowDown, title: TEXT.empty, hint: TEXT.emptyHint }}
      />
      {items.length > 0 && shown.length === 0 ? <EmptyState compact icon={mdiTrayArrowDown} title={TEXT.nothingFound} /> : null}
      <VirtualList
        items={shown}
        keyOf={(item) => item._id}
        estimate={ROW_PX}
        label={TEXT.queue}
        render={(item) => <DownloadRow item={item} />}
      />
    </Panel>
  );
}
