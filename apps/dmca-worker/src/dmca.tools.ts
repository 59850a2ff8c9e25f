import { MediaTools } from '@autoposter/media-tools';
import { dmcaStage } from './dmca/dmca.stage';
import type { RightsRegister } from './dmca/rights-register';
import type { StoreTools } from './dmca/steps/store-processed.step';
import type { Systems } from '@autoposter/job-engine';
import type { ClaimLookup } from '@autoposter/workflow';

interface DmcaTools extends StoreTools {
  media: MediaTools;
  register: RightsRegister;
  claims: ClaimLookup;
}

export function dmcaTools({ config, database, objects, logger, storageType }: Systems): DmcaTools {
  return {
    media: new MediaTools({ ...config.media, concurrency: config.stage.slots || dmcaStage.limits.slots, logger }),
    objects,
    storageType,
    register: database.read.rights,
    claims: database.read.claims,
  };
}
