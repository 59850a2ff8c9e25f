import { mdiShieldCheckOutline } from '@mdi/js';
import { useDmcaReady, useProcessAllDmca, useProcessDmca } from '../../../data/dmca/use-dmca';
import { errorText } from '../../../data/http/client';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { notify } from '../../../ui/notices/notice-store';
import { ReadyCard } from './ready-card';
import { dmcaFile } from './ready-files';

const TEXT = DASHBOARD_TEXT.dmca;

export function DmcaCard() {
  const one = useProcessDmca();
  const all = useProcessAllDmca();
  return (
    <ReadyCard
      stage="dmca"
      words={TEXT}
      icon={mdiShieldCheckOutline}
      ready={useDmcaReady()}
      fileOf={dmcaFile}
      busy={one.isPending || all.isPending}
      busyId={one.isPending ? one.variables : null}
      onProcess={(id) => one.mutate(id, { onError: (error) => notify.failure(errorText(error)) })}
      onProcessAll={() =>
        all.mutate(undefined, {
          onSuccess: (answer) => notify.success(answer.message),
          onError: () => notify.failure(TEXT.allFailed),
        })
      }
    />
  );
}
