import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { Panel } from '../../../ui/panel';
import { ClearDialog } from './clear-dialog';

const TEXT = DASHBOARD_TEXT.clear;

export function ClearCard() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title={TEXT.title} tone="danger">
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 4, alignItems: { sm: 'center' }, justifyContent: 'space-between' }}>
        <Box sx={{ fontSize: 13, maxWidth: 720 }}>
          <Box sx={{ fontWeight: 560 }}>{TEXT.warning}</Box>
          <Box sx={{ color: 'text.secondary' }}>{TEXT.stays}</Box>
        </Box>
        <Button variant="outlined" color="error" onClick={() => setOpen(true)} sx={{ color: 'status.red.text' }}>
          {TEXT.title}
        </Button>
      </Stack>
      {open ? <ClearDialog onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}
