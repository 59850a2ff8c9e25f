import type { Request } from 'express';

const LOOPBACK_PEER = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether the request was made on this machine: the socket's own peer (never a forwarded header) and the Host that the browser named. The
 * host keeps out pages of other sites whose name was made to point here.
 */
export function isLoopbackRequest(request: Request): boolean {
  return LOOPBACK_PEER.test(request.socket.remoteAddress ?? '') && LOOPBACK_HOST.test(request.headers.host ?? '');
}
