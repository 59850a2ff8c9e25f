import { mdiMonitor, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { setPreferences, usePreferences } from '../../preferences/preferences';
import { SHELL_TEXT } from '../../text/shell.text';
import { localZone, shortZone } from '../../ui/format';
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

/** Chooses the display time zone. */
export function ZoneMenu() {
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const choose = (zone: string | null) => {
    setPreferences({ timeZone: zone });
    close();
  };
  const local = localZone();
  const zone = timeZone ?? local;
  const label = SHELL_TEXT.zone(shortZone(zone), zone);
  const others = [...new Set(['UTC', zone])].filter((name) => name !== local);
  return (
    <>
      <Button
        size="small"
        variant="text"
        aria-label={label}
        aria-haspopup="menu"
        title={label}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary', minWidth: 0, px: 2 }}
      >
        {shortZone(zone)}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        <MenuItem selected={timeZone === null} onClick={() => choose(null)}>
          {SHELL_TEXT.zoneHere(local)}
        </MenuItem>
        {others.map((name) => (
          <MenuItem key={name} selected={timeZone === name} onClick={() => choose(name)}>
            {name}
          </MenuItem>
        ))}
        <MenuItem
          onClick={() => {
            close();
            void navigate('/admin/settings#preferences');
          }}
        >
          {SHELL_TEXT.zoneOther}
        </MenuItem>
      </Menu>
    </>
  );
}
