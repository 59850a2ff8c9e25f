import type { SkipReasonOption, SkipStatistic } from '@autoposter/contracts';
import { useSkippedSubreddits } from '../../data/skipped-posts/use-skipped-posts';
import { SKIPPED_TEXT, SKIPPED_TEXT as TEXT } from '../../text/skipped-posts.text';
import { ActionButton } from '../../ui/actions';
import { DateField, SelectField, ToggleChoice } from '../../ui/fields';
import { count } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box, ButtonBase, Span } from '../../ui/mui';
import { useNow } from '../../ui/timers';

interface SkipStatisticsProps {
  statistics: readonly SkipStatistic[];
  label: (reason: string) => string;
  chosen: string;
  onChoose: (reason: string) => void;
}

const PERCENT = 100;

/** Skipped posts per reason. A click filters by the reason, a second click clears the filter. */
export function SkipStatisticsGrid({ statistics, label, chosen, onChoose }: SkipStatisticsProps) {
  const most = Math.max(...statistics.map((statistic) => statistic.count), 1);
  return (
    <Panel title={SKIPPED_TEXT.statistics}>
      <Box sx={{ display: 'grid', columnGap: 5, rowGap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(240px, 1fr))' }}>
        {statistics.map((statistic) => {
          const reason = statistic.reason ?? statistic._id;
          return (
            <ButtonBase
              key={reason}
              aria-pressed={chosen === reason}
              onClick={() => onChoose(chosen === reason ? '' : reason)}
              sx={{
                display: 'block',
                textAlign: 'left',
                px: 2,
                py: 1.5,
                mx: -2,
                borderRadius: 1.5,
                fontSize: 13,
                bgcolor: chosen === reason ? 'accent.tint' : 'transparent',
                '&:hover': { bgcolor: chosen === reason ? 'accent.tint' : 'sunken.main' },
                '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
              }}
            >
              <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, mb: 1 }}>
                <span>{label(reason)}</span>
                <Span sx={{ fontWeight: 600 }}>{count(statistic.count)}</Span>
              </Box>
              <Box sx={{ height: 4, borderRadius: 2, bgcolor: 'sunken.main', overflow: 'hidden' }}>
                <Box
                  sx={{ height: 1, borderRadius: 2, bgcolor: 'primary.main', opacity: 0.75 }}
                  style={{ width: `${(statistic.count / most) * PERCENT}%` }}
                />
              </Box>
            </ButtonBase>
          );
        })}
      </Box>
    </Panel>
  );
}

interface SkippedFilters {
  subreddit: string;
  skipReason: string;
  dateFrom: string;
  dateTo: string;
  sortBy: string;
  sortOrder: string;
}

export const NO_FILTERS: SkippedFilters = {
  subreddit: '',
  skipReason: '',
  dateFrom: '',
  dateTo: '',
  sortBy: 'skippedAt',
  sortOrder: 'desc',
};

const RANGES = ['24h', '7d', '30d'] as const;
type Range = (typeof RANGES)[number];

const DAY_MS = 86_400_000;
const DAYS: Record<Range, number> = { '24h': 1, '7d': 7, '30d': 30 };

/** The first day of the range in `timeZone`. */
export const startOf = (range: Range, now: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now - DAYS[range] * DAY_MS);

/** The preset range that equals the two dates, if any. */
export const rangeOf = ({ dateFrom, dateTo }: Pick<SkippedFilters, 'dateFrom' | 'dateTo'>, now: number, timeZone: string): Range | null =>
  dateTo === '' ? (RANGES.find((range) => startOf(range, now, timeZone) === dateFrom) ?? null) : null;

interface RangeButtonsProps {
  filters: SkippedFilters;
  timeZone: string;
  onChange: (change: Pick<SkippedFilters, 'dateFrom' | 'dateTo'>) => void;
}

/** Preset date ranges; clicking the active one clears it. */
export function RangeButtons({ filters, timeZone, onChange }: RangeButtonsProps) {
  const now = useNow();
  const choose = (range: Range | null) => onChange({ dateFrom: range === null ? '' : startOf(range, now, timeZone), dateTo: '' });
  return (
    <Box>
      <ToggleChoice
        label={TEXT.range}
        value={rangeOf(filters, now, timeZone)}
        options={RANGES.map((range) => [range, TEXT.ranges[range]])}
        onChange={choose}
      />
    </Box>
  );
}

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
          options={[
            ['', TEXT.allSubreddits],
            ...subreddits.map((name): [string, string] => [name, name === 'instagram' ? 'Instagram' : `r/${name}`]),
          ]}
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
        <ActionButton label={TEXT.clear} onClick={onClear} />
      </Box>
    </Panel>
  );
}
