import { isIP } from 'node:net';
import { isMetadataAddress } from '@autoposter/config';
import ipaddr from 'ipaddr.js';

/** Hosts that hold the media of the two platforms and clips that Reddit shows from elsewhere; subdomains of those that begin with a dot. */
const MEDIA_HOSTS = [
  'v.redd.it',
  'i.redd.it',
  'preview.redd.it',
  'external-preview.redd.it',
  'i.reddituploads.com',
  'i.imgur.com',
  '.cdninstagram.com',
  '.fbcdn.net',
] as const;

type AddressRefusal = string;

export interface AddressRules {
  /** Origins that the operator added. */
  extraOrigins: ReadonlySet<string>;
  /** Whether added origins must be public, as in production. */
  publicOnly: boolean;
  /** Whether every other public host is allowed too. */
  anyHost?: boolean;
}

/**
 * Why the downloader may not fetch this address, `null` if it may. Allowed are https on the platforms' media hosts or (`anyHost`) any host,
 * without user names and unusual ports, and exactly the origins that the operator added (also plain http). A numeric address causes no lookup
 * in which it could be checked, so it is checked here: none may be that of a metadata service, or of a private network unless added.
 */
export function addressRefusal(url: URL, rules: AddressRules): AddressRefusal | null {
  if (url.username !== '' || url.password !== '') return 'The address carries a user name or password.';
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  if (isIP(host) !== 0 && !mayConnect(host, mustBePublic(url, rules))) return `The address ${host} is not one that media is fetched from.`;
  if (rules.extraOrigins.has(url.origin)) return null;
  if (url.protocol !== 'https:') return `Only https addresses are fetched, this one is ${url.protocol.replace(':', '')}.`;
  if (url.port !== '') return 'Only the standard https port is used.';
  if (rules.anyHost !== true && !isMediaHost(url.hostname)) {
    return `The host ${url.hostname} is not one that Reddit or Instagram serve media from.`;
  }
  return null;
}

export const mustBePublic = (url: URL, { extraOrigins, publicOnly }: AddressRules): boolean => publicOnly || !extraOrigins.has(url.origin);

export const isMediaHost = (hostname: string): boolean =>
  MEDIA_HOSTS.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));

/** Whether a connection to this IP address may be opened: never to a metadata service, with `publicOnly` only to the public internet. */
export const mayConnect = (address: string, publicOnly: boolean): boolean =>
  !isMetadataAddress(address) && (!publicOnly || isPublicAddress(address));

/** Whether an IP address is one of the public internet; private, loopback, link-local, metadata and mapped forms are not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}
