import { mdiCheckAll } from '@mdi/js';
import { type DeadLetterEntry, ITEM_STAGES, type ItemStage, type Stage, STAGES } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TableCell from '@mui/material/TableCell';
import { errorText } from '../../data/http/client';
import { useDeadLetters, useReplay, useReplayAll } from '../../data/pipeline/use-pipeline';
import { PIPELINE_TEXT } from '../../text/pipeline.text';
import { useConfirm } from '../../ui/confirm-dialog';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { formatDateTime } from '../../ui/format';
import { LoadingRows } from '../../ui/loading-rows';
import { LoadErrorBar } from '../../ui/message-bar';
import { notify } from '../../ui/notifications';
import { PaginationBar } from '../../ui/pagination-bar';
import { Panel } from '../../ui/panel';
import { SelectField } from '../../ui/select-field';
import { Tag } from '../../ui/tag';
import { useUrlState } from '../../ui/use-url-state';

const TEXT = PIPELINE_TEXT.deadLetters;
const NAMES = PIPELINE_TEXT.stages;
const COLUMNS = TEXT.columns.map((name) => ({ name }));
const failed = (error: unknown) => notify.failure(TEXT.replayFailed(errorText(error)));

const isItemStage = (stage: string): stage is ItemStage => (ITEM_STAGES as readonly string[]).includes(stage);

function Cells({ entry }: { entry: DeadLetterEntry }) {
  const replay = useReplay();
  const { title } = entry.subject;
  // notifies from the promise: the row is unmounted before mutation callbacks run
  const submit = () => void replay.mutateAsync(entry).then(() => notify.success(TEXT.replayed(title)), failed);
  return (
    <>
      <TableCell sx={{ fontWeight: 560, minWidth: 160, overflowWrap: 'anywhere' }}>{title}</TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>
        <Tag>{NAMES[entry.stage]}</Tag>
      </TableCell>
      <TableCell sx={{ minWidth: 220, overflowWrap: 'anywhere' }}>
        <Box>{entry.message}</Box>
        <Box sx={{ color: 'text.secondary' }}>{entry.nextAction}</Box>
      </TableCell>
      <TableCell className="tabular">
        <span>{entry.attempts}</span>
      </TableCell>
      <TableCell className="tabular" sx={{ whiteSpace: 'nowrap' }}>
        <span>{formatDateTime(entry.diedAt)}</span>
      </TableCell>
      <TableCell>
        {entry.replayable ? (
          <Button size="small" variant="outlined" loading={replay.isPending} onClick={submit} aria-label={`${TEXT.replay}: ${title}`}>
            {TEXT.replay}
          </Button>
        ) : (
          <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>{TEXT.notHere}</Box>
        )}
      </TableCell>
    </>
  );
}

/** Jobs that exhausted their attempts, with replay. */
export function DeadLetters() {
  const { fields, page, change, setPage } = useUrlState({ stage: '' });
  const stage = STAGES.find((name) => name === fields.stage) ?? '';
  const letters = useDeadLetters({ stage, page });
  const all = useReplayAll();
  const { confirm, dialog } = useConfirm();
  const posts = letters.data?.posts ?? [];
  const total = letters.data?.pagination.totalCount ?? 0;
  const replayAll = (of: ItemStage) =>
    confirm(
      { question: TEXT.replayAllQuestion(NAMES[of]), detail: TEXT.replayAllDetail(total), confirm: TEXT.replayAll },
      () => void all.mutateAsync(of).then(({ replayed, left }) => notify.success(TEXT.replayedAll(replayed, left)), failed),
    );
  const options: [Stage | '', string][] = [['', TEXT.all], ...STAGES.map((name): [Stage, string] => [name, NAMES[name]])];
  return (
    <Panel
      flush
      title={TEXT.title}
      lead={TEXT.lead}
      actions={
        <>
          <Box sx={{ width: 160 }}>
            <SelectField label={TEXT.stage} value={stage} options={options} onChange={(next) => change({ stage: next })} />
          </Box>
          {isItemStage(stage) && posts.length > 0 ? (
            <Button variant="outlined" loading={all.isPending} onClick={() => replayAll(stage)}>
              {TEXT.replayAll}
            </Button>
          ) : null}
        </>
      }
    >
      <Box sx={{ px: 5, '&:empty': { display: 'none' }, pb: 4 }}>
        {letters.isPending ? <LoadingRows rows={3} height={56} label={TEXT.loading} /> : null}
        {letters.isError ? (
          <LoadErrorBar onRetry={() => void letters.refetch()}>{PIPELINE_TEXT.error(errorText(letters.error))}</LoadErrorBar>
        ) : null}
        {letters.isSuccess && posts.length === 0 ? (
          <EmptyState compact icon={mdiCheckAll} title={TEXT.empty} hint={TEXT.emptyHint} />
        ) : null}
      </Box>
      {posts.length === 0 ? null : (
        <DataTable label={TEXT.table} columns={COLUMNS} rows={posts} keyOf={({ id }) => id} render={(entry) => <Cells entry={entry} />} />
      )}
      {letters.data === undefined ? null : <PaginationBar noun={TEXT.counted} pagination={letters.data.pagination} onPage={setPage} />}
      {dialog}
    </Panel>
  );
}
