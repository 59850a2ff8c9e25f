import { type ClaimedWork, REGISTER_STAGE, WORK_BYTES } from '@autoposter/contracts';
import { requestStage } from '@autoposter/job-engine';
import type { ObjectStore } from '@autoposter/object-store';
import { Database } from '@autoposter/persistence';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { OBJECTS } from '../bootstrap/systems';
import { storeUpload } from './store-upload';

@Injectable()
export class ClaimedWorkService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  /** Stores the file of a claimed work as it arrives and requests its fingerprints. The file is decoded by a worker alone. */
  async receive(id: string, body: AsyncIterable<Uint8Array>, actor: string): Promise<void> {
    const listed = await this.database.read.rights.findClaim(id);
    if (listed === null) throw new NotFoundException('There is no such claim.');
    if (listed.claim.status === 'withdrawn') throw new ConflictException('This claim was already withdrawn.');
    const { key, bytes, sha256, mediaType } = await storeUpload(this.objects, body, { as: 'work', maxBytes: WORK_BYTES });
    const work: ClaimedWork = { state: 'stored', bytes, sha256, mediaType, objectKey: key, message: null };
    await this.database.unitOfWork(async (uow) => {
      await uow.claims.setWork(id, work);
      const request = { stage: REGISTER_STAGE, subjectId: id, itemId: null, key: id, forPerson: true, actor };
      if (!(await requestStage(uow, request)).accepted)
        throw new ConflictException('The previous file of this claim is still being fingerprinted.');
      await uow.audit.record({ actor, action: 'rights.upload', subject: id, detail: { bytes, sha256, mediaType } });
    });
  }
}
