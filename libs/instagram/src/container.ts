import { objectIn, PipelineError, type ContainerRequest } from '@autoposter/domain';
import { withoutSlash, wordsFrom } from '@autoposter/resilience';
import { ask } from './graph-api';

/** The form fields of `POST /{ig-id}/media` for a request; `upload` containers get their bytes afterwards. Throws `invalid_input`. */
export function containerParameters(request: ContainerRequest): Record<string, string> {
  const caption: Record<string, string> = request.caption === null ? {} : { caption: request.caption };
  switch (request.kind) {
    case 'reel':
      return { media_type: 'REELS', ...videoSource(request), ...caption, share_to_feed: 'true' };
    case 'image':
      return { image_url: addressOf(request), ...caption };
    case 'carousel_child_image':
      return { image_url: addressOf(request), is_carousel_item: 'true' };
    case 'carousel_child_video':
      return { media_type: 'VIDEO', ...videoSource(request), is_carousel_item: 'true' };
    case 'carousel':
      return { media_type: 'CAROUSEL', children: childrenOf(request), ...caption };
  }
}

function videoSource(request: ContainerRequest): Record<string, string> {
  return request.mediaUrl === null && request.upload ? { upload_type: 'resumable' } : { video_url: addressOf(request) };
}

function addressOf(request: ContainerRequest): string {
  if (request.mediaUrl === null) throw PipelineError.of('picture_without_address');
  // Meta's fetcher accepts ASCII only; URL percent-encodes everything else
  return new URL(request.mediaUrl).toString();
}

function childrenOf(request: ContainerRequest): string {
  const children = request.children ?? [];
  if (children.length < 2 || children.length > 10) throw PipelineError.of('carousel_size', { side: 'operator' });
  return children.join(',');
}

interface UploadTarget {
  /** Origin of the upload host, without version. */
  uploadUrl: string;
  apiVersion: string;
  accessToken: string;
  containerId: string;
}

/** The slowest connection that an upload may have. */
const BYTES_PER_SECOND = 128 * 1024;

/**
 * Sends the bytes of a resumable container in one piece. Throws `transient` where the connection broke or the answer says that a
 * retry may help, else `upstream_rejected`. The platform's reason is JSON inside a string (`debug_info.message`).
 */
export async function uploadBytes(
  fetchFn: typeof fetch,
  target: UploadTarget,
  upload: { bytes: number; open: () => Promise<AsyncIterable<Uint8Array>> },
): Promise<void> {
  const answer = await ask(
    fetchFn,
    {
      url: `${withoutSlash(target.uploadUrl)}/ig-api-upload/${target.apiVersion}/${encodeURIComponent(target.containerId)}`,
      method: 'POST',
      headers: {
        authorization: `OAuth ${target.accessToken}`,
        offset: '0',
        file_size: String(upload.bytes),
        'content-type': 'application/octet-stream',
      },
      body: await upload.open(),
    },
    60_000 + (upload.bytes / BYTES_PER_SECOND) * 1000,
  );
  const body = objectIn(answer.json);
  if (answer.status >= 200 && answer.status < 300 && body['success'] === true) return;
  const info = objectIn(body['debug_info']);
  const passes = info['retriable'] === true || answer.status >= 500 || answer.status < 400;
  const detail = { status: answer.status, words: wordsFrom(String(info['message'] ?? '')) };
  if (passes) throw PipelineError.of('instagram_upload_failed', { detail });
  throw PipelineError.of('instagram_upload_refused', { detail, ...(answer.status === 401 ? { kind: 'not_authorised' } : {}) });
}
