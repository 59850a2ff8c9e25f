import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { trackRequest } from '../auth/current-session';
import type { GatewaySettings } from '../bootstrap/settings';
import { recordArrival } from './timeout.interceptor';

/** Middleware before guards and handlers. Bodies are read later, by BodyGuard. */
export function applyMiddleware(app: NestExpressApplication, settings: GatewaySettings): void {
  app.set('trust proxy', settings.trustProxy);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(requestId);
  app.use(securityHeaders(settings));
  app.use(trackRequest);
  app.use(cookieParser());
  app.use('/api', privateCaching);
  // skips event streams, which send `no-transform`, and media types that are not compressible
  app.use(compression());
  app.use(recordArrival);
}

/** No shared caching, and revalidation in the browser. */
function privateCaching(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  next();
}

function securityHeaders(settings: GatewaySettings) {
  const secure = settings.publicUrl.startsWith('https://');
  // avatars are served by the identity provider
  const avatars = settings.google ? [new URL(settings.google.issuerUrl ?? settings.google.userinfoUrl).origin] : [];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // MUI injects inline styles
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https://*.googleusercontent.com', ...avatars],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  });
}

const HEADER = 'x-request-id';
const ACCEPTED = /^[A-Za-z0-9._-]{8,64}$/;
const ids = new WeakMap<Request, string>();

/** Sets X-Request-Id, for the response and the log; keeps the id of a reverse proxy. */
function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers[HEADER];
  const id = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  ids.set(request, id);
  response.setHeader('X-Request-Id', id);
  next();
}

export const requestIdOf = (request: Request): string => ids.get(request) ?? 'unknown';

/** Streams stay open for hours, and health is polled every few seconds. */
const UNTRACED = ['/api/events', '/api/health'];

/** Only API requests get a span: signed media URLs must not appear in traces. */
export const isTraced = (path: string): boolean =>
  path.startsWith('/api/') && !UNTRACED.some((one) => path === one || path.startsWith(`${one}/`));
