import { MediaTools } from '@autoposter/media-tools';
import { dmcaStage } from './dmca/dmca.stage';
import { registerStage } from './register/register.stage';
import { registerIn, type RightsRegister } from './dmca/rights-register';
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
    media: new MediaTools({ ...config.media, concurrency: concurrentDecoders(config.stage.slots), logger }),
    objects,
    storageType,
    register: registerIn(database),
    claims: database.read.claims,
  };
}

/** Both stages run at the same time, and share the memory of the process. */
const concurrentDecoders = (slots: number): number =>
  [dmcaStage, registerStage].reduce((sum, { limits }) => sum + (slots || limits.slots), 0);
