import Box from '@mui/material/Box';
import { usePublishing } from '../../data/publishing/use-publishing';
import { SHELL_TEXT } from '../../text/shell.text';
import { moment } from '../../ui/format';
import { MessageBar } from '../../ui/message-bar';

/** While publishing is paused: since when, by whom, and, where the product paused by itself, why and what to do. */
export function PausedBanner() {
  const { data } = usePublishing();
  if (data?.paused !== true) return null;
  const byItself = data.reason !== undefined && data.reason !== null;
  return (
    <Box component="section" aria-label={SHELL_TEXT.paused} sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: 4 }}>
      <MessageBar tone={byItself ? 'red' : 'orange'}>
        <strong>{SHELL_TEXT.paused}.</strong> {byItself ? `${data.reason ?? ''} ${data.nextAction ?? ''} ` : null}
        {SHELL_TEXT.pausedHint}
        {data.by === null || data.since === null ? null : ` ${SHELL_TEXT.pausedSince(data.by, moment(data.since, { zone: true }))}`}
      </MessageBar>
    </Box>
  );
}
