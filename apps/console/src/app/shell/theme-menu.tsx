import { mdiMonitor, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import IconButton from '@mui/material/IconButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { useState } from 'react';
import { SHELL_TEXT } from '../../text/shell.text';
import { Icon } from '../../ui/icon';

const MODES = [
  { mode: 'light', icon: mdiWhiteBalanceSunny },
  { mode: 'dark', icon: mdiWeatherNight },
  { mode: 'system', icon: mdiMonitor },
] as const;

export function ThemeMenu() {
  const { mode, setMode } = useColorScheme();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const current = MODES.find((entry) => entry.mode === mode) ?? MODES[2];
  return (
    <>
      <IconButton aria-label={SHELL_TEXT.themeButton} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
        <Icon path={current.icon} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {MODES.map((entry) => (
          <MenuItem
            key={entry.mode}
            selected={entry.mode === current.mode}
            onClick={() => {
              setMode(entry.mode);
              setAnchor(null);
            }}
          >
            <ListItemIcon>
              <Icon path={entry.icon} />
            </ListItemIcon>
            {SHELL_TEXT.theme[entry.mode]}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
