import {
  BadRequestException,
  Injectable,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { routeOf } from './api-route';
import { excludeFromTimeout } from './timeout.interceptor';

export const BODY_BYTES = 64 * 1024;
/** Far above every schema: the deepest one has three levels, the longest batch of browser logs 802 names and values. */
const MAX_DEPTH = 20;
const MAX_ENTRIES = 1_000;
/** A refused body is drained up to this size: closing the connection while the client still sends would lose the response. */
const DRAINED_BYTES = 8 * 1024 * 1024;

const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const MEDIA_TYPE = /^application\/json(?:;|$)/iu;
const NOT_JSON = 'The request body must be JSON, with the header "Content-Type: application/json".';
const UTF8 = /;\s?charset="?utf-?8"?(?:;|$)/iu;

/** Reads and parses the JSON body, after authentication and throttling. Where none is expected, one of another media type is ignored. */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const type = request.headers['content-type'] ?? '';
    if (BODYLESS.has(request.method) || !hasBody(request)) return true;
    const route = routeOf(this.reflector, context);
    if (route?.uploadBytes !== undefined) {
      // the handler reads the file, and stops where it refuses it
      const response = context.switchToHttp().getResponse<Response>();
      response.once('finish', () => drain(request));
      if (Number(request.headers['content-length'] ?? '0') > route.uploadBytes) {
        // the client may send its file on for long, and must not wait for that with its next request
        response.setHeader('Connection', 'close');
        throw new PayloadTooLargeException(`The file must have at most ${route.uploadBytes / 1024 / 1024} MB.`);
      }
      return true;
    }
    const startedAt = performance.now();
    const limit = route?.maxBodyBytes ?? BODY_BYTES;
    const bytes = await readBytes(request, limit, `The request body must have at most ${limit / 1024} KB.`);
    // the client's upload time does not count against the response timeout
    excludeFromTimeout(request, performance.now() - startedAt);
    if (MEDIA_TYPE.test(type)) request.body = parseJson(textOf(bytes, request));
    else if (route?.body !== undefined) throw new UnsupportedMediaTypeException(NOT_JSON);
    return true;
  }
}

/** Reads the rest of a refused file: the next request on the connection comes after it. */
function drain(request: Request): void {
  if (request.readableEnded || request.destroyed) return;
  let received = 0;
  request.removeAllListeners('readable');
  request.on('data', (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > DRAINED_BYTES) request.destroy();
  });
  request.resume();
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? '0') > 0;

/** The whole body; refused with `tooLarge` above `limit` bytes. */
export async function readBytes(body: AsyncIterable<Uint8Array>, limit: number, tooLarge: string): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let received = 0;
  try {
    for await (const chunk of body) {
      received += chunk.length;
      if (received > DRAINED_BYTES) break;
      if (received <= limit) kept.push(chunk);
    }
  } catch {
    throw new BadRequestException('The request body is incomplete.');
  }
  if (received <= limit) return Buffer.concat(kept);
  throw new PayloadTooLargeException(tooLarge);
}

function textOf(bytes: Buffer, { headers }: Request): string {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' || (type.toLowerCase().includes('charset') && !UTF8.test(type))) {
    throw new UnsupportedMediaTypeException('The request body must be uncompressed JSON in UTF-8.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequestException('The request body is not valid UTF-8.');
  }
}

/** Checks depth and size before `JSON.parse` and zod recurse into the value. */
export function parseJson(text: string): object {
  if (text.trim() === '') return {};
  assertShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequestException('The request body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null) throw new BadRequestException('The request body must be a JSON object.');
  return value;
}

/** Counts brackets as depth and commas and colons outside of strings as entries. */
function assertShape(text: string): void {
  let depth = 0;
  let entries = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ',' || sign === ':') entries += 1;
    if (depth > MAX_DEPTH) throw new BadRequestException(`The request body is nested more than ${MAX_DEPTH} levels deep.`);
    if (entries > MAX_ENTRIES) throw new BadRequestException(`The request body has more than ${MAX_ENTRIES} names and values.`);
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
