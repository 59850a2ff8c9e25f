import {
  type ContentDetails,
  ITEM_STAGES,
  type ProcessingError,
  PUBLISH_STAGE,
  QUEUE_STEP,
  RIGHTS_STAGE,
  STAGE_FACTS,
  type StageRun,
  type TimelineEntry,
} from '@autoposter/contracts';
import { EVENT_LABELS, ITEM_TEXT as TEXT } from '../../text/item.text';
import type { StatusTone } from '../../theme/tokens';
import { MessageBar } from '../../ui/feedback';
import { duration, formatDateTime } from '../../ui/format';
import { Box, Span } from '../../ui/mui';
import { StatusPill } from '../../ui/status';

type RowState = StageRun['state'] | 'todo';

/** One bar of the waterfall. Times in milliseconds; `to` is null while it is unfinished. */
interface StageRow {
  key: string;
  stage: StageRun['stage'] | 'queue';
  state: RowState;
  from: number | null;
  startedAt: number | null;
  to: number | null;
  attempts: number;
  maxAttempts: number;
  waitReason: string | null;
  dueAt: string | null;
  error: { message: string; nextAction: string | null } | null;
  endings: StageRun['endings'];
}

const ROW_TONE: Record<RowState, StatusTone> = {
  requested: 'grey',
  running: 'orange',
  waiting: 'blue',
  retrying: 'orange',
  done: 'green',
  dead: 'red',
  cancelled: 'grey',
  todo: 'grey',
};

const ORDER = [...ITEM_STAGES, QUEUE_STEP.name, PUBLISH_STAGE] as const;
const at = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));
const BARE = { attempts: 0, maxAttempts: 0, waitReason: null, dueAt: null, error: null, endings: [] };

const rowOf = (run: StageRun, index: number): StageRow => ({
  key: `${run.stage}${index}`,
  stage: run.stage,
  state: run.state,
  from: at(run.requestedAt),
  startedAt: at(run.startedAt),
  to: at(run.finishedAt),
  attempts: run.attempts,
  maxAttempts: run.maxAttempts,
  waitReason: run.waitReason,
  dueAt: run.dueAt,
  error: run.failure,
  endings: run.endings,
});

const PUBLISH_REQUESTED = `${PUBLISH_STAGE}.requested`;
const LEAVES_QUEUE = ['item.unqueued', PUBLISH_REQUESTED, 'item.discarded', 'item.deleted', STAGE_FACTS.factOnSkip[RIGHTS_STAGE]];

/** One row per stay in the queue, from being queued to being posted or removed. */
function queueRows(timeline: readonly TimelineEntry[]): StageRow[] {
  return timeline.flatMap((entry, index) => {
    if (entry.type !== 'item.queued') return [];
    const left = timeline.slice(index + 1).find(({ type }) => LEAVES_QUEUE.includes(type));
    const out = left !== undefined && left.type !== PUBLISH_REQUESTED;
    const from = Date.parse(entry.occurredAt);
    const state: RowState = left === undefined ? 'waiting' : out ? 'cancelled' : 'done';
    return [{ ...BARE, key: `queue${index}`, stage: 'queue' as const, state, from, startedAt: from, to: at(left?.occurredAt ?? null) }];
  });
}

/** Attaches an error that no job carries to the last job of its stage. Its message already contains the next action. */
function withErrors(rows: readonly StageRow[], errors: readonly ProcessingError[], failed: boolean): StageRow[] {
  const newest = errors.at(-1);
  if (!failed || newest === undefined || rows.some((row) => row.stage === newest.stage && row.error !== null)) return [...rows];
  const last = rows.findLastIndex((row) => row.stage === newest.stage);
  return rows.map((row, index) => (index === last ? { ...row, state: 'dead', error: { message: newest.message, nextAction: null } } : row));
}

/** All jobs of an item, its stays in the queue, and the stages still to come. */
export function stageRows(item: Pick<ContentDetails, 'stages' | 'timeline' | 'processingErrors' | 'state'>): StageRow[] {
  const runs = [...(item.stages ?? []).map(rowOf), ...queueRows(item.timeline)].sort((a, b) => (a.from ?? 0) - (b.from ?? 0));
  const failed = item.state === 'failed' || item.state === 'blocked';
  const rows = withErrors(runs, item.processingErrors, failed);
  const ended = failed || item.state === 'posted' || item.state === 'discarded' || item.state === 'deleted';
  const furthest = Math.max(-1, ...rows.map((row) => ORDER.indexOf(row.stage as (typeof ORDER)[number])));
  const coming = ended ? [] : ORDER.slice(furthest + 1);
  return [
    ...rows,
    ...coming.map((stage) => ({ ...BARE, key: stage, stage, state: 'todo' as const, from: null, startedAt: null, to: null })),
  ];
}

/** Position of a row in percent of the time from the first to the last event. */
export function barPosition(row: StageRow, rows: readonly StageRow[], now: number): { left: number; waited: number; ran: number } | null {
  if (row.from === null) return null;
  const began = Math.min(...rows.flatMap(({ from }) => from ?? []));
  const ended = Math.max(...rows.map(({ from, to }) => (from === null ? 0 : (to ?? now))));
  const whole = Math.max(1, ended - began);
  const end = row.to ?? now;
  const start = Math.min(end, row.startedAt ?? end);
  const share = (from: number, to: number) => (Math.max(0, to - from) / whole) * 100;
  return { left: share(began, row.from), waited: share(row.from, start), ran: share(start, end) };
}

export function History({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <Box component="ol" aria-label={TEXT.history} sx={{ listStyle: 'none', m: 0, px: 5, pb: 4, display: 'grid', gap: 1.5, fontSize: 13 }}>
      {entries.map((entry) => (
        <Box
          component="li"
          key={entry.seq}
          sx={{
            display: 'grid',
            columnGap: 4,
            gridTemplateColumns: { xs: '1fr', sm: '150px minmax(0, 1fr) auto' },
            overflowWrap: 'anywhere',
          }}
        >
          <Box component="time" dateTime={entry.occurredAt} sx={{ color: 'text.secondary' }}>
            {formatDateTime(entry.occurredAt)}
          </Box>
          <span>
            {EVENT_LABELS[entry.type] ?? entry.type}
            {entry.reason === null ? '' : `: ${entry.reason}`}
          </span>
          <Span sx={{ color: 'text.secondary' }}>{entry.actor === 'system' ? '' : entry.actor}</Span>
        </Box>
      ))}
    </Box>
  );
}

const SECOND_MS = 1000;
const span = (from: number, to: number): string => {
  const ms = to - from;
  return ms < SECOND_MS ? `${Math.max(0, ms)} ms` : ms < 60 * SECOND_MS ? `${(ms / SECOND_MS).toFixed(1)} s` : duration(ms / SECOND_MS);
};

function times(row: StageRow, now: number): string {
  if (row.from === null) return '';
  const end = row.to ?? now;
  if (row.stage === 'queue') return TEXT.waited(span(row.from, end));
  if (row.startedAt === null) return TEXT.waited(span(row.from, end));
  return `${TEXT.waited(span(row.from, row.startedAt))}, ${TEXT.ran(span(row.startedAt, end))}`;
}

function Bar({ row, rows, now }: { row: StageRow; rows: readonly StageRow[]; now: number }) {
  const position = barPosition(row, rows, now);
  const tone = ROW_TONE[row.state];
  return (
    <Box aria-hidden sx={{ position: 'relative', height: 8, borderRadius: 4, bgcolor: 'sunken.main', overflow: 'hidden' }}>
      {position === null ? null : (
        <Box
          sx={{ position: 'absolute', insetBlock: 0, display: 'flex' }}
          style={{ left: `min(${position.left}%, 100% - 4px)`, width: `${position.waited + position.ran}%`, minWidth: 4 }}
        >
          <Box sx={{ bgcolor: `status.${tone}.dot`, opacity: 0.35 }} style={{ flexGrow: position.waited }} />
          <Box sx={{ bgcolor: `status.${tone}.dot` }} style={{ flexGrow: Math.max(position.ran, 0.001) }} />
        </Box>
      )}
    </Box>
  );
}

function Row({ row, rows, now }: { row: StageRow; rows: readonly StageRow[]; now: number }) {
  const note = [row.waitReason, row.dueAt === null ? null : TEXT.next(formatDateTime(row.dueAt))].filter(Boolean).join(', ');
  return (
    <Box component="li" sx={{ display: 'grid', gap: 2, px: 5, py: 4, borderTop: 1, borderColor: 'line.main' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1 }}>
        <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600, flex: '1 0 140px' }}>
          {TEXT.stages[row.stage]}
        </Box>
        {row.attempts === 0 ? null : (
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{TEXT.attempts(row.attempts, row.maxAttempts)}</Box>
        )}
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{times(row, now)}</Box>
        <StatusPill status={row.state} tone={ROW_TONE[row.state]} label={TEXT.states[row.state]} />
      </Box>
      <Bar row={row} rows={rows} now={now} />
      <Box sx={{ fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {row.from === null ? '' : formatDateTime(new Date(row.from).toISOString(), { zone: true })}
        {note === '' ? '' : ` · ${note}`}
      </Box>
      {row.endings.length === 0 ? null : (
        <Box component="ul" sx={{ m: 0, pl: 4.5, fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {row.endings.map((ending) => (
            <li key={`${ending.at}${ending.attempt}`}>
              {TEXT.ending(ending.attempt, ending.message ?? ending.outcome)} ({formatDateTime(ending.at)})
            </li>
          ))}
        </Box>
      )}
      {row.error === null ? null : (
        <MessageBar tone="red">
          {row.error.message}
          {row.error.nextAction === null ? null : <Box sx={{ mt: 1, fontWeight: 560 }}>{row.error.nextAction}</Box>}
        </MessageBar>
      )}
    </Box>
  );
}

export function Waterfall({ rows, now }: { rows: readonly StageRow[]; now: number }) {
  return (
    <Box component="ol" aria-label={TEXT.timeline} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {rows.map((row) => (
        <Row key={row.key} row={row} rows={rows} now={now} />
      ))}
    </Box>
  );
}
