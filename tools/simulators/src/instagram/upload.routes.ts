import { appendFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type SimResponse, bearerOf, get, header, json, post, type Route, type SimRequest } from '../server/http';
import { isPermitted } from './access-tokens';
import { settleVideo } from './containers';
import type { InstagramParts } from './graph-call';
import { type Container, statusOf } from './instagram-state';
import type { FetchedFile } from './media-inspector';

/** Bytes of transfers that are not complete, by container. */
export interface PartialUploads {
  sizeOf(container: string): Promise<number>;
  append(container: string, bytes: Buffer): Promise<void>;
  /** All of them, which are forgotten. */
  take(container: string): Promise<Buffer>;
}

/** rupload.facebook.com: uploads a video for a container created with `upload_type=resumable`. */
export function uploadRoutes(parts: InstagramParts, uploads: PartialUploads): Route[] {
  const path = '/ig-api-upload/:version/:container';
  return [post(path, (request) => receive(parts, uploads, request)), get(path, (request) => reportOffset(parts, uploads, request))];
}

/** In files, because they must survive a restart of the process. */
export function uploadsIn(folder: string): PartialUploads {
  const fileOf = (container: string): string => join(folder, `${container}.upload`);
  return {
    sizeOf: (container) =>
      stat(fileOf(container)).then(
        ({ size }) => size,
        () => 0,
      ),
    async append(container, bytes) {
      await mkdir(folder, { recursive: true });
      await appendFile(fileOf(container), bytes);
    },
    async take(container) {
      const bytes = await readFile(fileOf(container));
      await rm(fileOf(container), { force: true });
      return bytes;
    },
  };
}

/** `message` contains JSON. */
export function uploadFailed(status: number, message: string, retriable = false): SimResponse {
  const inner = JSON.stringify({ success: false, error: { message } });
  return json(status, { debug_info: { retriable, type: 'ProcessingFailedError', message: inner } });
}

function containerOf(parts: InstagramParts, request: SimRequest): Container | SimResponse {
  const authorization = header(request, 'authorization') ?? '';
  const token = /^OAuth /i.test(authorization) ? parts.tokens.find(bearerOf(request) ?? '') : null;
  const expired = token?.expiresAt !== null && (token?.expiresAt ?? 0) <= parts.clock.now();
  const permitted = token !== null && token.flavour === 'facebook' && isPermitted(token, 'publish', parts.settings);
  if (expired || !permitted) return uploadFailed(401, 'unauthorized user request');
  const container = parts.state.containers.get(request.params.container ?? '');
  if (!container?.upload) return uploadFailed(404, 'container does not take an upload');
  return container;
}

async function receive(parts: InstagramParts, uploads: PartialUploads, request: SimRequest): Promise<SimResponse> {
  const container = containerOf(parts, request);
  if ('status' in container) return container;
  if (statusOf(container, parts.clock.now()) !== 'IN_PROGRESS' || isComplete(container)) return uploadFailed(400, 'upload has ended');
  const address = header(request, 'file_url');
  if (address !== undefined) return receiveByAddress(parts, container, address);
  const offset = Number(header(request, 'offset') ?? Number.NaN);
  const size = Number(header(request, 'file_size') ?? Number.NaN);
  if (!Number.isInteger(offset) || !Number.isInteger(size) || size <= 0) return uploadFailed(400, 'offset and file_size are required');
  const have = await uploads.sizeOf(container.id);
  // final, as each refusal that the contract shows: only the offset that the platform reports continues the upload
  if (offset !== have) return uploadFailed(400, `offset mismatch, expected ${have}`);
  if (have + request.body.length > size) return uploadFailed(400, 'more bytes than file_size');
  if (request.behaviours.has('keep_none')) return uploadFailed(503, 'the transfer was interrupted', true);
  const kept = request.behaviours.has('keep_half') ? request.body.subarray(0, Math.floor(request.body.length / 2)) : request.body;
  await uploads.append(container.id, kept);
  const now = have + kept.length;
  container.upload = { offset: now, size };
  if (now < size) return uploadFailed(400, 'partial upload, bytes are missing', true);
  return uploaded(parts, container, await parts.inspector.keep(await uploads.take(container.id)));
}

async function receiveByAddress(parts: InstagramParts, container: Container, address: string): Promise<SimResponse> {
  const outcome = await parts.inspector.fetch(address);
  if ('unreachable' in outcome) return uploadFailed(400, 'file_url could not be fetched', true);
  return uploaded(parts, container, outcome.file);
}

/** Processing starts when the upload is complete. */
function uploaded(parts: InstagramParts, container: Container, file: FetchedFile): SimResponse {
  container.readyAt = parts.clock.now() + parts.settings.videoProcessingMs;
  settleVideo(parts, container, file);
  return json(200, { success: true, message: 'Upload successful. Media is being processed.' });
}

async function reportOffset(parts: InstagramParts, uploads: PartialUploads, request: SimRequest): Promise<SimResponse> {
  const container = containerOf(parts, request);
  if ('status' in container) return container;
  return json(200, { offset: isComplete(container) ? container.upload?.size : await uploads.sizeOf(container.id) });
}

const isComplete = ({ upload }: Container): boolean => upload !== null && upload.offset === upload.size;
