import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { SKIPPED_TEXT as TEXT } from '../../../text/skipped-posts.text';
import { useNow } from '../../../ui/use-now';
import { RANGES, rangeOf, startOf, type Range } from '../skip-range';
import type { SkippedFilters } from '../skipped-posts.url';

interface RangeButtonsProps {
  filters: SkippedFilters;
  timeZone: string;
  onChange: (change: Pick<SkippedFilters, 'dateFrom' | 'dateTo'>) => void;
}

/** The usual spans up to now; a second press lifts the span. */
export function RangeButtons({ filters, timeZone, onChange }: RangeButtonsProps) {
  const now = useNow();
  const choose = (range: Range | null) => onChange({ dateFrom: range === null ? '' : startOf(range, now, timeZone), dateTo: '' });
  return (
    <Box>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label={TEXT.range}
        value={rangeOf(filters, now, timeZone)}
        onChange={(_event, range: Range | null) => choose(range)}
      >
        {RANGES.map((range) => (
          <ToggleButton key={range} value={range}>
            {TEXT.ranges[range]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}
