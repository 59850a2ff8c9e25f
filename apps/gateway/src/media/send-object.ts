import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '@autoposter/object-store';
import type { Request, Response } from 'express';

export interface ServedObject {
  key: string;
  total: number;
  contentType: string;
  /** Hash of the content: an entity tag that never lies. */
  sha256: string;
  cacheControl: string;
}

/** Streams an object, whole or in part. A reader that goes away ends the reading; what breaks in the middle breaks the connection. */
export async function sendObject(request: Request, response: Response, objects: ObjectStore, object: ServedObject): Promise<void> {
  const tag = `"${object.sha256}"`;
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', object.cacheControl);
  response.setHeader('Content-Type', object.contentType);
  response.setHeader('Content-Disposition', 'inline');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-site');
  if (request.headers['if-none-match'] === tag) {
    response.status(304).end();
    return;
  }
  const conditional = request.headers['if-range'];
  const range = conditional !== undefined && conditional !== tag ? 'whole' : readRange(request.headers.range, object.total);
  if (range === 'unsatisfiable') {
    response.status(416).setHeader('Content-Range', `bytes */${object.total}`).end();
    return;
  }
  const { start, end } = range === 'whole' ? { start: 0, end: object.total - 1 } : range;
  response.status(range === 'whole' ? 200 : 206);
  response.setHeader('Content-Length', String(end - start + 1));
  if (range !== 'whole') response.setHeader('Content-Range', `bytes ${start}-${end}/${object.total}`);
  if (request.method === 'HEAD' || object.total === 0) {
    response.end();
    return;
  }
  const read = await objects.get(object.key, range === 'whole' ? undefined : { start, end });
  await pipeline(Readable.from(read.stream, { objectMode: false }), response).catch((error: unknown) => {
    const code = (error as { code?: unknown }).code;
    // The reader has closed the player or jumped elsewhere: nothing is wrong.
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET' && code !== 'EPIPE') throw error;
  });
}

type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/**
 * Reads a `Range` header against the size of the object (RFC 9110, section 14). One range is served; what is malformed or asks for several
 * is answered with the whole object, as the standard allows.
 */
export function readRange(header: string | undefined, total: number): ByteRange {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (!match || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Number(last);
    return length === 0 || total === 0 ? 'unsatisfiable' : { start: Math.max(0, total - length), end: total - 1 };
  }
  const start = Number(first);
  const end = last === '' ? total - 1 : Math.min(Number(last), total - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= total ? 'unsatisfiable' : { start, end };
}
