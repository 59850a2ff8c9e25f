import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';
import { VISUALLY_HIDDEN } from '../theme/tokens';

export interface Column {
  name: string;
  width?: string;
  align?: 'right';
}

interface DataTableProps<T> {
  label: string;
  columns: readonly Column[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Returns the cells of a row. */
  render: (row: T) => ReactNode;
}

/** Scrolls horizontally on its own; on a phone each row becomes a card. */
export function DataTable<T>({ label, columns, rows, keyOf, render }: DataTableProps<T>) {
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
            {columns.map((column) => (
              <TableCell key={column.name} align={column.align ?? 'left'} {...(column.width === undefined ? {} : { width: column.width })}>
                {column.name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>{render(row)}</TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
