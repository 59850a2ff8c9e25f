import { mdiFileImageOutline, mdiFileVideoOutline } from '@mdi/js';
import {
  LIMITS,
  type ProcessAllResponse,
  type ProcessAllStage,
  type ReadyForAi,
  type ReadyForDmca,
  STAGE_FACTS,
} from '@autoposter/contracts';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { secondsLeft, useRuns } from '../../data/runs/run-store';
import { DASHBOARD_TEXT, processAllLabel, type ReadyCardText } from '../../text/dashboard.text';
import { ActionButton, RefreshButton } from '../../ui/actions';
import { LoadState } from '../../ui/feedback';
import { duration, formatDateTime, isVisible, megabytes, sourceName, titleText } from '../../ui/format';
import { IconTile } from '../../ui/icons';
import { Panel } from '../../ui/layout';
import { Box, Stack, Typography } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { useLocalNow } from '../../ui/timers';

interface ReadyFile {
  id: string;
  /** Title of the post; may be empty. */
  title: string;
  name: string;
  type: string;
  source: string;
  bytes: number;
  /** Why the file is not processed yet. */
  waiting?: { reason: string; until: string | null } | null;
}

const sharedFacts = (file: ReadyForDmca | ReadyForAi) => ({
  id: file.id,
  title: file.title ?? '',
  source: sourceName(file),
  bytes: file.fileSize,
});
export const dmcaFile = (file: ReadyForDmca): ReadyFile => ({ ...sharedFacts(file), name: file.fileName, type: file.fileType });
export const aiFile = (file: ReadyForAi): ReadyFile => ({
  ...sharedFacts(file),
  name: file.filename,
  type: file.mediaType,
  waiting: file.waiting ?? null,
});

const headline = ({ title, name }: ReadyFile): string => titleText(title, name);

interface ReadyFilesProps {
  files: readonly ReadyFile[];
  /** Of all ready files, listed or not. */
  total: number;
  action: string;
  busyId: string | null;
  disabled: boolean;
  onProcess: (id: string) => void;
}

function ReadyFiles({ files, total, action, busyId, disabled, onProcess }: ReadyFilesProps) {
  const shown = files.slice(0, LIMITS.console.dashboardFiles);
  const left = total - shown.length;
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {shown.map((file) => (
        <Stack
          key={file.id}
          component="li"
          direction="row"
          sx={{
            alignItems: 'center',
            flexWrap: { xs: 'wrap', sm: 'nowrap' },
            gap: 3.5,
            py: 3,
            borderTop: 1,
            borderColor: 'line.main',
            '&:first-of-type': { borderTop: 0, pt: 0 },
          }}
        >
          <IconTile path={file.type.startsWith('video') ? mdiFileVideoOutline : mdiFileImageOutline} />
          <Box sx={{ flex: '1 1 150px', minWidth: 0, overflowWrap: 'anywhere' }}>
            <Typography dir="auto" sx={{ fontWeight: 560 }}>
              {headline(file)}
            </Typography>
            <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
              {[...(isVisible(file.title) ? [file.name] : []), file.type, file.source, megabytes(file.bytes)].join(' · ')}
            </Typography>
            {file.waiting ? (
              <Typography variant="caption" component="p" sx={{ color: 'status.orange.text' }}>
                {DASHBOARD_TEXT.ai.waits(
                  file.waiting.reason,
                  file.waiting.until === null ? null : formatDateTime(file.waiting.until, { zone: true }),
                )}
              </Typography>
            ) : null}
          </Box>
          <ActionButton small label={action} disabled={disabled} loading={busyId === file.id} onClick={() => onProcess(file.id)} />
        </Stack>
      ))}
      {left > 0 ? (
        <Typography component="li" variant="body2" sx={{ color: 'text.secondary', pt: 3, borderTop: 1, borderColor: 'line.main' }}>
          {DASHBOARD_TEXT.more(left)}
        </Typography>
      ) : null}
    </Box>
  );
}

interface ReadyCardProps<F> {
  stage: ProcessAllStage;
  texts: ReadyCardText;
  icon: string;
  ready: UseQueryResult<{ data: F[]; totalCount?: number | undefined }>;
  fileOf: (file: F) => ReadyFile;
  one: UseMutationResult<unknown, Error, string>;
  all: UseMutationResult<ProcessAllResponse, Error, void>;
  /** Called before each request; clears the previous error. */
  onTry?: () => void;
  onFailed: (error: Error, run: 'one' | 'all') => void;
  children?: ReactNode;
}

export function ReadyCard<F>({ stage, texts, icon, ready, fileOf, one, all, onTry, onFailed, children }: ReadyCardProps<F>) {
  const files = (ready.data?.data ?? []).map(fileOf);
  /** Waiting files continue automatically; "Process All" skips them. */
  const open = files.filter(({ waiting }) => !waiting).length;
  const now = useLocalNow();
  const busy = one.isPending || all.isPending;
  /** The list was read before the request, so that it still names the file. */
  const isOutdated = one.isSuccess && Math.max(ready.dataUpdatedAt, ready.errorUpdatedAt) <= one.submittedAt;
  const processOne = (id: string) => {
    onTry?.();
    one.mutate(id, { onError: (error) => onFailed(error, 'one') });
  };
  const processAll = () => {
    onTry?.();
    all.mutate(undefined, { onSuccess: ({ message }) => notify.success(message), onError: (error) => onFailed(error, 'all') });
  };
  const run = useRuns().find(({ title, endedAt }) => title === STAGE_FACTS.processAll[stage].title && endedAt === null);
  const left = run === undefined ? null : secondsLeft(run, now);
  return (
    <Panel
      title={texts.title}
      actions={
        <>
          <RefreshButton small label={texts.refresh} variant="text" onRefresh={ready.refetch} />
          <ActionButton
            small
            label={processAllLabel(open)}
            variant="contained"
            disabled={open === 0 || busy || run !== undefined}
            onClick={processAll}
          />
        </>
      }
    >
      <Stack sx={{ gap: 3 }}>
        {children}
        {run === undefined ? null : (
          <Box sx={{ fontSize: 13, color: 'status.orange.text', fontWeight: 560 }}>
            {DASHBOARD_TEXT.run(run.done + run.failed, run.total, left === null ? null : duration(left))}
          </Box>
        )}
        <LoadState
          query={ready}
          loading={{ rows: 3, height: 48, label: texts.loading }}
          error={(message) => texts.loadFailed(message === '' ? texts.fallback : message)}
          empty={files.length === 0 && { compact: true, icon, title: texts.empty, hint: texts.emptyHint }}
        />
        {files.length > 0 ? (
          <ReadyFiles
            files={files}
            total={ready.data?.totalCount ?? files.length}
            action={texts.process}
            busyId={one.isPending || isOutdated ? one.variables : null}
            disabled={busy}
            onProcess={processOne}
          />
        ) : null}
      </Stack>
    </Panel>
  );
}
