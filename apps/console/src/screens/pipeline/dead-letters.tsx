import { mdiCheckAll, mdiEmailCheckOutline } from '@mdi/js';
import { type DeadLetterEntry, ITEM_STAGES, type ItemStage, type QuarantinedEntry, type Stage, STAGES } from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useDeadLetters, useQuarantine, useReplay, useReplayAll } from '../../data/pipeline/use-pipeline';
import { PIPELINE_TEXT } from '../../text/pipeline.text';
import { MONO } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { type Column, DataTable, PaginationBar } from '../../ui/data-table';
import { useConfirm } from '../../ui/dialogs';
import { LoadState } from '../../ui/feedback';
import { SelectField } from '../../ui/fields';
import { formatDateTime } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box } from '../../ui/mui';
import { Tag } from '../../ui/status';
import { useUrlState } from '../../ui/use-url-state';

const { deadLetters: TEXT, quarantine: QUARANTINE, stages: NAMES } = PIPELINE_TEXT;

const isItemStage = (stage: string): stage is ItemStage => (ITEM_STAGES as readonly string[]).includes(stage);

function Replay({ entry }: { entry: DeadLetterEntry }) {
  const replay = useReplay();
  const { title } = entry.subject;
  if (!entry.replayable) return <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>{TEXT.notHere}</Box>;
  const submit = () => void notifyResult(replay.mutateAsync(entry), TEXT.replayed(title), TEXT.replayFailed);
  return <ActionButton small label={TEXT.replay} loading={replay.isPending} onClick={submit} aria-label={`${TEXT.replay}: ${title}`} />;
}

const [POST, STAGE, ERROR, ATTEMPTS, FAILED_AT, ACTION] = TEXT.columns;
const COLUMNS: readonly Column<DeadLetterEntry>[] = [
  { name: POST, sx: { fontWeight: 560, minWidth: 160, overflowWrap: 'anywhere' }, cell: ({ subject }) => subject.title },
  { name: STAGE, sx: { whiteSpace: 'nowrap' }, cell: ({ stage }) => <Tag>{NAMES[stage]}</Tag> },
  {
    name: ERROR,
    sx: { minWidth: 220, overflowWrap: 'anywhere' },
    cell: ({ message, nextAction }) => (
      <>
        <Box>{message}</Box>
        <Box sx={{ color: 'text.secondary' }}>{nextAction}</Box>
      </>
    ),
  },
  { name: ATTEMPTS, cell: ({ attempts }) => <span>{attempts}</span> },
  { name: FAILED_AT, sx: { whiteSpace: 'nowrap' }, cell: ({ diedAt }) => <span>{formatDateTime(diedAt)}</span> },
  { name: ACTION, cell: (entry) => <Replay entry={entry} /> },
];

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
      () => void notifyResult(all.mutateAsync(of), ({ replayed, left }) => TEXT.replayedAll(replayed, left), TEXT.replayFailed),
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
            <ActionButton label={TEXT.replayAll} loading={all.isPending} onClick={() => replayAll(stage)} />
          ) : null}
        </>
      }
    >
      <LoadState
        inset
        query={letters}
        loading={{ rows: 3, height: 56, label: TEXT.loading }}
        error={PIPELINE_TEXT.error}
        empty={posts.length === 0 && { compact: true, icon: mdiCheckAll, title: TEXT.empty, hint: TEXT.emptyHint }}
      />
      {posts.length === 0 ? null : <DataTable label={TEXT.table} columns={COLUMNS} rows={posts} keyOf={({ id }) => id} />}
      {letters.data === undefined ? null : <PaginationBar noun={TEXT.counted} pagination={letters.data.pagination} onPage={setPage} />}
      {dialog}
    </Panel>
  );
}

const mono = { fontFamily: MONO, fontSize: 12, overflowWrap: 'anywhere' } as const;
const [TOPIC, REASON, PREVIEW, RECEIVED] = QUARANTINE.columns;
const QUARANTINE_COLUMNS: readonly Column<QuarantinedEntry>[] = [
  {
    name: TOPIC,
    sx: mono,
    cell: ({ topic, partition, offset }) => (
      <>
        <Box>{topic}</Box>
        {offset === null ? null : <Box sx={{ color: 'text.secondary' }}>{`${partition ?? 0}/${offset}`}</Box>}
      </>
    ),
  },
  { name: REASON, sx: { overflowWrap: 'anywhere' }, cell: ({ reason }) => <span>{reason}</span> },
  { name: PREVIEW, sx: mono, cell: ({ text }) => <span>{text}</span> },
  { name: RECEIVED, sx: { whiteSpace: 'nowrap' }, cell: ({ receivedAt }) => <span>{formatDateTime(receivedAt)}</span> },
];

/** Messages that failed schema validation. */
export function Quarantine() {
  const [page, setPage] = useState(1);
  const quarantine = useQuarantine(page);
  const posts = quarantine.data?.posts ?? [];
  return (
    <Panel flush title={QUARANTINE.title} lead={QUARANTINE.lead}>
      <LoadState
        inset
        query={quarantine}
        loading={{ rows: 2, height: 56, label: QUARANTINE.loading }}
        error={PIPELINE_TEXT.error}
        empty={posts.length === 0 && { compact: true, icon: mdiEmailCheckOutline, title: QUARANTINE.empty }}
      />
      {posts.length === 0 ? null : <DataTable label={QUARANTINE.table} columns={QUARANTINE_COLUMNS} rows={posts} keyOf={({ id }) => id} />}
      {quarantine.data === undefined ? null : (
        <PaginationBar noun={QUARANTINE.counted} pagination={quarantine.data.pagination} onPage={setPage} />
      )}
    </Panel>
  );
}
