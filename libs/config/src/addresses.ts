import { BlockList, isIP } from 'node:net';

/** Not reachable over the internet: RFC 6890 and the internal ranges of clouds. */
const PRIVATE: readonly [string, number, 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];
/** Metadata services, which answer with credentials: never a source of media, not even when configured. */
const METADATA: readonly [string, number, 'ipv4' | 'ipv6'][] = [
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
];
const INTERNAL_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|svc|test|invalid|home\.arpa)$/u;
const METADATA_NAMES = /^(?:metadata|metadata\.google\.internal|instance-data|instance-data\.ec2\.internal)$/u;

const blockList = (ranges: typeof PRIVATE): BlockList => {
  const list = new BlockList();
  for (const range of ranges) list.addSubnet(...range);
  return list;
};
const privateAddresses = blockList(PRIVATE);
const metadataAddresses = blockList(METADATA);

/** `new URL` normalises every notation of an IPv4 address. */
const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[|\]$/gu, '')
    .replace(/\.$/u, '')
    .toLowerCase();

/** A mapped IPv4 address (`::ffff:127.0.0.1`) is matched by the IPv4 ranges too. */
const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an IP address belongs to the cloud's metadata service or is link-local. */
export const isMetadataAddress = (address: string): boolean => isIP(address) !== 0 && isIn(metadataAddresses, address);

export function isMetadataHost(url: URL): boolean {
  const host = hostOf(url);
  return isMetadataAddress(host) || METADATA_NAMES.test(host);
}

/** Whether the host may be on the public internet, by its name or address. */
export function isPublicHost(url: URL): boolean {
  const host = hostOf(url);
  if (isIP(host) !== 0) return !isIn(privateAddresses, host) && !isIn(metadataAddresses, host);
  return host.includes('.') && !INTERNAL_NAMES.test(host) && !METADATA_NAMES.test(host);
}

export function isLoopbackHost(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(host);
}
