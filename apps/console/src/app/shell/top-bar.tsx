import { mdiMenu } from '@mdi/js';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Tooltip from '@mui/material/Tooltip';
import { useLinkState } from '../../data/live/link-state';
import { SHELL_TEXT } from '../../text/shell.text';
import type { StatusTone } from '../../theme/tokens';
import { Icon } from '../../ui/icon';
import { Bell } from './bell';
import { PublishingSwitch } from './publishing-switch';
import { ThemeMenu } from './theme-menu';

const LINK_TONE: Record<keyof typeof SHELL_TEXT.link, StatusTone> = {
  live: 'green',
  connecting: 'grey',
  reconnecting: 'orange',
  off: 'grey',
};

function LinkDot() {
  const state = useLinkState();
  return (
    <Tooltip title={SHELL_TEXT.linkHint[state]}>
      <Stack
        role="status"
        direction="row"
        tabIndex={0}
        sx={{ alignItems: 'center', gap: 2, fontSize: 12, color: 'text.secondary', borderRadius: 1, px: 1 }}
      >
        <Box sx={{ width: 8, height: 8, borderRadius: 999, bgcolor: `status.${LINK_TONE[state]}.dot` }} />
        {SHELL_TEXT.link[state]}
      </Stack>
    </Tooltip>
  );
}

/** What is true on every screen: the live link, the publishing switch, failures, the colours. */
export function TopBar({ onOpenNavigation }: { onOpenNavigation: () => void }) {
  return (
    <Stack
      component="header"
      direction="row"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 1100,
        height: 56,
        px: { xs: 2, sm: 6, lg: 8 },
        alignItems: 'center',
        gap: { xs: 1, sm: 2 },
        bgcolor: 'background.default',
        borderBottom: 1,
        borderColor: 'line.main',
      }}
    >
      <IconButton aria-label={SHELL_TEXT.openNavigation} onClick={onOpenNavigation} sx={{ display: { md: 'none' } }}>
        <Icon path={mdiMenu} />
      </IconButton>
      <LinkDot />
      <Box sx={{ flex: 1 }} />
      <PublishingSwitch />
      <Bell />
      <ThemeMenu />
    </Stack>
  );
}
