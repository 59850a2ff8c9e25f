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

/** Names that public DNS does not resolve. */
const INTERNAL_NAMES = /(?:^|\.)(?:localhost|local|internal|lan|home|test|invalid|example|svc)$/;

/** Networks that are not routed on the internet: this machine, private, link-local, carrier-grade NAT. */
const INTERNAL_V4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const INTERNAL_V6 = /^\[(?:::1?|f[cd]|fe[89ab]|::ffff:)/;

/**
 * Whether servers on the internet can reach an address, as far as the address shows: a name with a dot that is not internal, or a routed IP
 * address.
 */
export function isPublicAddress(address: string): boolean {
  const host = hostOf(address);
  if (host === null || INTERNAL_V4.test(host) || INTERNAL_V6.test(host) || INTERNAL_NAMES.test(host)) return false;
  return host.startsWith('[') || host.includes('.');
}

/**
 * Whether the platform at `platformUrl` (`null` for its own address on the internet) can fetch from an address (`null` for none). A
 * simulator of the platform inside the own network reaches addresses inside it.
 */
export const isInReach = (address: string | null, platformUrl: string | null): boolean =>
  address !== null && (isPublicAddress(address) || (platformUrl !== null && !isPublicAddress(platformUrl)));

function hostOf(address: string): string | null {
  try {
    const { protocol, hostname } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? hostname.toLowerCase().replace(/\.$/, '') : null;
  } catch {
    return null;
  }
}
