import { mdiCreationOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useAiReady, useProcessAi, useProcessAllAi } from '../../../data/ai/use-ai';
import { errorText } from '../../../data/http/client';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { MessageBar } from '../../../ui/message-bar';
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
  const [problem, setProblem] = useState<AiProblem | null>(null);
  const dismiss = () => setProblem(null);
  return (
    <ReadyCard
      stage="ai"
      words={TEXT}
      icon={mdiCreationOutline}
      ready={useAiReady()}
      fileOf={aiFile}
      one={useProcessAi()}
      all={useProcessAllAi()}
      onTry={dismiss}
      onFailed={(error, run) => setProblem(describeAiError(errorText(error), run === 'all' ? TEXT.allFailed : undefined))}
    >
      {problem === null ? null : <ProblemPanel problem={problem} onDismiss={dismiss} />}
      <QuotaMeter />
    </ReadyCard>
  );
}
