import { mdiEmailCheckOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import TableCell from '@mui/material/TableCell';
import { useState } from 'react';
import { errorText } from '../../data/http/client';
import { useQuarantine } from '../../data/pipeline/use-pipeline';
import { PIPELINE_TEXT } from '../../text/pipeline.text';
import { MONO } from '../../theme/tokens';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { formatDateTime } from '../../ui/format';
import { LoadingRows } from '../../ui/loading-rows';
import { LoadErrorBar } from '../../ui/message-bar';
import { PaginationBar } from '../../ui/pagination-bar';
import { Panel } from '../../ui/panel';

const TEXT = PIPELINE_TEXT.quarantine;
const COLUMNS = TEXT.columns.map((name) => ({ name }));
const mono = { fontFamily: MONO, fontSize: 12, overflowWrap: 'anywhere' };

/** Messages that failed schema validation. */
export function Quarantine() {
  const [page, setPage] = useState(1);
  const quarantine = useQuarantine(page);
  const posts = quarantine.data?.posts ?? [];
  return (
    <Panel flush title={TEXT.title} lead={TEXT.lead}>
      <Box sx={{ px: 5, '&:empty': { display: 'none' }, pb: 4 }}>
        {quarantine.isPending ? <LoadingRows rows={2} height={56} label={TEXT.loading} /> : null}
        {quarantine.isError ? (
          <LoadErrorBar onRetry={() => void quarantine.refetch()}>{PIPELINE_TEXT.error(errorText(quarantine.error))}</LoadErrorBar>
        ) : null}
        {quarantine.isSuccess && posts.length === 0 ? <EmptyState compact icon={mdiEmailCheckOutline} title={TEXT.empty} /> : null}
      </Box>
      {posts.length === 0 ? null : (
        <DataTable
          label={TEXT.table}
          columns={COLUMNS}
          rows={posts}
          keyOf={({ id }) => id}
          render={(entry) => (
            <>
              <TableCell sx={mono}>
                <Box>{entry.topic}</Box>
                {entry.offset === null ? null : <Box sx={{ color: 'text.secondary' }}>{`${entry.partition ?? 0}/${entry.offset}`}</Box>}
              </TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>
                <span>{entry.reason}</span>
              </TableCell>
              <TableCell sx={mono}>
                <span>{entry.text}</span>
              </TableCell>
              <TableCell className="tabular" sx={{ whiteSpace: 'nowrap' }}>
                <span>{formatDateTime(entry.receivedAt)}</span>
              </TableCell>
            </>
          )}
        />
      )}
      {quarantine.data === undefined ? null : (
        <PaginationBar noun={TEXT.counted} pagination={quarantine.data.pagination} onPage={setPage} />
      )}
    </Panel>
  );
}
