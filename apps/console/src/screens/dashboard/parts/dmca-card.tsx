import { RIGHTS_STAGE } from '@autoposter/contracts';
import { mdiShieldCheckOutline } from '@mdi/js';
import { useDmcaReady, useProcessAllDmca, useProcessDmca } from '../../../data/processing/use-processing';
import { errorText } from '../../../data/http/client';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { notify } from '../../../ui/notifications';
import { ReadyCard } from './ready-card';
import { dmcaFile } from './ready-files';

const TEXT = DASHBOARD_TEXT.dmca;

export function DmcaCard() {
  return (
    <ReadyCard
      stage={RIGHTS_STAGE}
      words={TEXT}
      icon={mdiShieldCheckOutline}
      ready={useDmcaReady()}
      fileOf={dmcaFile}
      one={useProcessDmca()}
      all={useProcessAllDmca()}
      onFailed={(error, run) => notify.failure(run === 'all' ? TEXT.allFailed : errorText(error))}
    />
  );
}
