import { mdiTrayArrowDown } from '@mdi/js';
import { DOWNLOAD_STATUSES, type Download, type DownloadStatus } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useSearchParams } from 'react-router-dom';
import { useDownloads } from '../../../data/downloads/use-downloads';
import { errorText } from '../../../data/http/client';
import { URLS_TEXT } from '../../../text/urls.text';
import { EmptyState } from '../../../ui/empty-state';
import { capitalised, count } from '../../../ui/format';
import { LoadingRows } from '../../../ui/loading-rows';
import { MessageBar } from '../../../ui/message-bar';
import { Panel } from '../../../ui/panel';
import { VirtualList } from '../../../ui/virtual-list';
import { DownloadRow } from './download-row';

const ROW_PX = 168;

const asStatus = (text: string | null): DownloadStatus | null => DOWNLOAD_STATUSES.find((status) => status === text) ?? null;

function StatusFilter({
  items,
  status,
  onStatus,
}: {
  items: readonly Download[];
  status: DownloadStatus | null;
  onStatus: (next: string) => void;
}) {
  const number = (of: DownloadStatus) => items.filter((item) => item.status === of).length;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={status ?? 'all'}
      aria-label="Status"
      onChange={(_event, next: string | null) => onStatus(next ?? 'all')}
      sx={{ flexWrap: 'wrap' }}
    >
      <ToggleButton value="all">All {count(items.length)}</ToggleButton>
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
  const [query, setQuery] = useSearchParams();
  const status = asStatus(query.get('status'));
  const items = downloads.data ?? [];
  const shown = status === null ? items : items.filter((item) => item.status === status);
  return (
    <Panel
      title={URLS_TEXT.queue}
      flush
      actions={
        <Button size="small" variant="outlined" disabled={downloads.isFetching} onClick={() => void downloads.refetch()}>
          {URLS_TEXT.refresh}
        </Button>
      }
    >
      {items.length > 0 ? (
        <Box sx={{ px: 5, pb: 4, overflowX: 'auto' }}>
          <StatusFilter
            items={items}
            status={status}
            onStatus={(next) => setQuery(next === 'all' ? {} : { status: next }, { replace: true })}
          />
        </Box>
      ) : null}
      {downloads.isError ? (
        <Box sx={{ px: 5, pb: 5 }}>
          <MessageBar tone="red">{URLS_TEXT.fetchError(errorText(downloads.error, URLS_TEXT.fetchFailed))}</MessageBar>
        </Box>
      ) : null}
      {downloads.isPending ? (
        <Box sx={{ px: 5, pb: 5 }}>
          <LoadingRows rows={3} height={120} label={URLS_TEXT.loading} />
        </Box>
      ) : null}
      {downloads.isSuccess && items.length === 0 ? (
        <EmptyState icon={mdiTrayArrowDown} title={URLS_TEXT.empty} hint={URLS_TEXT.emptyHint} />
      ) : null}
      {items.length > 0 && shown.length === 0 ? <EmptyState compact icon={mdiTrayArrowDown} title={`Nothing is ${status ?? ''}`} /> : null}
      <VirtualList
        items={shown}
        keyOf={(item) => item._id}
        estimate={ROW_PX}
        label={URLS_TEXT.queue}
        render={(item) => <DownloadRow item={item} />}
      />
    </Panel>
  );
}
