/** Names that no resolver of the internet knows. */
const INNER_NAMES = /(?:^|\.)(?:localhost|local|internal|lan|home|test|invalid|example|svc)$/;

/** Networks that are not routed on the internet: this machine, private, link-local, carrier-grade NAT. */
const INNER_V4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const INNER_V6 = /^\[(?:::1?|f[cd]|fe[89ab]|::ffff:)/;

/**
 * Whether servers on the internet can reach an address, by its looks: a name with a dot that is not an inner one, or a routed IP address.
 * That it really answers is not known before somebody outside asks.
 */
export function isPublicAddress(address: string): boolean {
  const host = hostOf(address);
  if (host === null || INNER_V4.test(host) || INNER_V6.test(host) || INNER_NAMES.test(host)) return false;
  return host.startsWith('[') || host.includes('.');
}

/**
 * Whether the platform at `platformUrl` (`null` for its own address on the internet) can fetch from an address, `null` where there is none.
 * An imitation of the platform inside the own network reaches what is inside the own network.
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
