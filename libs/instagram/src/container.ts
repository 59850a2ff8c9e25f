import type { PublishOptions, TrialReel } from '@autoposter/contracts';
import { objectIn, PipelineError, type ContainerRequest } from '@autoposter/domain';
import { withoutSlash, wordsFrom } from '@autoposter/resilience';
import { ask } from './graph-api';

/** The form fields of `POST /{ig-id}/media` for a request; `upload` containers get their bytes afterwards. Throws `invalid_input`. */
export function containerParameters(request: ContainerRequest): Record<string, string> {
  const text: Record<string, string> = request.caption === null ? {} : { caption: request.caption };
  const shared = { ...text, ...optionParameters(request) };
  switch (request.kind) {
    case 'reel':
      return { media_type: 'REELS', ...videoSource(request), share_to_feed: 'true', ...shared };
    case 'image':
      return { image_url: addressOf(request), ...shared };
    case 'story_image':
      return { media_type: 'STORIES', image_url: addressOf(request), ...optionParameters(request) };
    case 'story_video':
      return { media_type: 'STORIES', ...videoSource(request), ...optionParameters(request) };
    case 'carousel_child_image':
      return { image_url: addressOf(request), is_carousel_item: 'true', ...optionParameters(request) };
    case 'carousel_child_video':
      return { media_type: 'VIDEO', ...videoSource(request), is_carousel_item: 'true' };
    case 'carousel':
      return { media_type: 'CAROUSEL', children: childrenOf(request), ...shared };
  }
}

/** Where a picture shows a tag without a place of its own. */
const MIDDLE = { x: 0.5, y: 0.5 };

/** A picture needs the place of each tag, and a video takes none. */
function tagsOf(
  kind: ContainerRequest['kind'],
  { userTags = [], productTags = [] }: PublishOptions,
): Record<'users' | 'products', object[]> {
  const users = new Map(userTags.map((tag) => (typeof tag === 'string' ? [tag, MIDDLE] : [tag.username, { x: tag.x, y: tag.y }])));
  const products = new Map(productTags.map(({ productId, x, y }) => [productId, { x, y }]));
  const placed = (place: typeof MIDDLE) => (kind === 'image' || kind === 'story_image' ? place : {});
  return {
    users: [...users].map(([username, place]) => ({ username, ...placed(place) })),
    products: [...products].map(([id, place]) => ({ product_id: id, ...placed(place) })),
  };
}

const GRADUATION: Record<TrialReel, string> = { manual: 'MANUAL', performance: 'SS_PERFORMANCE' };

/** A list as Instagram reads it, each entry once; an empty one is left out. */
const listed = (values: readonly unknown[] = []): string | undefined =>
  values.length === 0 ? undefined : JSON.stringify([...new Set(values)]);

function optionParameters({ kind, coverSeconds = null, coverUrl = null, options = {} }: ContainerRequest): Record<string, string> {
  const { audioId, audioVolume = 100, videoVolume = 0, trialReel } = options;
  const offset = options.thumbOffsetMs ?? (coverSeconds === null ? null : Math.round(coverSeconds * 1000));
  const tags = tagsOf(kind, options);
  const values: Record<string, string | undefined> = {
    share_to_feed: options.shareToFeed?.toString(),
    location_id: options.locationId,
    collaborators: listed(options.collaborators),
    user_tags: listed(tags.users),
    product_tags: listed(tags.products),
    alt_text: options.altText,
    audio_name: options.audioName,
    trial_params: trialReel && JSON.stringify({ graduation_strategy: GRADUATION[trialReel] }),
    is_paid_partnership: options.paidPartnership?.toString(),
    branded_content_sponsor_ids: listed(options.sponsorIds),
    is_ai_generated: options.aiGenerated?.toString(),
    cover_url: kind === 'reel' && coverUrl !== null ? new URL(coverUrl).toString() : undefined,
    thumb_offset: kind === 'reel' && coverUrl === null && offset !== null ? String(offset) : undefined,
    audio_configuration:
      audioId === undefined ? undefined : JSON.stringify({ audio_id: audioId, audio_volume: audioVolume, video_volume: videoVolume }),
  };
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
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

interface Upload {
  bytes: number;
  open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** The slowest connection that an upload may have. */
const BYTES_PER_SECOND = 128 * 1024;

/** Interruptions in a row without a new byte after which the upload fails. */
const MAX_STALLS = 2;

/**
 * Sends the bytes of a resumable container. After an interruption it continues at the offset that the platform reports, as long as each
 * transfer adds bytes. Throws `transient` where it does not, or where the offset is not known, and `upstream_rejected` for a final refusal.
 */
export async function uploadBytes(fetchFn: typeof fetch, target: UploadTarget, upload: Upload): Promise<void> {
  let offset = 0;
  for (let stalls = 0; ;) {
    try {
      return await send(fetchFn, target, upload, offset);
    } catch (error) {
      if (!(error instanceof PipelineError) || error.failure.kind !== 'transient') throw error;
      const stored = await storedBytes(fetchFn, target);
      if (stored === null || stored > upload.bytes) throw error;
      // the answer was lost, not the file
      if (stored === upload.bytes) return;
      stalls = stored > offset ? 0 : stalls + 1;
      if (stalls >= MAX_STALLS) throw error;
      offset = stored;
    }
  }
}

const addressOfUpload = ({ uploadUrl, apiVersion, containerId }: UploadTarget): string =>
  `${withoutSlash(uploadUrl)}/ig-api-upload/${apiVersion}/${encodeURIComponent(containerId)}`;

/** Statuses of a refusal that passes: request timeout, too many requests. */
const PASSING: readonly number[] = [408, 429];

/** One transfer from `offset` to the end. The platform's reason for a refusal is JSON inside a string (`debug_info.message`). */
async function send(fetchFn: typeof fetch, target: UploadTarget, upload: Upload, offset: number): Promise<void> {
  const source = new CheckedSource(await upload.open(), offset);
  const headers = {
    authorization: `OAuth ${target.accessToken}`,
    offset: String(offset),
    file_size: String(upload.bytes),
    'content-type': 'application/octet-stream',
    // a stream is sent in chunks otherwise, which the documentation does not show
    'content-length': String(upload.bytes - offset),
  };
  const timeoutMs = 60_000 + ((upload.bytes - offset) / BYTES_PER_SECOND) * 1000;
  const request = { url: addressOfUpload(target), method: 'POST' as const, headers, body: source };
  const answer = await ask(fetchFn, request, timeoutMs).catch((error: unknown) => {
    throw source.error ?? error;
  });
  const body = objectIn(answer.json);
  if (answer.status >= 200 && answer.status < 300 && body['success'] === true) return;
  const info = objectIn(body['debug_info']);
  const passes = info['retriable'] === true || answer.status >= 500 || answer.status < 400 || PASSING.includes(answer.status);
  // a continued transfer can be refused for its offset alone
  const isOfOffset = offset > 0 && answer.status !== 401;
  const detail = { status: answer.status, words: wordsFrom(String(info['message'] ?? '')) };
  if (passes || isOfOffset) throw PipelineError.of('instagram_upload_failed', { detail });
  throw PipelineError.of('instagram_upload_refused', { detail, ...(answer.status === 401 ? { kind: 'not_authorised' } : {}) });
}

/** How many bytes the platform has; `null` where it does not say. */
async function storedBytes(fetchFn: typeof fetch, target: UploadTarget): Promise<number | null> {
  const headers = { authorization: `OAuth ${target.accessToken}` };
  const answer = await ask(fetchFn, { url: addressOfUpload(target), method: 'GET', headers }, 30_000).catch(() => null);
  const offset = answer?.status === 200 ? Number(objectIn(answer.json)['offset'] ?? Number.NaN) : Number.NaN;
  return Number.isInteger(offset) && offset >= 0 ? offset : null;
}

/**
 * A file without its first `offset` bytes. It is read from its start all the same, because the store compares the hash of a whole file only.
 * An error of the file is no interruption of the transfer: `error` keeps it.
 */
class CheckedSource implements AsyncIterable<Uint8Array> {
  error: unknown = null;

  constructor(
    private readonly file: AsyncIterable<Uint8Array>,
    private readonly offset: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let skip = this.offset;
    try {
      for await (const chunk of this.file) {
        if (skip < chunk.byteLength) yield chunk.subarray(skip);
        skip = Math.max(0, skip - chunk.byteLength);
      }
    } catch (error) {
      this.error = error;
      throw error;
    }
  }
}
