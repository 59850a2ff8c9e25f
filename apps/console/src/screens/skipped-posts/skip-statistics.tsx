import type { SkipStatistic } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { SKIPPED_TEXT } from '../../text/skipped-posts.text';
import { count } from '../../ui/format';
import { Panel } from '../../ui/panel';

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
                <Box component="span" className="tabular" sx={{ fontWeight: 600 }}>
                  {count(statistic.count)}
                </Box>
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
