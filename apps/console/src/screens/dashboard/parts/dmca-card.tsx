import { mdiShieldCheckOutline } from '@mdi/js';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useDmcaReady, useProcessAllDmca, useProcessDmca } from '../../../data/dmca/use-dmca';
import { errorText } from '../../../data/http/client';
import { DASHBOARD_TEXT, processAllLabel } from '../../../text/dashboard.text';
import { EmptyState } from '../../../ui/empty-state';
import { LoadingRows } from '../../../ui/loading-rows';
import { MessageBar } from '../../../ui/message-bar';
import { notify } from '../../../ui/notices/notice-store';
import { Panel } from '../../../ui/panel';
import { dmcaFile, ReadyFiles } from './ready-files';

const TEXT = DASHBOARD_TEXT.dmca;

export function DmcaCard() {
  const ready = useDmcaReady();
  const one = useProcessDmca();
  const all = useProcessAllDmca();
  const files = (ready.data ?? []).map(dmcaFile);
  const busy = one.isPending || all.isPending;
  const processOne = (id: string) => one.mutate(id, { onError: (error) => notify.failure(errorText(error)) });
  const processAll = () =>
    all.mutate(undefined, {
      onSuccess: (answer) => notify.success(answer.message),
      onError: () => notify.failure(TEXT.allFailed),
    });
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
        {ready.isError ? <MessageBar tone="red">{TEXT.loadFailed(errorText(ready.error, TEXT.fallback))}</MessageBar> : null}
        {ready.isPending ? <LoadingRows rows={3} height={48} label={TEXT.loading} /> : null}
        {ready.isSuccess && files.length === 0 ? (
          <EmptyState compact icon={mdiShieldCheckOutline} title={TEXT.empty} hint={TEXT.emptyHint} />
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
