import { LIMITS, type Pagination } from '@autoposter/contracts';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { count } from './format';

/** Visible page numbers, centred on the current one. */
const pageNumbers = (current: number, total: number): number[] => {
  const shown = Math.min(LIMITS.pagination.maxButtons, total);
  const first = Math.max(1, Math.min(current - Math.floor(shown / 2), total - shown + 1));
  return Array.from({ length: shown }, (_none, index) => first + index);
};

interface PaginationBarProps {
  pagination: Pagination;
  onPage: (page: number) => void;
  noun?: string;
}

/** Renders nothing for a single page. */
export function PaginationBar({ pagination, onPage, noun = 'total posts' }: PaginationBarProps) {
  const { currentPage, totalPages, totalCount, hasPrevPage, hasNextPage } = pagination;
  if (totalPages <= 1) return null;
  return (
    <Stack
      component="nav"
      aria-label="Pages"
      direction="row"
      sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3, px: 5, py: 4 }}
    >
      <Typography variant="body2" className="tabular" sx={{ color: 'text.secondary' }}>
        {`Page ${currentPage} of ${totalPages} (${count(totalCount)} ${noun})`}
      </Typography>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Button size="small" variant="outlined" disabled={!hasPrevPage} onClick={() => onPage(currentPage - 1)}>
          Previous
        </Button>
        {pageNumbers(currentPage, totalPages).map((page) => (
          <Button
            key={page}
            size="small"
            variant={page === currentPage ? 'contained' : 'text'}
            aria-label={`Page ${page}`}
            {...(page === currentPage ? { 'aria-current': 'page' as const } : {})}
            onClick={() => onPage(page)}
            sx={{ minWidth: 34, px: 0 }}
            className="tabular"
          >
            {page}
          </Button>
        ))}
        <Button size="small" variant="outlined" disabled={!hasNextPage} onClick={() => onPage(currentPage + 1)}>
          Next
        </Button>
      </Stack>
    </Stack>
  );
}
