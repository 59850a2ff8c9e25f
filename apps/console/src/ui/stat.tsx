import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { StatusTone } from '../theme/tokens';

export function Stat({ label, value, tone }: { label: string; value: ReactNode; tone?: StatusTone }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', display: 'block' }}>
        {label}
      </Typography>
      <Typography
        component="dd"
        className="tabular"
        sx={{
          m: 0,
          fontSize: 20,
          fontWeight: 620,
          letterSpacing: '-0.015em',
          color: tone === undefined ? 'text.primary' : `status.${tone}.text`,
        }}
      >
        {value}
      </Typography>
    </Box>
  );
}

export function StatGrid({ children, min = 130 }: { children: ReactNode; min?: number }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: `repeat(auto-fit, minmax(${min}px, 1fr))`,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'line.main',
        borderRadius: 2.5,
        overflow: 'hidden',
        '& > *': { px: 4.5, py: 3.5, boxShadow: (theme) => `1px 1px 0 0 ${theme.vars?.palette.line.main ?? ''}` },
      }}
    >
      {children}
    </Box>
  );
}
