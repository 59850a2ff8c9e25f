import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { setPreferences, usePreferences } from '../../preferences/preferences';
import { SHELL_TEXT } from '../../text/shell.text';
import { localZone, shortZone } from '../../ui/time-zone';

/** The zone in which every time on the screen is told. */
export function ZoneMenu() {
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const choose = (zone: string | null) => {
    setPreferences({ timeZone: zone });
    close();
  };
  const here = localZone();
  const zone = timeZone ?? here;
  const label = SHELL_TEXT.zone(shortZone(zone), zone);
  const others = [...new Set(['UTC', zone])].filter((name) => name !== here);
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
          {SHELL_TEXT.zoneHere(here)}
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
