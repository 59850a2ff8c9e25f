import { mdiCheckAll, mdiEmailCheckOutline } from '@mdi/js';
import { type DeadLetterEntry, ITEM_STAGES, type ItemStage, type Stage, STAGES } from '@autoposter/contracts';
import { useState } from 'react';
import { errorText } from '../../data/http/client';
import { useDeadLetters, useQuarantine, useReplay, useReplayAll } from '../../data/pipeline/use-pipeline';
import { PIPELINE_TEXT } from '../../text/pipeline.text';
import { MONO } from '../../theme/tokens';
import { DataTable, PaginationBar } from '../../ui/data-table';
import { useConfirm } from '../../ui/dialogs';
import { EmptyState, LoadErrorBar, LoadingRows } from '../../ui/feedback';
import { SelectField } from '../../ui/fields';
import { formatDateTime } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box, Button, TableCell } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { Tag } from '../../ui/status';
import { useUrlState } from '../../ui/use-url-state';

const NAMES = PIPELINE_TEXT.stages;
const DEAD_COLUMNS = PIPELINE_TEXT.deadLetters.columns.map((name) => ({ name }));
const failed = (error: unknown) => notify.failure(PIPELINE_TEXT.deadLetters.replayFailed(errorText(error)));

const isItemStage = (stage: string): stage is ItemStage => (ITEM_STAGES as readonly string[]).includes(stage);

function Cells({ entry }: { entry: DeadLetterEntry }) {
  const replay = useReplay();
  const { title } = entry.subject;
  // notifies from the promise: the row is unmounted before mutation callbacks run
  const submit = () => void replay.mutateAsync(entry).then(() => notify.success(PIPELINE_TEXT.deadLetters.replayed(title)), failed);
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
          <Button
            size="small"
            variant="outlined"
            loading={replay.isPending}
            onClick={submit}
            aria-label={`${PIPELINE_TEXT.deadLetters.replay}: ${title}`}
          >
            {PIPELINE_TEXT.deadLetters.replay}
          </Button>
        ) : (
          <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>{PIPELINE_TEXT.deadLetters.notHere}</Box>
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
      {
        question: PIPELINE_TEXT.deadLetters.replayAllQuestion(NAMES[of]),
        detail: PIPELINE_TEXT.deadLetters.replayAllDetail(total),
        confirm: PIPELINE_TEXT.deadLetters.replayAll,
      },
      () =>
        void all
          .mutateAsync(of)
          .then(({ replayed, left }) => notify.success(PIPELINE_TEXT.deadLetters.replayedAll(replayed, left)), failed),
    );
  const options: [Stage | '', string][] = [
    ['', PIPELINE_TEXT.deadLetters.all],
    ...STAGES.map((name): [Stage, string] => [name, NAMES[name]]),
  ];
  return (
    <Panel
      flush
      title={PIPELINE_TEXT.deadLetters.title}
      lead={PIPELINE_TEXT.deadLetters.lead}
      actions={
        <>
          <Box sx={{ width: 160 }}>
            <SelectField
              label={PIPELINE_TEXT.deadLetters.stage}
              value={stage}
              options={options}
              onChange={(next) => change({ stage: next })}
            />
          </Box>
          {isItemStage(stage) && posts.length > 0 ? (
            <Button variant="outlined" loading={all.isPending} onClick={() => replayAll(stage)}>
              {PIPELINE_TEXT.deadLetters.replayAll}
            </Button>
          ) : null}
        </>
      }
    >
      <Box sx={{ px: 5, '&:empty': { display: 'none' }, pb: 4 }}>
        {letters.isPending ? <LoadingRows rows={3} height={56} label={PIPELINE_TEXT.deadLetters.loading} /> : null}
        {letters.isError ? (
          <LoadErrorBar onRetry={() => void letters.refetch()}>{PIPELINE_TEXT.error(errorText(letters.error))}</LoadErrorBar>
        ) : null}
        {letters.isSuccess && posts.length === 0 ? (
          <EmptyState compact icon={mdiCheckAll} title={PIPELINE_TEXT.deadLetters.empty} hint={PIPELINE_TEXT.deadLetters.emptyHint} />
        ) : null}
      </Box>
      {posts.length === 0 ? null : (
        <DataTable
          label={PIPELINE_TEXT.deadLetters.table}
          columns={DEAD_COLUMNS}
          rows={posts}
          keyOf={({ id }) => id}
          render={(entry) => <Cells entry={entry} />}
        />
      )}
      {letters.data === undefined ? null : (
        <PaginationBar noun={PIPELINE_TEXT.deadLetters.counted} pagination={letters.data.pagination} onPage={setPage} />
      )}
      {dialog}
    </Panel>
  );
}

const QUARANTINE_COLUMNS = PIPELINE_TEXT.quarantine.columns.map((name) => ({ name }));
const mono = { fontFamily: MONO, fontSize: 12, overflowWrap: 'anywhere' };

/** Messages that failed schema validation. */
export function Quarantine() {
  const [page, setPage] = useState(1);
  const quarantine = useQuarantine(page);
  const posts = quarantine.data?.posts ?? [];
  return (
    <Panel flush title={PIPELINE_TEXT.quarantine.title} lead={PIPELINE_TEXT.quarantine.lead}>
      <Box sx={{ px: 5, '&:empty': { display: 'none' }, pb: 4 }}>
        {quarantine.isPending ? <LoadingRows rows={2} height={56} label={PIPELINE_TEXT.quarantine.loading} /> : null}
        {quarantine.isError ? (
          <LoadErrorBar onRetry={() => void quarantine.refetch()}>{PIPELINE_TEXT.error(errorText(quarantine.error))}</LoadErrorBar>
        ) : null}
        {quarantine.isSuccess && posts.length === 0 ? (
          <EmptyState compact icon={mdiEmailCheckOutline} title={PIPELINE_TEXT.quarantine.empty} />
        ) : null}
      </Box>
      {posts.length === 0 ? null : (
        <DataTable
          label={PIPELINE_TEXT.quarantine.table}
          columns={QUARANTINE_COLUMNS}
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
        <PaginationBar noun={PIPELINE_TEXT.quarantine.counted} pagination={quarantine.data.pagination} onPage={setPage} />
      )}
    </Panel>
  );
}
