import { mdiCreationOutline } from '@mdi/js';
import { type AiProviderStatus, CAPTION_STAGE, type FailureEntry, LIMITS } from '@autoposter/contracts';
import { useState } from 'react';
import { CallError, errorText } from '../../data/http/client';
import { useAiReady, useProcessAi, useProcessAllAi } from '../../data/processing/use-processing';
import { useFailures, useMarkFailuresSeen, useOverview } from '../../data/status/use-status';
import { AI_ERROR_TEXT, DASHBOARD_TEXT } from '../../text/dashboard.text';
import { ActionButton } from '../../ui/actions';
import { MessageBar } from '../../ui/feedback';
import { formatDateTime } from '../../ui/format';
import { Box, Span } from '../../ui/mui';
import { useNow } from '../../ui/timers';
import { aiFile, ReadyCard } from './ready-card';

interface AiPanel {
  headline: string;
  message: string;
  solutions: readonly string[];
  /** The provider's message, and until when jobs wait. */
  details: readonly string[];
}

/** Used until the server reports AI_DAILY_LIMIT. */
const DEFAULT_LIMIT = LIMITS.ai.requestsPerDay;

const QUOTA = /429|quota|Resource has been exhausted/iu;
const AUTHENTICATION = /401|authentication/iu;

const isQuota = (code: string): boolean => code === 'quota_exceeded' || code === 'rate_limited';

const quotaPanel = (limit: number, details: readonly string[] = []): AiPanel => ({
  headline: AI_ERROR_TEXT.quotaHeadline,
  message: AI_ERROR_TEXT.quota(limit),
  solutions: AI_ERROR_TEXT.solutions,
  details,
});
const authenticationPanel = (details: readonly string[] = []): AiPanel => ({
  headline: AI_ERROR_TEXT.headline,
  message: AI_ERROR_TEXT.authentication,
  solutions: [],
  details,
});

/**
 * What a refused request means. The code of the answer decides; `fallback` is the sentence without any. The specification also names words
 * of an error text: they count only for an answer without a code, which did not come from the product's own API.
 */
export function describeAiError(
  text: string,
  { fallback = AI_ERROR_TEXT.failed, limit = DEFAULT_LIMIT, code }: { fallback?: string; limit?: number; code?: string } = {},
): AiPanel {
  if (code === undefined ? QUOTA.test(text) : isQuota(code)) return quotaPanel(limit);
  if (code === undefined ? AUTHENTICATION.test(text) : code === 'not_authorised') return authenticationPanel();
  const message = text === '' || text === fallback ? fallback : `${fallback}: ${text}`;
  return { headline: AI_ERROR_TEXT.headline, message, solutions: [], details: [] };
}

/** What a failure of the pipeline means, by its kind. */
function describeFailure(
  code: string,
  failure: { message: string; nextAction: string | null; until: string | null },
  limit: number,
): AiPanel {
  const { message, nextAction, until } = failure;
  const waits = until === null ? [] : [AI_ERROR_TEXT.waitsUntil(formatDateTime(until, { zone: true }))];
  if (isQuota(code)) return quotaPanel(limit, [message, ...waits]);
  if (code === 'not_authorised') return authenticationPanel([message, ...waits]);
  const details = [...(nextAction === null ? [] : [nextAction]), ...waits];
  return { headline: AI_ERROR_TEXT.headline, message: `${AI_ERROR_TEXT.failed}: ${message}`, solutions: [], details };
}

/** The first unavailable provider that was not dismissed. */
function providerPanel(
  providers: readonly AiProviderStatus[],
  dismissed: ReadonlySet<string>,
  now: number,
): (AiPanel & { id: string }) | null {
  for (const { problem, limit } of providers) {
    if (problem === null || dismissed.has(problem.id)) continue;
    // may have ended since the last fetch
    if (problem.until !== null && Date.parse(problem.until) <= now) continue;
    return { id: problem.id, ...describeFailure(problem.code, problem, limit) };
  }
  return null;
}

function failurePanel(failures: readonly FailureEntry[], limit: number = DEFAULT_LIMIT): (AiPanel & { id: string }) | null {
  const newest = failures.find(({ kind, stage }) => kind === 'item' && stage === CAPTION_STAGE);
  if (newest === undefined) return null;
  const { id, title, code, message, nextAction } = newest;
  return { id, ...describeFailure(code ?? '', { message: `${title}: ${message}`, nextAction, until: null }, limit) };
}

const TEXT = DASHBOARD_TEXT.ai;
const PERCENT = 100;
/** Share of the quota from which the meter warns. */
const NEARLY = 0.8;

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
        <Span sx={{ color: 'text.secondary' }}>{label}</Span>
        <Span sx={{ fontWeight: 580 }}>{TEXT.quotaUsed(used, limit)}</Span>
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
    <MessageBar tone="red" action={<ActionButton small label={TEXT.dismiss} color="inherit" onClick={onDismiss} />}>
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
