import { ENVIRONMENT_ACCOUNT_ID, type MediaType } from '@autoposter/contracts';
import { ACCOUNT_REPORT, mediaAccessOf, whyOutOfReach, type Failure, type MediaAccess } from '@autoposter/domain';
import type { MediaFile, UnitOfWork } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import type { PublishingAccount } from '../settings/stored-settings';

/** Which media Instagram can fetch from this installation, checked when a post is queued. */
@Injectable()
export class MediaReach {
  constructor(@Inject(SETTINGS) private readonly settings: GatewaySettings) {}

  /** The report of the publishing worker; before the first report, an estimate that assumes that videos can be uploaded. */
  access({ canPublishImages: images, canPublishVideos: videos }: AccountFindings): MediaAccess {
    if (images !== undefined && videos !== undefined) return { images, videos };
    return mediaAccessOf({ hasPublicAddress: this.settings.hasPublicAddress, canUpload: true });
  }

  /** The same for a connected account, which uploads with Facebook Login only. */
  accessOf({ api }: PublishingAccount): MediaAccess {
    return mediaAccessOf({ hasPublicAddress: this.settings.hasPublicAddress, canUpload: api?.flavour === 'facebook' });
  }

  /** Why a post with these files cannot be published; `null` if it can, or if publishing is not configured. */
  whyNot(uow: UnitOfWork, files: readonly Pick<MediaFile, 'mediaType'>[], account?: PublishingAccount): Promise<Failure | null> {
    return this.refusalFor(
      uow,
      files.map((file) => file.mediaType),
      account,
    );
  }

  /** Why no post can be published; `null` as above. Wherever Instagram can get any media, it can get a video. */
  whyNothing(uow: UnitOfWork, account?: PublishingAccount): Promise<Failure | null> {
    return this.refusalFor(uow, ['video'], account);
  }

  private async refusalFor(uow: UnitOfWork, types: readonly MediaType[], account?: PublishingAccount): Promise<Failure | null> {
    if (account !== undefined && account.id !== ENVIRONMENT_ACCOUNT_ID) return whyOutOfReach(types, this.accessOf(account));
    if (this.settings.instagramMissing.length > 0) return null;
    return whyOutOfReach(types, this.access((await uow.workerReports.find<AccountFindings>(ACCOUNT_REPORT))?.report ?? {}));
  }
}

/** What `ACCOUNT_REPORT` says. */
export interface AccountFindings {
  ok?: boolean;
  detail?: string;
  username?: string | null;
  tokenExpiresAt?: string | null;
  canPublishImages?: boolean;
  canPublishVideos?: boolean;
}

/** What `ADDRESS_REPORT` says. */
export interface AddressFindings {
  hasAddress?: boolean;
  /** Whether there was a file to fetch. */
  tested?: boolean;
  problem?: string | null;
}
