import { useQueryClient } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useEffect, useState } from 'react';
import { useLinkState } from '../../data/live/link-state';
import { useSession } from '../../data/session/use-session';
import { SHELL_TEXT } from '../../text/shell.text';
import type { StatusTone } from '../../theme/tokens';
import { duration } from '../../ui/format';

const TICK_MS = 1_000;

const LINK_TONE: Record<keyof typeof SHELL_TEXT.link, StatusTone> = {
  live: 'green',
  connecting: 'grey',
  reconnecting: 'orange',
  off: 'grey',
  ended: 'red',
};

/** Seconds since something on the screen was last read, or `null` before anything was. */
function useSecondsSinceRead(): number | null {
  const client = useQueryClient();
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const look = () => {
      const shown = client
        .getQueryCache()
        .getAll()
        .filter((query) => query.isActive());
      const last = Math.max(0, ...shown.map((query) => query.state.dataUpdatedAt));
      setSeconds(last === 0 ? null : Math.max(0, Math.floor((Date.now() - last) / 1000)));
    };
    look();
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [client]);
  return seconds;
}

/** Whether changes appear by themselves, and how old what is on the screen may be. */
export function LinkLine() {
  const link = useLinkState();
  const { ended } = useSession();
  const state = ended ? 'ended' : link;
  const seconds = useSecondsSinceRead();
  return (
    <Stack
      direction="row"
      title={SHELL_TEXT.linkHint[state]}
      sx={{ alignItems: 'center', gap: 2, fontSize: 12, color: 'text.secondary', px: 1, minWidth: 0 }}
    >
      <Box sx={{ width: 8, height: 8, borderRadius: 999, flexShrink: 0, bgcolor: `status.${LINK_TONE[state]}.dot` }} />
      <Box component="span" role="status" sx={{ whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {SHELL_TEXT.link[state]}
      </Box>
      {seconds === null ? null : (
        <Box component="span" className="tabular" sx={{ display: { xs: 'none', sm: 'inline' }, whiteSpace: 'nowrap' }}>
          {SHELL_TEXT.updated(duration(seconds))}
        </Box>
      )}
    </Stack>
  );
}
