import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { trackRequest } from '../auth/current-session';
import type { GatewaySettings } from '../bootstrap/settings';
import { recordArrival } from './timeout.interceptor';

/** Everything in front of the handlers: request id, security headers, compression, and when the call came in. Bodies are read later, behind the authentication. */
export function applyMiddleware(app: NestExpressApplication, settings: GatewaySettings): void {
  app.set('trust proxy', settings.trustProxy);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(requestId);
  app.use(securityHeaders(settings));
  app.use(trackRequest);
  app.use(cookieParser());
  app.use('/api', keptByNobody);
  // Event streams say `no-transform`, which compression respects; media is not compressible.
  app.use(compression());
  app.use(recordArrival);
}

/** Answers belong to one person: a shared cache keeps none, a browser asks whether its copy still holds. */
function keptByNobody(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  next();
}

function securityHeaders(settings: GatewaySettings) {
  const secure = settings.publicUrl.startsWith('https://');
  // Avatars come from where people sign in.
  const avatars = settings.google ? [new URL(settings.google.issuerUrl ?? settings.google.userinfoUrl).origin] : [];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library writes its styles into the page.
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

/** Gives each request an id that is told in the answer and in the log; one from a proxy in front is kept. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers[HEADER];
  const id = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  ids.set(request, id);
  response.setHeader('X-Request-Id', id);
  next();
}

export const requestIdOf = (request: Request): string => ids.get(request) ?? 'unknown';

/** Streams stay open for hours, and health is asked for every few seconds. */
const UNTRACED = ['/api/events', '/api/health'];

/** Requests that get a span: those of people to the API. Addresses of media files hold signatures, so they never get one. */
export const isTraced = (path: string): boolean =>
  path.startsWith('/api/') && !UNTRACED.some((one) => path === one || path.startsWith(`${one}/`));
