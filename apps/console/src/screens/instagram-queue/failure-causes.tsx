import type { FailureCause } from '@autoposter/contracts';
import { notifyResult } from '../../app/notifications/notify-result';
import { useRetryCause } from '../../data/instagram-queue/use-change-queue';
import { useFailureCauses } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { ActionButton } from '../../ui/actions';
import { Panel } from '../../ui/layout';
import { Box, Stack } from '../../ui/mui';

const TEXT = QUEUE_TEXT.causes;

interface FailureFactsProps {
  step?: string | undefined;
  side?: string | null | undefined;
  details?: FailureCause['details'] | undefined;
}

/** At which step a post failed, whose side it is, and the answer of the other system, folded. */
export function FailureFacts({ step, side, details }: FailureFactsProps) {
  const answered = Object.entries(details ?? {}).filter(([, value]) => value !== null);
  return (
    <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
      {step === undefined ? null : TEXT.step(step, side === null || side === undefined ? null : (TEXT.sides[side] ?? side))}
      {answered.length === 0 ? null : (
        <details>
          <summary>{TEXT.details}</summary>
          {answered.map(([name, value]) => (
            <Box key={name} sx={{ overflowWrap: 'anywhere' }}>
              {name}: {String(value)}
            </Box>
          ))}
        </details>
      )}
    </Box>
  );
}

function CauseRow({ cause, count, title, message, nextAction, ...facts }: FailureCause) {
  const retry = useRetryCause();
  const retryAll = () =>
    void notifyResult(retry.mutateAsync(cause), ({ data }) => TEXT.retried(data.retried, data.refused), QUEUE_TEXT.error);
  return (
    <Stack component="li" direction="row" sx={{ gap: 4, justifyContent: 'space-between', alignItems: 'flex-start', flexWrap: 'wrap' }}>
      <Box sx={{ flex: '1 1 320px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <strong>{message}</strong>
        <Box>{nextAction}</Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{TEXT.posts(count, title)}</Box>
        <FailureFacts {...facts} />
      </Box>
      <ActionButton small label={TEXT.retryAll(count)} loading={retry.isPending} onClick={retryAll} />
    </Stack>
  );
}

/** Failed posts grouped by their cause, each with one retry for all of its posts. */
export function FailureCauses() {
  const causes = useFailureCauses().data?.causes ?? [];
  if (causes.length === 0) return null;
  return (
    <Panel title={TEXT.title}>
      <Stack component="ul" sx={{ gap: 5, listStyle: 'none', m: 0, p: 0 }}>
        {causes.map((one) => (
          <CauseRow key={one.cause} {...one} />
        ))}
      </Stack>
    </Panel>
  );
}
