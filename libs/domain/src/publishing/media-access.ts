import type { MediaType } from '@autoposter/contracts';
import type { Failure } from '../errors/failure';

/** Which media the platform can get hold of. */
export interface MediaAccess {
  images: boolean;
  videos: boolean;
}

/** The platform fetches media from a public address; only a video may be sent as an upload instead, and only with Facebook Login. */
export const mediaAccessOf = ({ hasPublicAddress, canUpload }: { hasPublicAddress: boolean; canUpload: boolean }): MediaAccess => ({
  images: hasPublicAddress,
  videos: hasPublicAddress || canUpload,
});

/** Why files of these types cannot be published, `null` where they can. */
export function whyOutOfReach(types: readonly MediaType[], access: MediaAccess): Failure | null {
  const missing = types.some((type) => type !== 'video') && !access.images ? 'images' : !access.videos ? 'videos' : null;
  if (missing === null) return null;
  return {
    kind: 'not_configured',
    message:
      missing === 'images'
        ? 'Instagram takes pictures and galleries from a public address only, and there is none.'
        : 'Instagram cannot get at the file: there is no public address for media, and this access token allows no uploads.',
    side: 'operator',
    nextAction: 'Set CDN_BASE_URL to an address that the internet reaches, then try again.',
  };
}
