import { mdiCreationOutline } from '@mdi/js';
import { CAPTION_STAGE } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { CallError, errorText } from '../../data/http/client';
import { useAiReady, useProcessAi, useProcessAllAi } from '../../data/processing/use-processing';
import { useFailures, useMarkFailuresSeen, useOverview } from '../../data/status/use-status';
import { DASHBOARD_TEXT } from '../../text/dashboard.text';
import { MessageBar } from '../../ui/message-bar';
import { useNow } from '../../ui/use-now';
import { type AiPanel, describeAiError, failurePanel, providerPanel } from './ai-problem';
import { aiFile, ReadyCard } from './ready-card';

const TEXT = DASHBOARD_TEXT.ai;
const PERCENT = 100;
/** Share of the quota from which the meter warns. */
const NEARLY = 0.8;

/** Used AI requests of today, per configured provider. */
function QuotaMeters() {
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

function ProblemPanel({ panel, onDismiss }: { panel: AiPanel; onDismiss: () => void }) {
  return (
    <MessageBar
      tone="red"
      action={
        <Button size="small" color="inherit" onClick={onDismiss}>
          {TEXT.dismiss}
        </Button>
      }
    >
      <strong>{panel.headline}</strong>
      <Box>{panel.message}</Box>
      {panel.solutions.length === 0 ? null : (
        <Box component="ul" sx={{ m: 0, mt: 1, pl: 5 }}>
          {panel.solutions.map((solution) => (
            <li key={solution}>{solution}</li>
          ))}
        </Box>
      )}
      {panel.details.map((detail) => (
        <Box key={detail} sx={{ mt: 1 }}>
          {detail}
        </Box>
      ))}
    </MessageBar>
  );
}

/** The problem to display: the last refused request, else an unavailable provider, else the latest failed post. */
function useAiProblem() {
  const [refused, setRefused] = useState<AiPanel | null>(null);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const overview = useOverview().data;
  const failures = useFailures().data?.failures ?? [];
  const markSeen = useMarkFailuresSeen();
  const now = useNow();
  const limit = overview?.aiQuota?.limit;
  const provider = providerPanel(overview?.aiProviders ?? [], dismissed, now);
  const failure = failurePanel(
    failures.filter(({ id }) => !dismissed.has(id)),
    limit,
  );
  const hide = (id: string) => setDismissed((before) => new Set(before).add(id));
  const dismiss = () => {
    if (refused !== null) return setRefused(null);
    if (provider !== null) return hide(provider.id);
    if (failure === null) return undefined;
    hide(failure.id);
    return markSeen.mutate([failure.id]);
  };
  const reset = () => {
    setRefused(null);
    setDismissed(new Set());
  };
  const fail = (error: Error, run: 'one' | 'all') =>
    setRefused(describeAiError(errorText(error), { limit, ...(run === 'all' ? { fallback: TEXT.allFailed } : {}), ...codeOf(error) }));
  return { panel: refused ?? provider ?? failure, dismiss, reset, fail };
}

/** Only answers of the product's API have a code. */
const codeOf = (error: Error): { code?: string } =>
  error instanceof CallError && error.detail.code !== undefined ? { code: error.detail.code } : {};

export function AiCard() {
  const { panel, dismiss, reset, fail } = useAiProblem();
  return (
    <ReadyCard
      stage={CAPTION_STAGE}
      texts={TEXT}
      icon={mdiCreationOutline}
      ready={useAiReady()}
      fileOf={aiFile}
      one={useProcessAi()}
      all={useProcessAllAi()}
      onTry={reset}
      onFailed={fail}
    >
      {panel === null ? null : <ProblemPanel panel={panel} onDismiss={dismiss} />}
      <QuotaMeters />
    </ReadyCard>
  );
}
