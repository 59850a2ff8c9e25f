import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '@autoposter/object-store';
import type { Request, Response } from 'express';

export interface ServedObject {
  key: string;
  total: number;
  contentType: string;
  /** Strong entity tag. */
  sha256: string;
  cacheControl: string;
}

/** Streams an object or a range. Stops reading when the client disconnects; a read error aborts the connection. */
export async function sendObject(request: Request, response: Response, objects: ObjectStore, object: ServedObject): Promise<void> {
  const tag = `"${object.sha256}"`;
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', object.cacheControl);
  response.setHeader('Content-Type', object.contentType);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // a browser displays pictures and videos alone: a document may hold scripts or markup of strangers
  const isMedia = /^(?:image|video|audio)\//u.test(object.contentType);
  response.setHeader('Content-Disposition', isMedia ? 'inline' : `attachment; filename="${object.key.split('/').at(-1) ?? ''}"`);
  response.setHeader('Cross-Origin-Resource-Policy', 'same-site');
  if (matchesTag(request.headers['if-none-match'], tag)) {
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
    // the client closed the player or seeked
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET' && code !== 'EPIPE') throw error;
  });
}

/** RFC 9110, section 13.1.2: one of a list of tags, compared weakly, or any. */
const matchesTag = (header: string | undefined, tag: string): boolean =>
  header?.trim() === '*' || (header ?? '').split(',').some((entry) => entry.trim().replace(/^W\//u, '') === tag);

type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/** RFC 9110, section 14. A malformed header or several ranges get the whole object, as the standard allows. */
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
