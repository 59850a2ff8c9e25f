import Box from '@mui/material/Box';
import type { UrlResult, UrlState } from '../../../data/downloads/use-add-urls';
import { URLS_TEXT as TEXT } from '../../../text/urls.text';
import type { StatusTone } from '../../../theme/tokens';
import { StatusPill } from '../../../ui/status-pill';

const TONES: Record<UrlState, StatusTone> = {
  waiting: 'grey',
  sending: 'orange',
  accepted: 'green',
  known: 'blue',
  failed: 'red',
  left: 'grey',
};

/** How far each link is, while they are sent and afterwards. */
export function UrlResults({ results }: { results: readonly UrlResult[] }) {
  if (results.length === 0) return null;
  return (
    <Box
      component="ul"
      tabIndex={0}
      aria-label={TEXT.results}
      sx={{
        listStyle: 'none',
        m: 0,
        p: 0,
        maxHeight: 260,
        overflowY: 'auto',
        border: 1,
        borderColor: 'line.main',
        borderRadius: 2,
        fontSize: 13,
      }}
    >
      {results.map(({ url, state, error }) => (
        <Box
          component="li"
          key={url}
          sx={{
            display: 'flex',
            gap: 3,
            alignItems: 'center',
            px: 3,
            py: 1.5,
            borderTop: 1,
            borderColor: 'line.main',
            '&:first-of-type': { borderTop: 0 },
          }}
        >
          <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {url}
            {error === null ? null : <Box sx={{ color: 'status.red.text' }}>{error}</Box>}
          </Box>
          <StatusPill status={state} tone={TONES[state]} label={TEXT.states[state]} />
        </Box>
      ))}
    </Box>
  );
}
