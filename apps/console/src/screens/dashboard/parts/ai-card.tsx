import { mdiCreationOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useAiReady, useProcessAi, useProcessAllAi } from '../../../data/ai/use-ai';
import { errorText } from '../../../data/http/client';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { MessageBar } from '../../../ui/message-bar';
import { notify } from '../../../ui/notices/notice-store';
import { describeAiError, type AiProblem } from '../ai-error';
import { QuotaMeter } from './quota-meter';
import { ReadyCard } from './ready-card';
import { aiFile } from './ready-files';

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
  const one = useProcessAi();
  const all = useProcessAllAi();
  const [problem, setProblem] = useState<AiProblem | null>(null);
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
    <ReadyCard
      stage="ai"
      words={TEXT}
      icon={mdiCreationOutline}
      ready={useAiReady()}
      fileOf={aiFile}
      busy={one.isPending || all.isPending}
      busyId={one.isPending ? one.variables : null}
      onProcess={processOne}
      onProcessAll={processAll}
    >
      {problem === null ? null : <ProblemPanel problem={problem} onDismiss={() => setProblem(null)} />}
      <QuotaMeter />
    </ReadyCard>
  );
}
