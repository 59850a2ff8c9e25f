import type { TimelineEntry } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import { EVENT_LABELS, ITEM_TEXT as TEXT } from '../../text/item.text';
import { duration, formatDateTime } from '../../ui/format';
import { MessageBar } from '../../ui/message-bar';
import { StatusPill } from '../../ui/status-pill';
import { barPosition, ROW_TONE, type StageRow } from './stage-rows';

/** Every recorded event, oldest first, with its actor. */
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
          <Box component="time" dateTime={entry.occurredAt} className="tabular" sx={{ color: 'text.secondary' }}>
            {formatDateTime(entry.occurredAt)}
          </Box>
          <span>
            {EVENT_LABELS[entry.type] ?? entry.type}
            {entry.reason === null ? '' : `: ${entry.reason}`}
          </span>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {entry.actor === 'system' ? '' : entry.actor}
          </Box>
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
          <Box className="tabular" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {TEXT.attempts(row.attempts, row.maxAttempts)}
          </Box>
        )}
        <Box className="tabular" sx={{ fontSize: 12, color: 'text.secondary' }}>
          {times(row, now)}
        </Box>
        <StatusPill status={row.state} tone={ROW_TONE[row.state]} label={TEXT.states[row.state]} />
      </Box>
      <Bar row={row} rows={rows} now={now} />
      <Box className="tabular" sx={{ fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>
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

/** One bar per stage job: wait and run time, attempts, errors. */
export function Waterfall({ rows, now }: { rows: readonly StageRow[]; now: number }) {
  return (
    <Box component="ol" aria-label={TEXT.timeline} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {rows.map((row) => (
        <Row key={row.key} row={row} rows={rows} now={now} />
      ))}
    </Box>
  );
}
