import compression from 'compression';
import cookieParser from 'cookie-parser';
import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { trackRequest } from '../auth/signed-in-request';
import type { GatewaySettings } from '../wiring/settings';
import { requestId } from './request-id';
import { noteArrival } from './time-left';

/** Everything in front of the handlers: request id, security headers, compression, and when the call came in. Bodies are read later, behind the authentication. */
export function harden(app: NestExpressApplication, settings: GatewaySettings): void {
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
  app.use(noteArrival);
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
