/** Streams stay open for hours, and health is asked for every few seconds. */
const UNTRACED = ['/api/events', '/api/health'];

/** Requests that get a span: those of people to the API. Addresses of media files hold signatures, so they never get one. */
export const isTraced = (path: string): boolean =>
  path.startsWith('/api/') && !UNTRACED.some((one) => path === one || path.startsWith(`${one}/`));
