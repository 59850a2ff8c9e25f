import type { SkipReasonOption } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useSkippedSubreddits } from '../../../data/skipped-posts/use-skipped-posts';
import { SKIPPED_TEXT as TEXT } from '../../../text/skipped-posts.text';
import { SelectField, DateField } from '../../../ui/select-field';
import { Panel } from '../../../ui/panel';
import type { SkippedFilters } from '../skipped-posts.url';

interface SkipFiltersProps {
  filters: SkippedFilters;
  reasons: readonly SkipReasonOption[];
  onChange: (change: Partial<SkippedFilters>) => void;
  onClear: () => void;
}

export function SkipFilters({ filters, reasons, onChange, onClear }: SkipFiltersProps) {
  const names = useSkippedSubreddits().data ?? [];
  const subreddits = filters.subreddit === '' || names.includes(filters.subreddit) ? names : [filters.subreddit, ...names];
  return (
    <Panel>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))', alignItems: 'center' }}>
        <SelectField
          label="Subreddit"
          value={filters.subreddit}
          options={[['', TEXT.allSubreddits], ...subreddits.map((name): [string, string] => [name, `r/${name}`])]}
          onChange={(subreddit) => onChange({ subreddit })}
        />
        <SelectField
          label="Skip reason"
          value={filters.skipReason}
          options={[['', TEXT.allReasons], ...reasons.map(({ value, label }): [string, string] => [value, label])]}
          onChange={(skipReason) => onChange({ skipReason })}
        />
        <DateField label="Date from" value={filters.dateFrom} onChange={(dateFrom) => onChange({ dateFrom })} />
        <DateField label="Date to" value={filters.dateTo} onChange={(dateTo) => onChange({ dateTo })} />
        <SelectField
          label="Sort by"
          value={filters.sortBy}
          options={Object.entries(TEXT.sorts)}
          onChange={(sortBy) => onChange({ sortBy })}
        />
        <SelectField
          label="Order"
          value={filters.sortOrder}
          options={Object.entries(TEXT.orders)}
          onChange={(sortOrder) => onChange({ sortOrder })}
        />
        <Button variant="outlined" onClick={onClear}>
          {TEXT.clear}
        </Button>
      </Box>
    </Panel>
  );
}
