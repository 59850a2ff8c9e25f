import { mdiTrayArrowDown } from '@mdi/js';
import { DOWNLOAD_STATUSES, type Download, type DownloadStatus } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useMemo } from 'react';
import { useDownloads } from '../../../data/downloads/use-downloads';
import { errorText } from '../../../data/http/client';
import { URLS_TEXT as TEXT } from '../../../text/urls.text';
import { EmptyState } from '../../../ui/empty-state';
import { capitalised, count } from '../../../ui/format';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';
import { LoadingRows } from '../../../ui/loading-rows';
import { MessageBar } from '../../../ui/message-bar';
import { Panel } from '../../../ui/panel';
import { useUrlState } from '../../../ui/use-url-state';
import { useDebouncedText } from '../../../ui/use-debounced-text';
import { VirtualList } from '../../../ui/virtual-list';
import { asStatus, canRetry, filterDownloads } from '../filter-downloads';
import { useRetryFailed } from '../use-retry-failed';
import { DownloadRow } from './download-row';

const ROW_PX = 168;

interface StatusFilterProps {
  items: readonly Download[];
  status: DownloadStatus | null;
  onStatus: (next: string) => void;
}

function StatusFilter({ items, status, onStatus }: StatusFilterProps) {
  const number = (of: DownloadStatus) => items.filter((item) => item.status === of).length;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={status ?? ''}
      aria-label="Status"
      onChange={(_event, next: string | null) => onStatus(next ?? '')}
    >
      <ToggleButton value="">All {count(items.length)}</ToggleButton>
      {DOWNLOAD_STATUSES.map((each) => (
        <ToggleButton key={each} value={each} className="tabular">
          {capitalised(each)} {count(number(each))}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** Every post that was asked for, with the place where it is. */
export function DownloadQueue() {
  const downloads = useDownloads();
  const { fields, change } = useUrlState({ status: '', search: '' });
  const [typed, type] = useDebouncedText(fields.search, (search) => change({ search }));
  const retry = useRetryFailed();
  const status = asStatus(fields.status);
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
            <Button size="small" variant="outlined" loading={retry.running} onClick={() => retry.start(failed)} className="tabular">
              {TEXT.retryAll(failed.length)}
            </Button>
          ) : null}
          <Button size="small" variant="outlined" disabled={downloads.isFetching} onClick={() => void downloads.refetch()}>
            {TEXT.refresh}
          </Button>
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
      {downloads.isError ? (
        <Box sx={{ px: 5, pb: 4 }}>
          <MessageBar tone="red">{TEXT.fetchError(errorText(downloads.error, TEXT.fetchFailed))}</MessageBar>
        </Box>
      ) : null}
      {downloads.isPending ? (
        <Box sx={{ px: 5, pb: 5 }}>
          <LoadingRows rows={3} height={120} label={TEXT.loading} />
        </Box>
      ) : null}
      {downloads.isSuccess && items.length === 0 ? <EmptyState icon={mdiTrayArrowDown} title={TEXT.empty} hint={TEXT.emptyHint} /> : null}
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
