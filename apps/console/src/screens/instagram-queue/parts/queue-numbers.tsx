import type { QueueStatistics } from '@autoposter/contracts';
import { count } from '../../../ui/format';
import { Stat, StatGrid } from '../../../ui/stat';

const SHOWN_FROM = 0.05;
/** One decimal; what would be rounded to nothing is said to be less. */
const hours = (value: number): string => (value < SHOWN_FROM ? '< 0.1 h' : `${value.toFixed(1)} h`);

export function QueueNumbers({ statistics }: { statistics: QueueStatistics }) {
  const { totalPosts, pendingPosts, completedPosts, failedPosts, averageQueueTimeHours } = statistics;
  return (
    <StatGrid>
      <Stat label="Total Posts" value={count(totalPosts)} />
      <Stat label="Pending" value={count(pendingPosts)} />
      <Stat label="Posted" value={count(completedPosts)} />
      <Stat label="Failed" value={count(failedPosts)} {...(failedPosts > 0 ? { tone: 'red' as const } : {})} />
      {averageQueueTimeHours > 0 ? <Stat label="Avg Queue Time" value={hours(averageQueueTimeHours)} /> : null}
    </StatGrid>
  );
}
