import { type ProcessAllResponse, STAGE_FACTS, type ProcessAllStage } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../../../data/http/client';
import { secondsLeft, useRuns } from '../../../data/runs/run-store';
import { DASHBOARD_TEXT, processAllLabel, type ReadyWords } from '../../../text/dashboard.text';
import { EmptyState } from '../../../ui/empty-state';
import { duration } from '../../../ui/format';
import { LoadingRows } from '../../../ui/loading-rows';
import { MessageBar } from '../../../ui/message-bar';
import { notify } from '../../../ui/notifications';
import { Panel } from '../../../ui/panel';
import { useNow } from '../../../ui/use-now';
import { ReadyFiles, type ReadyFile } from './ready-files';

interface ReadyCardProps<F> {
  stage: ProcessAllStage;
  words: ReadyWords;
  icon: string;
  ready: UseQueryResult<F[]>;
  fileOf: (file: F) => ReadyFile;
  one: UseMutationResult<unknown, Error, string>;
  all: UseMutationResult<ProcessAllResponse, Error, void>;
  /** A new try begins: what the last one left behind goes. */
  onTry?: () => void;
  onFailed: (error: Error, run: 'one' | 'all') => void;
  /** What stands above the files: a problem, a meter. */
  children?: ReactNode;
}

/** Files that wait at the door of a stage: the first of them one by one, or all in a run. */
export function ReadyCard<F>({ stage, words, icon, ready, fileOf, one, all, onTry, onFailed, children }: ReadyCardProps<F>) {
  const files = (ready.data ?? []).map(fileOf);
  /** What waits continues automatically: a run over all files does not take it. */
  const open = files.filter(({ waiting }) => !waiting).length;
  const now = useNow();
  const busy = one.isPending || all.isPending;
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
      title={words.title}
      actions={
        <>
          <Button size="small" variant="text" disabled={ready.isFetching} onClick={() => void ready.refetch()}>
            {words.refresh}
          </Button>
          <Button size="small" variant="contained" disabled={open === 0 || busy || run !== undefined} onClick={processAll}>
            {processAllLabel(open)}
          </Button>
        </>
      }
    >
      <Stack sx={{ gap: 3 }}>
        {children}
        {run === undefined ? null : (
          <Box className="tabular" sx={{ fontSize: 13, color: 'status.orange.text', fontWeight: 560 }}>
            {DASHBOARD_TEXT.run(run.done + run.failed, run.total, left === null ? null : duration(left))}
          </Box>
        )}
        {ready.isError ? <MessageBar tone="red">{words.loadFailed(errorText(ready.error, words.fallback))}</MessageBar> : null}
        {ready.isPending ? <LoadingRows rows={3} height={48} label={words.loading} /> : null}
        {ready.isSuccess && files.length === 0 ? <EmptyState compact icon={icon} title={words.empty} hint={words.emptyHint} /> : null}
        {files.length > 0 ? (
          <ReadyFiles
            files={files}
            action={words.process}
            busyId={one.isPending ? one.variables : null}
            disabled={busy}
            onProcess={processOne}
          />
        ) : null}
      </Stack>
    </Panel>
  );
}
