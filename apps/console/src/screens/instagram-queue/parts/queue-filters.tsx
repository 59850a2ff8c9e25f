import { QUEUE_STATUSES } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { SELECTION_TEXT } from '../../../text/selection.text';
import { SKIPPED_TEXT } from '../../../text/skipped-posts.text';
import { SelectField } from '../../../ui/select-field';
import { capitalised } from '../../../ui/format';
import type { QueueFilters } from '../instagram-queue.url';

interface QueueFiltersBarProps {
  filters: QueueFilters;
  onChange: (change: Partial<QueueFilters>) => void;
  /** Absent while there is nothing to select. */
  onSelectAll: (() => void) | undefined;
}

export function QueueFiltersBar({ filters, onChange, onSelectAll }: QueueFiltersBarProps) {
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 200px))', p: 5, alignItems: 'center' }}>
      <SelectField
        label="Status"
        value={filters.status}
        options={[['', 'All'], ...QUEUE_STATUSES.map((status): [string, string] => [status, capitalised(status)])]}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label="Sort by"
        value={filters.sortBy}
        options={Object.entries(TEXT.sorts)}
        onChange={(sortBy) => onChange({ sortBy })}
      />
      <SelectField
        label="Order"
        value={filters.sortOrder}
        options={Object.entries(SKIPPED_TEXT.orders)}
        onChange={(sortOrder) => onChange({ sortOrder })}
      />
      <Button size="small" variant="outlined" disabled={onSelectAll === undefined} onClick={onSelectAll} sx={{ justifySelf: 'start' }}>
        {SELECTION_TEXT.all}
      </Button>
    </Box>
  );
}
