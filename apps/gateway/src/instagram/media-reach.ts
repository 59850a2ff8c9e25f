import type { MediaType } from '@autoposter/contracts';
import { mediaAccessOf, whyOutOfReach, type Failure, type MediaAccess } from '@autoposter/domain';
import type { MediaFile, UnitOfWork } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';

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
  whyNot(uow: UnitOfWork, files: readonly Pick<MediaFile, 'mediaType'>[]): Promise<Failure | null> {
    return this.refusalOf(
      uow,
      files.map((file) => file.mediaType),
    );
  }

  /** Why no post at all can be published, `null` as above: a video is what Instagram can get at where it can get at anything. */
  whyNothing(uow: UnitOfWork): Promise<Failure | null> {
    return this.refusalOf(uow, ['video']);
  }

  private async refusalOf(uow: UnitOfWork, types: readonly MediaType[]): Promise<Failure | null> {
    if (this.settings.instagramMissing.length > 0) return null;
    return whyOutOfReach(types, this.access((await uow.workerReports.find<AccountFindings>(ACCOUNT_REPORT))?.report ?? {}));
  }
}

/** Under this name the publishing worker leaves what it found out about its account. */
export const ACCOUNT_REPORT = 'instagram-account';

export interface AccountFindings {
  ok?: boolean;
  detail?: string;
  username?: string | null;
  tokenExpiresAt?: string | null;
  canPublishImages?: boolean;
  canPublishVideos?: boolean;
}
