import type { MediaType } from '@autoposter/contracts';
import { failureOf, type Failure } from '../errors/failure';

/** Which media the platform can fetch. */
export interface MediaAccess {
  images: boolean;
  videos: boolean;
}

/** The platform fetches media from a public address; only videos can be uploaded instead, and only with Facebook Login. */
export const mediaAccessOf = ({ hasPublicAddress, canUpload }: { hasPublicAddress: boolean; canUpload: boolean }): MediaAccess => ({
  images: hasPublicAddress,
  videos: hasPublicAddress || canUpload,
});

/** Why files of these types cannot be published, `null` where they can. */
export function whyOutOfReach(types: readonly MediaType[], access: MediaAccess): Failure | null {
  const missing = types.some((type) => type !== 'video') && !access.images ? 'images' : !access.videos ? 'videos' : null;
  return missing === null ? null : failureOf(missing === 'images' ? 'pictures_need_address' : 'videos_need_address');
}
