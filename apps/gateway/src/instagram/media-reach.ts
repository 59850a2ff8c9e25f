import { Inject, Injectable } from '@nestjs/common';
import type { MediaType } from '@autoposter/contracts';
import { mediaAccessOf, whyOutOfReach, type Failure, type MediaAccess } from '@autoposter/domain';
import type { MediaFile, UnitOfWork } from '@autoposter/persistence';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { ACCOUNT_REPORT, type AccountFindings } from './account-findings';

/** Which media Instagram can get hold of here, told before a post is queued rather than when it is sent. */
@Injectable()
export class MediaReach {
  constructor(@Inject(SETTINGS) private readonly settings: GatewaySettings) {}

  /** What the publishing worker has reported; before it has, what this process can tell: whether videos can be uploaded it cannot. */
  access({ canPublishImages: images, canPublishVideos: videos }: AccountFindings): MediaAccess {
    if (images !== undefined && videos !== undefined) return { images, videos };
    return mediaAccessOf({ hasPublicAddress: this.settings.hasPublicAddress, canUpload: true });
  }

  /** Why a post with these files cannot be published, `null` where it can, or where publishing is not configured at all. */
  async whyNot(uow: UnitOfWork, files: readonly Pick<MediaFile, 'mediaType'>[]): Promise<Failure | null> {
    if (this.settings.instagramMissing.length > 0) return null;
    return whyOutOfReach(
      files.map((file): MediaType => file.mediaType),
      this.access((await uow.reports.find<AccountFindings>(ACCOUNT_REPORT))?.report ?? {}),
    );
  }
}
