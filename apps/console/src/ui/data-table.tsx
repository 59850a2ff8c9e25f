import { LIMITS, type Pagination } from '@autoposter/contracts';
import type { SxProps, Theme } from '@mui/material/styles';
import { type ReactNode, useEffect, useRef } from 'react';
import { VISUALLY_HIDDEN } from '../theme/tokens';
import { ActionButton } from './actions';
import { count } from './format';
import { Stack, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, Typography } from './mui';

export interface Column<T> {
  name: string;
  width?: string;
  align?: 'right';
  /** Styles of the cells. */
  sx?: SxProps<Theme>;
  cell: (row: T) => ReactNode;
}

interface DataTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** Scrolls horizontally on its own; on a phone each row becomes a card. */
export function DataTable<T>({ label, columns, rows, keyOf }: DataTableProps<T>) {
  const names = Object.fromEntries(
    columns.slice(1).map(({ name }, index) => [`& td:nth-of-type(${index + 2})::before`, { content: `"${name}"` }]),
  );
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label}>
      <Table
        sx={{
          '& tbody tr:hover': { bgcolor: 'sunken.main' },
          '& tbody tr:last-of-type td': { borderBottom: 0 },
          '@media (max-width: 720px)': {
            '& thead': VISUALLY_HIDDEN,
            '&, & tbody': { display: 'block' },
            '& tbody tr': { display: 'grid', gap: 1.5, px: 5, py: 4, borderTop: 1, borderColor: 'line.main' },
            '& tbody td': { display: 'grid', gridTemplateColumns: '96px minmax(0, 1fr)', columnGap: 3, border: 0, p: 0, textAlign: 'left' },
            '& tbody td::before': { color: 'text.secondary', fontSize: 12, gridRow: '1 / span 3', lineHeight: '20px' },
            '& tbody td > *': { gridColumn: 2, justifySelf: 'start' },
            '& tbody td:first-of-type': { display: 'block', mb: 1 },
            ...names,
          },
        }}
      >
        <TableHead>
          <TableRow>
            {columns.map(({ name, align, width }) => (
              <TableCell key={name} align={align ?? 'left'} {...(width === undefined ? {} : { width })}>
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map(({ name, align, sx = {}, cell }) => (
                <TableCell key={name} align={align ?? 'left'} sx={sx}>
                  {cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

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

/** Renders nothing for a single page. A page that no longer exists, such as one whose last row was removed, is replaced by the last page. */
export function PaginationBar({ pagination, onPage, noun = 'total posts' }: PaginationBarProps) {
  const { currentPage, totalPages, totalCount, hasPrevPage, hasNextPage } = pagination;
  const lastPage = Math.max(1, totalPages);
  const latest = useRef(onPage);
  useEffect(() => {
    latest.current = onPage;
  });
  useEffect(() => {
    if (currentPage > lastPage) latest.current(lastPage);
  }, [currentPage, lastPage]);
  if (totalPages <= 1) return null;
  return (
    <Stack
      component="nav"
      aria-label="Pages"
      direction="row"
      sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3, px: 5, py: 4 }}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {`Page ${currentPage} of ${totalPages} (${count(totalCount)} ${noun})`}
      </Typography>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <ActionButton small label="Previous" disabled={!hasPrevPage} onClick={() => onPage(currentPage - 1)} />
        {pageNumbers(currentPage, totalPages).map((page) => (
          <ActionButton
            small
            label={page}
            key={page}
            variant={page === currentPage ? 'contained' : 'text'}
            aria-label={`Page ${page}`}
            {...(page === currentPage ? { 'aria-current': 'page' as const } : {})}
            onClick={() => onPage(page)}
            sx={{ minWidth: 34, px: 0 }}
          />
        ))}
        <ActionButton small label="Next" disabled={!hasNextPage} onClick={() => onPage(currentPage + 1)} />
      </Stack>
    </Stack>
  );
}
