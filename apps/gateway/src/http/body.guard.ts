import {
  BadRequestException,
  Injectable,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { routeOf } from './api-route';
import { excludeFromTimeout } from './timeout.interceptor';

export const BODY_BYTES = 64 * 1024;
/** Far above every schema of the route table: the deepest one nests three levels, the longest batch of browser logs has 502 entries. */
const MAX_DEPTH = 20;
const MAX_ENTRIES = 1_000;
/** A refused body is read to its end up to this size: a connection that closes on a client in mid-send loses the answer. */
const DRAINED_BYTES = 8 * 1024 * 1024;

const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const MEDIA_TYPE = /^application\/json(?:;|$)/iu;
const UTF8 = /;\s?charset="?utf-?8"?(?:;|$)/iu;

/**
 * Reads and parses the JSON body. It runs behind the guards that authenticate and throttle, so that a stranger's body is never parsed.
 * A body of another media type counts as missing.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const type = request.headers['content-type'] ?? '';
    if (BODYLESS.has(request.method) || !hasBody(request)) return true;
    const startedAt = performance.now();
    const bytes = await readBytes(request, routeOf(this.reflector, context)?.maxBodyBytes ?? BODY_BYTES);
    // How long a caller takes to send the body is the caller's own time.
    excludeFromTimeout(request, performance.now() - startedAt);
    if (MEDIA_TYPE.test(type)) request.body = parseJson(textOf(bytes, request));
    return true;
  }
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? '0') > 0;

async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let received = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > DRAINED_BYTES) break;
      if (received <= limit) kept.push(chunk);
    }
  } catch {
    throw new BadRequestException('The body of the request broke off.');
  }
  if (received <= limit) return Buffer.concat(kept);
  throw new PayloadTooLargeException(`The body of the request must have at most ${limit / 1024} KB.`);
}

function textOf(bytes: Buffer, { headers }: Request): string {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' || (type.toLowerCase().includes('charset') && !UTF8.test(type))) {
    throw new UnsupportedMediaTypeException('The body of the request must be JSON in UTF-8, without compression.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequestException('The body of the request is not valid UTF-8.');
  }
}

/** Text to value; refuses what no route takes before anything recurses into it. */
export function parseJson(text: string): object {
  if (text.trim() === '') return {};
  assertShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequestException('The body of the request is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null) throw new BadRequestException('The body of the request must be a JSON object.');
  return value;
}

/** One pass over the text. Commas and colons outside of strings count the entries, opened brackets the depth. */
function assertShape(text: string): void {
  let depth = 0;
  let entries = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ',' || sign === ':') entries += 1;
    if (depth > MAX_DEPTH) throw new BadRequestException(`The body of the request is nested more than ${MAX_DEPTH} levels deep.`);
    if (entries > MAX_ENTRIES) throw new BadRequestException(`The body of the request has more than ${MAX_ENTRIES} entries.`);
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
