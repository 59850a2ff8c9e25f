import Box from '@mui/material/Box';
import { useOverview } from '../../../data/status/use-status';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';

const TEXT = DASHBOARD_TEXT.ai;
const PERCENT = 100;
/** From this share on the meter warns. */
const NEARLY = 0.8;

/** How much of the day's AI requests is used up, for each provider that is configured. */
export function QuotaMeters() {
  const overview = useOverview().data;
  const providers = overview?.aiProviders ?? [];
  if (overview === undefined || overview.aiQuota === null) return null;
  if (providers.length === 0) return <QuotaMeter label={TEXT.quota} {...overview.aiQuota} />;
  return providers.map(({ provider, name, used, limit }) => (
    <QuotaMeter key={provider} label={providers.length === 1 ? TEXT.quota : TEXT.quotaOf(name)} used={used} limit={limit} />
  ));
}

function QuotaMeter({ label, used, limit }: { label: string; used: number; limit: number }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'status.red.dot' : share >= NEARLY ? 'status.orange.dot' : 'primary.main';
  return (
    <Box>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 12, mb: 1 }}>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {label}
        </Box>
        <Box component="span" className="tabular" sx={{ fontWeight: 580 }}>
          {TEXT.quotaUsed(used, limit)}
        </Box>
      </Box>
      <Box
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={TEXT.quotaUsed(used, limit)}
        sx={{ height: 5, borderRadius: 3, bgcolor: 'line.main', overflow: 'hidden' }}
      >
        <Box sx={{ height: 1, bgcolor: tone }} style={{ width: `${share * PERCENT}%` }} />
      </Box>
    </Box>
  );
}
