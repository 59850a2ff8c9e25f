import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';

interface LoadingRowsProps {
  rows?: number;
  height?: number;
  /** Overlaid on the first bar, so that it takes no space of its own. */
  label: string;
  columns?: string;
}

const MAX_LABEL_HEIGHT_PX = 48;

export function LoadingRows({ rows = 4, height = 72, label, columns = '1fr' }: LoadingRowsProps) {
  return (
    <Box role="status" sx={{ position: 'relative', display: 'grid', gap: 3, gridTemplateColumns: columns }}>
      <Box
        component="span"
        sx={{ position: 'absolute', insetInline: 0, top: 0, zIndex: 1, px: 4, fontSize: 13, color: 'text.secondary' }}
        style={{ lineHeight: `${Math.min(height, MAX_LABEL_HEIGHT_PX)}px` }}
      >
        {label}
      </Box>
      {Array.from({ length: rows }, (_none, index) => (
        <Skeleton key={index} variant="rounded" height={height} sx={{ bgcolor: 'sunken.main' }} />
      ))}
    </Box>
  );
}
