import type { Request } from 'express';

const LOOPBACK_PEER = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
/** What a proxy says about whom it speaks for. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether a proxy stands between us and who asks, as far as it says so; those in front of clusters do. */
const isForwarded = ({ headers }: Request): boolean => FORWARDED.some((name) => headers[name] !== undefined);

/**
 * Whether the request was made on this machine: the socket's own peer, the Host that the browser named and the page that it came from.
 * The host keeps out pages of other sites whose name was made to point here. A proxy on this machine is a peer of this machine and may
 * name its own target as the host, whoever stands behind it: what it forwards is from elsewhere, and so is a page of another address.
 */
export function isLoopbackRequest(request: Request): boolean {
  const { socket, headers } = request;
  if (isForwarded(request)) return false;
  if (!LOOPBACK_PEER.test(socket.remoteAddress ?? '') || !LOOPBACK_HOST.test(headers.host ?? '')) return false;
  return headers.origin === undefined || LOOPBACK_HOST.test(headers.origin.replace(/^https?:\/\//iu, ''));
}
