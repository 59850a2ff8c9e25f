import { type ClearedData, ITEM_STAGES, LIMITS } from '@autoposter/contracts';
import { useEffect, useState } from 'react';
import { errorText } from '../../data/http/client';
import { useSkipStatistics } from '../../data/skipped-posts/use-skipped-posts';
import { useClearAll, useOverview } from '../../data/status/use-status';
import { DASHBOARD_TEXT } from '../../text/dashboard.text';
import { ActionButton } from '../../ui/actions';
import { Box, Stack, TextField } from '../../ui/mui';
import { DialogFrame } from '../../ui/dialogs';
import { notify } from '../../ui/notifications';
import { Panel } from '../../ui/layout';

const TEXT = DASHBOARD_TEXT.clear;
const AT_MOST_S = LIMITS.http.clearAllTimeoutMs / 1_000;
const PERCENT = 100;

function useCounts(): string[] {
  const stages = useOverview().data?.stages;
  const skipped = useSkipStatistics({}).data;
  if (stages === undefined) return [TEXT.goes];
  const early = ITEM_STAGES.map((stage) => stages[stage]).reduce(
    (sum, { waiting, running, failed }) => sum + waiting + running + failed,
    0,
  );
  const known = skipped?.reduce((sum, { count }) => sum + count, 0);
  return [TEXT.downloads(early), TEXT.processed(stages.ready, stages.posted), TEXT.queue(stages.queued), TEXT.skipped(known), TEXT.logs];
}

function Progress() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Box role="status" sx={{ display: 'grid', gap: 1.5 }}>
      <span>{TEXT.running(seconds, AT_MOST_S)}</span>
      <Box sx={{ height: 5, borderRadius: 3, bgcolor: 'line.main', overflow: 'hidden' }}>
        <Box
          sx={{ height: 1, bgcolor: 'status.red.dot', transition: 'width 1s linear' }}
          style={{ width: `${Math.min(1, (seconds + 1) / AT_MOST_S) * PERCENT}%` }}
        />
      </Box>
    </Box>
  );
}

const summaryOf = (cleared: ClearedData | undefined): string => {
  if (cleared === undefined) return TEXT.done;
  const left = cleared.stillPublishing === 0 ? '' : ` ${TEXT.stillPublishing(cleared.stillPublishing)}`;
  return `${TEXT.done}: ${TEXT.counts(cleared)}${left}`;
};

function ClearDialog({ onClose }: { onClose: () => void }) {
  const clear = useClearAll();
  const counts = useCounts();
  const [typed, setTyped] = useState('');
  const run = () =>
    clear.mutate(undefined, {
      onSuccess: ({ data }) => notify.success(summaryOf(data)),
      onError: (error) => notify.failure(TEXT.failed(errorText(error))),
      onSettled: onClose,
    });
  return (
    <DialogFrame
      role="alertdialog"
      title={TEXT.question}
      onClose={clear.isPending ? undefined : onClose}
      actions={
        <>
          <ActionButton label={TEXT.cancel} onClick={onClose} disabled={clear.isPending} autoFocus />
          <ActionButton
            label={TEXT.title}
            variant="contained"
            color="error"
            disabled={typed.trim() !== TEXT.typed}
            loading={clear.isPending}
            onClick={run}
          />
        </>
      }
    >
      <Box sx={{ color: 'status.red.text', fontWeight: 560 }}>{TEXT.warning}</Box>
      <Box>
        {TEXT.goesTitle}
        <Box component="ul" sx={{ m: 0, mt: 1, pl: 5 }}>
          {counts.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Box>
      </Box>
      <Box sx={{ color: 'text.secondary' }}>{TEXT.stays}</Box>
      {clear.isPending ? (
        <Progress />
      ) : (
        <TextField label={TEXT.typeIt} value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" sx={{ mt: 2 }} />
      )}
    </DialogFrame>
  );
}

export function ClearCard() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title={TEXT.title} tone="danger">
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 4, alignItems: { sm: 'center' }, justifyContent: 'space-between' }}>
        <Box sx={{ fontSize: 13, maxWidth: 720 }}>
          <Box sx={{ fontWeight: 560 }}>{TEXT.warning}</Box>
          <Box sx={{ color: 'text.secondary' }}>{TEXT.stays}</Box>
        </Box>
        <ActionButton label={TEXT.title} color="error" onClick={() => setOpen(true)} sx={{ color: 'status.red.text' }} />
      </Stack>
      {open ? <ClearDialog onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}
