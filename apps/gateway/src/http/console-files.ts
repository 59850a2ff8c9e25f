import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

const NOT_A_PAGE = /^\/(?:api|media|healthz|readyz|metrics)(?:\/|$)/;
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built console: hashed assets as immutable, everything else with revalidation; a path without a file gets index.html for the
 * client-side router. Empty if no console was built.
 */
export function consoleFiles(folder: string | null): RequestHandler[] {
  if (folder === null || !existsSync(join(folder, 'index.html'))) return [];
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => {
      const hashed = /[\\/]assets[\\/]/.test(path);
      response.setHeader('Cache-Control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  return [
    (request: Request, response: Response, next: NextFunction) => (NOT_A_PAGE.test(request.path) ? next() : files(request, response, next)),
    (request: Request, response: Response, next: NextFunction) => {
      const isPage = (request.method === 'GET' || request.method === 'HEAD') && !NOT_A_PAGE.test(request.path);
      // a missing script must stay a 404: index.html in its place would surface as a confusing MIME type error
      if (!isPage || /\.[a-z0-9]{2,5}$/i.test(request.path)) return next();
      response.setHeader('Cache-Control', 'no-cache').sendFile(join(folder, 'index.html'));
    },
  ];
}
