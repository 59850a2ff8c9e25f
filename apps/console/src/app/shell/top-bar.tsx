import { mdiMagnify, mdiMenu, mdiRefresh } from '@mdi/js';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import { SHELL_TEXT } from '../../text/shell.text';
import { Icon } from '../../ui/icon';
import { Bell } from './bell';
import { useRefresh } from './global-keys';
import { LinkLine } from './link-line';
import { PublishingSwitch } from './publishing-switch';
import { ThemeMenu } from './theme-menu';
import { ZoneMenu } from './zone-menu';

interface TopBarProps {
  onOpenNavigation: () => void;
  onOpenPalette: () => void;
}

/** What is true on every screen: how fresh it is, the publishing switch, failures, zone and colours. A phone finds the last two in Settings. */
export function TopBar({ onOpenNavigation, onOpenPalette }: TopBarProps) {
  const refresh = useRefresh();
  return (
    <Stack
      component="header"
      direction="row"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 1100,
        height: 56,
        flexShrink: 0,
        px: { xs: 2, sm: 6, lg: 8 },
        alignItems: 'center',
        gap: { xs: 0.5, sm: 2 },
        bgcolor: 'background.default',
        borderBottom: 1,
        borderColor: 'line.main',
      }}
    >
      <IconButton aria-label={SHELL_TEXT.openNavigation} onClick={onOpenNavigation} sx={{ display: { md: 'none' } }}>
        <Icon path={mdiMenu} />
      </IconButton>
      <LinkLine />
      <Box sx={{ flex: 1 }} />
      <IconButton
        aria-label={SHELL_TEXT.refresh}
        title={SHELL_TEXT.refresh}
        onClick={refresh}
        sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
      >
        <Icon path={mdiRefresh} />
      </IconButton>
      <IconButton aria-label={SHELL_TEXT.palette} title={`${SHELL_TEXT.palette} (Ctrl K)`} aria-haspopup="dialog" onClick={onOpenPalette}>
        <Icon path={mdiMagnify} />
      </IconButton>
      <PublishingSwitch />
      <Bell />
      <Box sx={{ display: { xs: 'none', sm: 'flex' }, alignItems: 'center', gap: 1 }}>
        <ZoneMenu />
        <ThemeMenu />
      </Box>
    </Stack>
  );
}
