import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { SELECTION_TEXT as TEXT } from '../../text/selection.text';

interface BulkBarProps {
  /** How many are selected. */
  selected: number;
  onClear: () => void;
  /** What can be done with all of them. */
  children: ReactNode;
}

/** How much is selected and what can be done with all of it; stays at the lower edge while one scrolls. */
export function BulkBar({ selected, onClear, children }: BulkBarProps) {
  return (
    <Box
      role="region"
      aria-label={TEXT.selected(selected)}
      sx={{
        position: 'sticky',
        bottom: 16,
        zIndex: 5,
        mt: 4,
        mx: 'auto',
        width: 'fit-content',
        maxWidth: 1,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        px: 4,
        py: 2.5,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'line.strong',
        borderRadius: 2.5,
        boxShadow: 6,
      }}
    >
      <Box role="status" className="tabular" sx={{ fontWeight: 580, mr: 2 }}>
        {TEXT.selected(selected)}
      </Box>
      {children}
      <Button size="small" variant="text" onClick={onClear}>
        {TEXT.none}
      </Button>
    </Box>
  );
}
