import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { HIDDEN } from './hidden';

interface LoadingRowsProps {
  rows?: number;
  height?: number;
  /** What is loading, for those who do not see the bars. */
  label: string;
  columns?: string;
}

/** Bars in the place and size of what is coming. */
export function LoadingRows({ rows = 4, height = 72, label, columns = '1fr' }: LoadingRowsProps) {
  return (
    <Box role="status" sx={{ display: 'grid', gap: 3, gridTemplateColumns: columns }}>
      <Box component="span" sx={HIDDEN}>
        {label}
      </Box>
      {Array.from({ length: rows }, (_none, index) => (
        <Skeleton key={index} variant="rounded" height={height} sx={{ bgcolor: 'sunken.main' }} />
      ))}
    </Box>
  );
}
