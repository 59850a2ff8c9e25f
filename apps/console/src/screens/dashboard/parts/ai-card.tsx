import { mdiCreationOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useAiReady, useProcessAi, useProcessAllAi } from '../../../data/ai/use-ai';
import { errorText } from '../../../data/http/client';
import { DASHBOARD_TEXT, processAllLabel } from '../../../text/dashboard.text';
import { EmptyState } from '../../../ui/empty-state';
import { LoadingRows } from '../../../ui/loading-rows';
import { MessageBar } from '../../../ui/message-bar';
import { notify } from '../../../ui/notices/notice-store';
import { Panel } from '../../../ui/panel';
import { describeAiError, type AiProblem } from '../ai-error';
import { aiFile, ReadyFiles } from './ready-files';

const TEXT = DASHBOARD_TEXT.ai;

function ProblemPanel({ problem, onDismiss }: { problem: AiProblem; onDismiss: () => void }) {
  return (
    <MessageBar
      tone="red"
      action={
        <Button size="small" color="inherit" onClick={onDismiss}>
          {TEXT.dismiss}
        </Button>
      }
    >
      <strong>{problem.headline}</strong>
      <Box>{problem.message}</Box>
      {problem.solutions.length === 0 ? null : (
        <Box component="ul" sx={{ m: 0, mt: 1, pl: 5 }}>
          {problem.solutions.map((solution) => (
            <li key={solution}>{solution}</li>
          ))}
        </Box>
      )}
    </MessageBar>
  );
}

export function AiCard() {
  const ready = useAiReady();
  const one = useProcessAi();
  const all = useProcessAllAi();
  const [problem, setProblem] = useState<AiProblem | null>(null);
  const files = (ready.data ?? []).map(aiFile);
  const busy = one.isPending || all.isPending;
  const processOne = (id: string) => {
    setProblem(null);
    one.mutate(id, { onError: (error) => setProblem(describeAiError(errorText(error))) });
  };
  const processAll = () => {
    setProblem(null);
    all.mutate(undefined, {
      onSuccess: (answer) => notify.success(answer.message),
      onError: (error) => setProblem(describeAiError(errorText(error), TEXT.allFailed)),
    });
  };
  return (
    <Panel
      title={TEXT.title}
      actions={
        <>
          <Button size="small" variant="text" disabled={ready.isFetching} onClick={() => void ready.refetch()}>
            {TEXT.refresh}
          </Button>
          <Button size="small" variant="contained" disabled={files.length === 0 || busy} onClick={processAll}>
            {processAllLabel(files.length)}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 3 }}>
        {problem === null ? null : <ProblemPanel problem={problem} onDismiss={() => setProblem(null)} />}
        {ready.isError ? <MessageBar tone="red">{errorText(ready.error)}</MessageBar> : null}
        {ready.isPending ? <LoadingRows rows={3} height={48} label={TEXT.loading} /> : null}
        {ready.isSuccess && files.length === 0 ? (
          <EmptyState compact icon={mdiCreationOutline} title={TEXT.empty} hint={TEXT.emptyHint} />
        ) : null}
        {files.length > 0 ? (
          <ReadyFiles
            files={files}
            action={TEXT.process}
            busyId={one.isPending ? one.variables : null}
            disabled={busy}
            onProcess={processOne}
          />
        ) : null}
      </Stack>
    </Panel>
  );
}
