import { type ClaimedWork, claimedWork, FETCH_WORK_STAGE, filesOfWork, REGISTER_STAGE, WORK_BYTES } from '@autoposter/contracts';
import type { ObjectStore } from '@autoposter/object-store';
import { Database } from '@autoposter/persistence';
import { requestForClaim } from '@autoposter/workflow';
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
    await this.find(id);
    const since = await this.database.read.now();
    const { key, bytes, sha256, mediaType } = await storeUpload(this.objects, body, { as: 'work', maxBytes: WORK_BYTES });
    await this.database.unitOfWork(async (uow) => {
      await uow.media.assertKept([key], since);
      await uow.claims.setWork(id, claimedWork('stored', [{ bytes, sha256, mediaType, objectKey: key }]));
      if (!(await requestForClaim(uow, REGISTER_STAGE, id, { actor, forPerson: true })))
        throw new ConflictException('The previous file of this claim is still being fingerprinted.');
      await uow.audit.record({ actor, action: 'rights.upload', subject: id, detail: { bytes, sha256, mediaType } });
    });
  }

  /** Has a worker fetch the work from its addresses again, beside the files that it has. */
  async fetch(id: string, actor: string): Promise<void> {
    const work = await this.find(id);
    const { state, urls = [] } = work ?? {};
    if (work === null || urls.length === 0)
      throw new ConflictException('This claim names no address of its work; upload its file instead.');
    if (state === 'stored') throw new ConflictException('The files of this claim are being fingerprinted; fetch it again afterwards.');
    await this.database.unitOfWork(async (uow) => {
      await uow.claims.setWork(id, claimedWork('requested', filesOfWork(work), { urls }));
      if (!(await requestForClaim(uow, FETCH_WORK_STAGE, id, { actor, forPerson: true })))
        throw new ConflictException('The work of this claim is being fetched already.');
      await uow.audit.record({ actor, action: 'rights.fetch_again', subject: id, detail: { urls } });
    });
  }

  private async find(id: string): Promise<ClaimedWork | null> {
    const listed = await this.database.read.rights.findClaim(id);
    if (listed === null) throw new NotFoundException('There is no such claim.');
    if (listed.claim.status === 'withdrawn') throw new ConflictException('This claim was already withdrawn.');
    return listed.claim.work;
  }
}
