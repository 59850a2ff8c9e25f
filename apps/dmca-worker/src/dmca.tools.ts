import { MediaTools } from '@autoposter/media-tools';
import type { ObjectStore } from '@autoposter/object-store';
import type { RightsRegister } from './dmca/steps/match-register.step';
import type { Systems } from '@autoposter/stage-runner';

export interface DmcaTools {
  media: MediaTools;
  objects: ObjectStore;
  storageType: 'cdn' | 'local';
  register: RightsRegister;
}

export function dmcaTools({ config, database, objects, logger, storageType }: Systems): DmcaTools {
  return {
    media: new MediaTools({ ...config.media, logger }),
    objects,
    storageType,
    register: { findMatches: (itemId, sha256, pdqHashes) => database.read.rights.findMatches(itemId, sha256, pdqHashes) },
  };
}
