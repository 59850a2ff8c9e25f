import { z } from 'zod';
import { DAY_MS } from '../server/limits';
import { type GraphCall, type InstagramParts, refusal, requireParam } from './graph-call';
import {
  type Container,
  CONTAINER_LIFE_MS,
  type ContainerKind,
  newGraphId,
  newShortcode,
  type PublishedItem,
  statusOf,
} from './instagram-state';
import type { FetchedFile } from './media-inspector';
import { imageViolation, videoViolation } from './media-rules';

/** At most 5 hashtags since 18 December 2025; documentation that states 30 is outdated. */
const CAPTION = { characters: 2_200, hashtags: 5, mentions: 20 };

/** `POST /{ig-id}/media`. Images are fetched and checked before the response, videos after it. */
export async function createContainer(parts: InstagramParts, call: GraphCall): Promise<Record<string, string>> {
  const { state, settings, clock, account } = parts;
  const now = clock.now();
  const own = [...state.containers.values()].filter(({ accountId }) => accountId === account.id);
  const recent = own.filter((container) => now - container.createdAt < DAY_MS);
  if (recent.length >= settings.containersPerDay) throw refusal(call, 'publish_quota');
  checkFlavour(call);
  checkText(call);
  const kind = kindOf(call);
  checkKind(call, kind);
  const container = newContainer(parts, call, kind, now);
  if (kind === 'CAROUSEL') takeChildren(parts, call, container);
  else if (container.upload) checkUpload(call, kind);
  else await takeMedia(parts, call, container);
  forceOutcome(container, call.behaviours);
  state.containers.set(container.id, container);
  state.save();
  if (call.behaviours.has('token_dies')) parts.tokens.revoke(call.token.value);
  const uri = `${parts.uploadOrigin()}/ig-api-upload/${call.version}/${container.id}`;
  return container.upload ? { id: container.id, uri } : { id: container.id };
}

function newContainer({ account, settings }: InstagramParts, call: GraphCall, kind: ContainerKind, now: number): Container {
  const still = kind === 'IMAGE' || kind === 'CAROUSEL' || call.params.has('image_url');
  const offset = call.params.get('thumb_offset');
  const carouselItem = call.params.get('is_carousel_item') === 'true';
  return {
    id: newGraphId(),
    accountId: account.id,
    kind,
    carouselItem,
    // Carousel items and stories have no caption.
    caption: carouselItem || kind === 'STORIES' ? null : (call.params.get('caption') ?? null),
    children: [],
    sourceUrl: null,
    shareToFeed: call.params.get('share_to_feed') !== 'false',
    createdAt: now,
    readyAt: now + (still ? settings.imageProcessingMs : settings.videoProcessingMs),
    settled: false,
    errorSubcode: null,
    thumbOffsetMs: offset === undefined ? null : Number(offset),
    publishedMediaId: null,
    options: Object.fromEntries(POST_OPTIONS.flatMap((name) => (call.params.has(name) ? [[name, call.params.get(name) ?? '']] : []))),
    copyrightMatch: call.behaviours.has('copyright_match'),
    upload: call.params.get('upload_type') === 'resumable' ? { offset: 0, size: null } : null,
    file: null,
  };
}

function kindOf(call: GraphCall): ContainerKind {
  const type = call.params.get('media_type');
  if (type === undefined) return 'IMAGE';
  // VIDEO was retired in 2023 in favour of REELS; carousel items still have it
  const kinds: readonly ContainerKind[] = call.params.get('is_carousel_item') === 'true' ? ['VIDEO'] : ['REELS', 'STORIES', 'CAROUSEL'];
  const kind = kinds.find((known) => known === type);
  if (!kind) throw refusal(call, 'media_type');
  return kind;
}

const POST_OPTIONS = [
  ...['cover_url', 'thumb_offset', 'share_to_feed', 'location_id', 'collaborators', 'user_tags', 'product_tags', 'alt_text', 'audio_name'],
  ...['audio_configuration', 'trial_params', 'is_paid_partnership', 'branded_content_sponsor_ids', 'is_ai_generated'],
];
const FACEBOOK_LOGIN_ONLY = ['product_tags', 'audio_configuration', 'upload_type'];

function checkFlavour(call: GraphCall): void {
  const unknown = call.token.flavour === 'instagram' ? FACEBOOK_LOGIN_ONLY.find((name) => call.params.has(name)) : undefined;
  if (unknown !== undefined) throw refusal(call, 'bad_param', { what: `Param ${unknown} is not supported for this API.` });
}

const GRADUATION = ['MANUAL', 'SS_PERFORMANCE'];

/** Posts by themselves; the files of a carousel are written as `item`. */
const PARENTS: readonly string[] = ['IMAGE', 'REELS', 'CAROUSEL'];

/** Kinds of containers that have a parameter; a parameter that is not named fits each kind. */
const KINDS_OF: Readonly<Record<string, readonly string[]>> = {
  share_to_feed: ['REELS'],
  cover_url: ['REELS'],
  thumb_offset: ['REELS', 'VIDEO item'],
  collaborators: PARENTS,
  location_id: PARENTS,
  user_tags: ['IMAGE', 'IMAGE item', 'REELS', 'STORIES'],
  product_tags: ['IMAGE', 'REELS'],
  alt_text: ['IMAGE', 'IMAGE item'],
  audio_name: ['REELS'],
  audio_configuration: ['REELS'],
  trial_params: ['REELS'],
};

function checkKind(call: GraphCall, kind: ContainerKind): void {
  const { params } = call;
  const known = params.get('is_carousel_item') === 'true' ? `${kind} item` : kind;
  const unfit = Object.keys(KINDS_OF).find((name) => params.has(name) && KINDS_OF[name]?.includes(known) === false);
  if (unfit !== undefined) throw refusal(call, 'bad_param', { what: `Param ${unfit} is not supported for ${known}.` });
}

const share = z.number().min(0).max(1);
const TAGS = {
  video: z.array(z.object({ username: z.string().min(1) })),
  /** A picture needs the place of each tag. */
  picture: z.array(z.object({ username: z.string().min(1), x: share, y: share })),
};

function fitsTags({ params }: GraphCall): boolean {
  const tags = params.get('user_tags');
  if (tags === undefined) return true;
  try {
    return TAGS[params.has('image_url') ? 'picture' : 'video'].safeParse(JSON.parse(tags)).success;
  } catch {
    return false;
  }
}

/** Lists with their largest length, tags with their places, and the strategy of a trial reel. */
function checkLists(call: GraphCall): string | null {
  const { params } = call;
  if (!fitsTags(call)) return 'Param user_tags must be an array of tags, each with a username and, in a picture, with x and y.';
  for (const [name, most] of Object.entries({ collaborators: 3, product_tags: 5, branded_content_sponsor_ids: 2 }))
    if (listOf(params.get(name)).length > most) return `Param ${name} must have at most ${most} elements.`;
  const trial = params.get('trial_params');
  if (trial === undefined || GRADUATION.includes(strategyOf(trial))) return null;
  return `Param trial_params[graduation_strategy] must be one of {${GRADUATION.join(', ')}}.`;
}

function strategyOf(text: string): string {
  try {
    return String((JSON.parse(text) as { graduation_strategy?: unknown } | null)?.graduation_strategy);
  } catch {
    return '';
  }
}

function checkText(call: GraphCall): void {
  const { caption = '', alt_text: altText = '', location_id: location } = Object.fromEntries(call.params);
  const count = (pattern: RegExp): number => caption.match(pattern)?.length ?? 0;
  if ([...caption].length > CAPTION.characters) throw refusal(call, 'caption_length');
  if (count(/#[\p{L}\p{N}_]+/gu) > CAPTION.hashtags) throw refusal(call, 'too_many_hashtags');
  if (count(/@[\w.]+/g) > CAPTION.mentions) throw refusal(call, 'too_many_tags');
  const what = checkLists(call);
  if (what !== null) throw refusal(call, 'bad_param', { what });
  if (altText.length > 1_000) throw refusal(call, 'bad_param', { what: 'Param alt_text is too long.' });
  if (location !== undefined && !/^\d{5,}$/.test(location)) throw refusal(call, 'location');
}

function takeChildren({ state, clock }: InstagramParts, call: GraphCall, container: Container): void {
  const ids = listOf(call.params.get('children'));
  if (ids.length < 2 || ids.length > 10) throw refusal(call, 'carousel_count');
  for (const id of ids) {
    const child = state.containers.get(id);
    const status = child && statusOf(child, clock.now());
    if (!child || status === 'EXPIRED') throw refusal(call, 'container_missing');
    if (!child.carouselItem) throw refusal(call, 'bad_param', { what: `Param children: ${id} is not a carousel item.` });
    if (status !== 'FINISHED') throw refusal(call, 'not_ready');
  }
  container.children = ids;
  container.settled = true;
}

function checkUpload(call: GraphCall, kind: ContainerKind): void {
  if (kind === 'IMAGE') throw refusal(call, 'bad_param', { what: 'Param upload_type is only for videos.' });
}

async function takeMedia(parts: InstagramParts, call: GraphCall, container: Container): Promise<void> {
  const still = container.kind === 'IMAGE' || (container.kind === 'STORIES' && call.params.has('image_url'));
  const url = requireParam(call, still ? 'image_url' : 'video_url');
  container.sourceUrl = url;
  const coverUrl = call.params.get('cover_url');
  if (coverUrl !== undefined) container.cover = await takeImage(parts, call, coverUrl, true);
  if (still) {
    container.file = await takeImage(parts, call, url, container.kind === 'STORIES');
    container.settled = true;
    return;
  }
  if (!/^https?:\/\//.test(url)) throw refusal(call, 'media_unreachable', { url });
  void parts.inspector.fetch(url).then((outcome) => {
    if ('unreachable' in outcome) settle(parts, container, null, 2207077);
    else settleVideo(parts, container, outcome.file);
  });
}

async function takeImage(parts: InstagramParts, call: GraphCall, url: string, anyRatio: boolean): Promise<FetchedFile> {
  const outcome = await parts.inspector.fetch(url);
  if ('unreachable' in outcome) throw refusal(call, 'media_unreachable', { url });
  const { facts } = outcome.file;
  const fault = imageViolation(facts, anyRatio);
  if (fault) throw refusal(call, fault, { url, ratio: (facts.width / facts.height).toFixed(4) });
  return outcome.file;
}

/** Checks a fetched or uploaded video and settles the container. */
export function settleVideo(parts: InstagramParts, container: Container, file: FetchedFile): void {
  const use = container.kind === 'STORIES' || container.kind === 'VIDEO' ? container.kind : 'REELS';
  if (videoViolation(file.facts, use) !== null) return settle(parts, container, file, 2207026);
  const offset = container.thumbOffsetMs ?? 0;
  const isInside = offset >= 0 && offset < file.facts.seconds * 1000;
  settle(parts, container, file, isInside ? null : 2207057);
}

function settle({ state }: InstagramParts, container: Container, file: FetchedFile | null, subcode: number | null): void {
  container.file = file;
  container.errorSubcode ??= subcode;
  container.settled = true;
  if (state.containers.get(container.id) === container) state.save();
}

/**
 * Fault behaviours: `container_error_2207076` ends in ERROR with that subcode, `copyright_error` leaves the copyright check in that state, `container_slow` stays IN_PROGRESS for ten minutes,
 * `container_forgotten` is not found when it is read or published.
 */
function forceOutcome(container: Container, behaviours: ReadonlySet<string>): void {
  for (const behaviour of behaviours) {
    const subcode = /^container_error_(\d+)$/.exec(behaviour)?.[1];
    if (subcode) container.errorSubcode = Number(subcode);
    const check = /^copyright_(in_progress|not_started|error)$/.exec(behaviour)?.[1];
    if (check) container.copyrightState = check as NonNullable<Container['copyrightState']>;
    if (behaviour === 'container_slow') container.readyAt += 600_000;
    if (behaviour === 'container_forgotten') container.forgotten = true;
  }
}

/** Arrays may be JSON or comma-separated. */
export function listOf(value = ''): string[] {
  try {
    const parsed = JSON.parse(value) as unknown;
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {
    // Comma-separated.
  }
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Posts in the last 24 hours; a carousel counts once. */
export function quotaUsed({ state, clock, account }: InstagramParts, sinceMs?: number): number {
  const from = Math.max(sinceMs ?? 0, clock.now() - DAY_MS);
  return state.published.filter((item) => item.accountId === account.id && item.publishedAt > from).length;
}

/**
 * `POST /{ig-id}/media_publish`. A container is published at most once; rejected requests change nothing. Fault behaviours: `publish_lags`
 * refuses although the container is FINISHED, `publish_late_600` publishes after so many seconds, `container_forgotten` and `token_dies`
 * lose the container or the token with the post published.
 */
export function publishContainer(parts: InstagramParts, call: GraphCall): { id: string } {
  const { state, settings, clock } = parts;
  state.publishCalls += 1;
  const container = state.containers.get(requireParam(call, 'creation_id'));
  if (container) container.publishCalls = (container.publishCalls ?? 0) + 1;
  const isExpired = container !== undefined && clock.now() - container.createdAt >= CONTAINER_LIFE_MS;
  if (!container || container.forgotten || isExpired || container.accountId !== parts.account.id) throw refusal(call, 'container_missing');
  const status = statusOf(container, clock.now());
  if (status !== 'FINISHED' || call.behaviours.has('publish_lags')) throw refusal(call, 'not_ready');
  if (container.carouselItem)
    throw refusal(call, 'bad_param', { what: 'Param creation_id is a carousel item and cannot be published by itself.' });
  if (quotaUsed(parts) >= settings.publishQuota) throw refusal(call, 'publish_quota');
  const late = [...call.behaviours].map((name) => /^publish_late_(\d+)$/.exec(name)?.[1]).find((seconds) => seconds !== undefined);
  if (late !== undefined) {
    container.publishAt ??= clock.now() + Number(late) * 1000;
    state.save();
    throw refusal(call, 'unavailable');
  }
  const item = publish(parts, container, clock.now());
  if (call.behaviours.has('container_forgotten')) container.forgotten = true;
  if (call.behaviours.has('token_dies')) parts.tokens.revoke(call.token.value);
  state.save();
  return { id: item.id };
}

/** Executes accepted publish calls whose time has come. */
export function publishLate(parts: InstagramParts): void {
  const { state, clock } = parts;
  for (const container of state.containers.values()) {
    if (container.publishAt === undefined || container.publishAt > clock.now()) continue;
    if (container.publishedMediaId === null) publish(parts, container, container.publishAt);
    delete container.publishAt;
    state.published.sort((one, other) => other.publishedAt - one.publishedAt);
    state.save();
  }
}

/** Emoji with and without the variation selector look alike; the platform may store either. */
const EMOJI_VARIANT = /(\p{Extended_Pictographic})(\uFE0F?)/gu;

function stored(caption: string | null, change: string): string | null {
  if (caption === null || caption === '') return null;
  if (change === 'spaces') return `${caption} \n`;
  if (change === 'emoji')
    return caption.replace(EMOJI_VARIANT, (_whole, emoji: string, selector: string) => emoji + (selector ? '' : '\uFE0F'));
  return caption;
}

function publish({ state, settings, library }: InstagramParts, container: Container, at: number): PublishedItem {
  const sources = container.kind === 'CAROUSEL' ? container.children.map((id) => state.containers.get(id)) : [container];
  const files = sources.flatMap((source) => (source?.file ? [source.file] : []));
  const item: PublishedItem = {
    id: newGraphId(),
    accountId: container.accountId,
    containerId: container.id,
    kind: container.kind,
    caption: stored(container.caption, settings.captionChange),
    shortcode: newShortcode(),
    publishedAt: at,
    shareToFeed: container.shareToFeed,
    copyrightMatch: container.copyrightMatch,
    options: container.options,
    comments: [],
    files: files.map(({ sha256, bytes, path, facts }) => ({
      sha256,
      bytes,
      path,
      contentType: facts.kind === 'image' ? 'image/jpeg' : 'video/mp4',
    })),
    cover: container.cover ? { sha256: container.cover.sha256, bytes: container.cover.bytes } : null,
  };
  container.publishedMediaId = item.id;
  state.published.unshift(item);
  serveFiles(library, item);
  return item;
}

/** Makes the published files available on the CDN. */
export function serveFiles(library: InstagramParts['library'], item: PublishedItem): void {
  for (const { sha256, path, contentType } of item.files) library.add('file', fileName(sha256, contentType), { path, contentType });
}

export function fileName(sha256: string, contentType: string): string {
  return `${sha256.slice(0, 32)}.${contentType === 'image/jpeg' ? 'jpg' : 'mp4'}`;
}
