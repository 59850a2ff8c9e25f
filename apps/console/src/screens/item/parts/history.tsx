import type { TimelineEntry } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import { FACT_WORDS, ITEM_TEXT as TEXT } from '../../../text/item.text';
import { formatDateTime } from '../../../ui/format';

/** Every recorded step, oldest first, with who was behind it. */
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
            {FACT_WORDS[entry.type] ?? entry.type}
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
