import { isIP } from 'node:net';
import { isMetadataAddress } from '@autoposter/config';
import ipaddr from 'ipaddr.js';

/** Hosts that hold the media of the two platforms and clips that Reddit shows from elsewhere; subdomains of those that begin with a dot. */
const MEDIA_HOSTS = [
  'v.redd.it',
  'i.redd.it',
  'preview.redd.it',
  'external-preview.redd.it',
  'i.imgur.com',
  '.cdninstagram.com',
  '.fbcdn.net',
] as const;

type AddressRefusal = string;

/**
 * Says whether the downloader may ask this address. Only https, only the platforms' media hosts, no user names, no odd ports; beside
 * them exactly the origins that the operator added (which may be plain http). An address in numbers is never looked up, so it is checked
 * here: no origin leads to a metadata service, and with `publicOnly` none to a private network.
 */
export function addressRefusal(url: URL, extraOrigins: ReadonlySet<string>, publicOnly: boolean): AddressRefusal | null {
  if (url.username !== '' || url.password !== '') return 'The address carries a user name or password.';
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  if (isIP(host) !== 0 && !mayConnect(host, publicOnly)) return `The address ${host} is not one that media is fetched from.`;
  if (extraOrigins.has(url.origin)) return null;
  if (url.protocol !== 'https:') return `Only https addresses are fetched, this one is ${url.protocol.replace(':', '')}.`;
  if (url.port !== '') return 'Only the standard https port is used.';
  if (!MEDIA_HOSTS.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host))) {
    return `The host ${url.hostname} is not one that Reddit or Instagram serve media from.`;
  }
  return null;
}

/** Whether a connection to this IP address may be opened: never to a metadata service, with `publicOnly` only to the public internet. */
export const mayConnect = (address: string, publicOnly: boolean): boolean =>
  !isMetadataAddress(address) && (!publicOnly || isPublicAddress(address));

/** Whether an IP address is one of the public internet; private, loopback, link-local, metadata and mapped forms are not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}
