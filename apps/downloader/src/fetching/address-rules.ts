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

export interface AddressRules {
  /** Origins that the operator added. */
  extraOrigins: ReadonlySet<string>;
  /** Whether these must be public, too, as in production. */
  publicOnly: boolean;
  /** Whether any other host may be asked, too, which must be public. */
  anyHost?: boolean;
}

/**
 * Says whether the downloader may ask this address. Only https, only the platforms' media hosts or (`anyHost`) any, no user names, no odd
 * ports; beside them exactly the origins that the operator added (which may be plain http). An address in numbers is never looked up, so it
 * is checked here: no origin leads to a metadata service, and none to a private network that does not have to.
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
