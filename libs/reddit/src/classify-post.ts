import type { PostType } from '@autoposter/contracts';
import { oneLine, type SourceMedia, type SourcePost } from '@autoposter/domain';
import { guessAudioUrl, manifestBeside } from './dash';
import { decodeEntities, rawPostSchema, type RawGalleryMedia, type RawPost, type RawPostWithOrigin, type RawVideo } from './raw-post';

/** Why a post was removed, by Reddit's category. */
const REMOVED: Readonly<Record<string, string>> = {
  removed: 'This post was removed.',
  deleted: 'Its author deleted this post.',
  author: 'Its author deleted this post.',
  moderator: 'A moderator removed this post.',
  automod_filtered: "The subreddit's filter holds this post back.",
  reddit: 'Reddit removed this post as spam.',
  content_takedown: 'Reddit took this post down for breaking its rules.',
  copyright_takedown: 'This post was taken down after a copyright claim.',
  anti_evil_ops: "Reddit's safety team removed this post.",
  community_ops: "Reddit's safety team removed this post.",
  legal_operations: 'Reddit took this post down for legal reasons.',
  legal: 'Reddit took this post down for legal reasons.',
};

export interface ClassifiedPost {
  post: SourcePost;
  /** Reddit's category of the removal, `null` for a live post. `copyright_takedown` must never be processed. */
  removedBy: string | null;
  /** Reddit has the video or the pictures but has not processed them yet: worth a retry. */
  pending: boolean;
}

/**
 * Turns one post of Reddit's answer into a `SourcePost`. A crosspost keeps its own id, address, title and score; media and author are
 * those of the original, and it counts as removed, NSFW or spoiler when either of the two is. Returns `null` for anything but a post.
 */
export function classifyPost(data: unknown): ClassifiedPost | null {
  const parsed = rawPostSchema.safeParse(data);
  if (!parsed.success) return null;
  const post = parsed.data;
  const origin: RawPost = post.crosspost_parent_list?.at(-1) ?? post;
  const removedBy = removalOf(post) ?? removalOf(origin);
  const orphan = post.crosspost_parent != null && origin === post;
  const media = mediaOfPost(origin);
  const pending = removedBy === null && !orphan && media.pending === true;
  return { post: { ...assemble(post, origin, media, removedBy, orphan), pending }, removedBy, pending };
}

function assemble(post: RawPostWithOrigin, origin: RawPost, found: PostMedia, removedBy: string | null, orphan: boolean): SourcePost {
  // A crosspost outlives its deleted original, but the right to use the media does not.
  const gone = orphan ? 'The original of this crosspost is gone.' : null;
  const removed = removedBy === null ? null : (REMOVED[removedBy] ?? `Reddit removed this post (${removedBy}).`);
  const reason = removed ?? gone ?? found.reason;
  const subreddit = post.subreddit ?? null;
  const sharedBy = origin === post ? null : authorOf(post);
  return {
    platform: 'reddit',
    sourceId: post.id.toLowerCase(),
    originId: (post.crosspost_parent?.replace(/^t3_/, '') ?? post.id).toLowerCase(),
    ...(origin !== post && origin.subreddit ? { originSubreddit: origin.subreddit } : {}),
    ...(sharedBy === null ? {} : { sharedBy }),
    permalink: permalinkOf(post),
    title: oneLine(decodeEntities(post.title ?? '')),
    author: authorOf(origin),
    subreddit,
    postType: found.postType,
    media: reason === null ? found.media : [],
    unfetchable: reason,
    nsfw: post.over_18 === true || origin.over_18 === true,
    spoiler: post.spoiler === true || origin.spoiler === true,
    stickied: post.stickied === true,
    removed: removedBy !== null,
    score: post.score ?? 0,
    upvoteRatio: post.upvote_ratio ?? null,
    likes: null,
    createdAt: new Date((post.created_utc ?? 0) * 1000).toISOString(),
  };
}

/** Where Reddit names no category, the text of the post is one of these. */
const BY_TEXT: Readonly<Record<string, string>> = { '[removed]': 'removed', '[deleted]': 'deleted' };

const removalOf = (post: RawPost): string | null =>
  post.removed_by_category ?? (post.removal_reason === 'legal' ? 'legal' : (BY_TEXT[post.selftext ?? ''] ?? null));

const authorOf = (post: RawPost): string | null => (post.author && post.author !== '[deleted]' ? post.author : null);

/** `permalink` is relative; anything else is replaced by the short form, so that no external address is stored. */
function permalinkOf(post: RawPost): string {
  const path = post.permalink?.startsWith('/') && !post.permalink.startsWith('//') ? post.permalink : `/comments/${post.id}/`;
  return `https://www.reddit.com${path}`;
}

/** What a post contains. `reason` says why nothing can be fetched; `pending` that Reddit has not finished it yet. */
interface PostMedia {
  postType: PostType;
  media: SourceMedia[];
  reason: string | null;
  pending?: boolean;
}

const nothing = (postType: PostType, reason: string): PostMedia => ({ postType, media: [], reason });
const found = (postType: PostType, ...media: SourceMedia[]): PostMedia => ({ postType, media, reason: null });

/**
 * Finds the media of a post in the post's own fields, most reliable field first: gallery data, hosted video, Reddit's own transcode of an
 * external clip, animated picture, picture, external host, text. The address never decides what a post is: links to Reddit's hosts are
 * also posted as plain links.
 */
function mediaOfPost(post: RawPost): PostMedia {
  if (post.gallery_data || (post.is_gallery && !post.is_video)) return gallery(post);
  const hosted = post.secure_media?.reddit_video ?? post.media?.reddit_video;
  if (hosted || post.is_video) return hostedVideo(hosted, post.url);
  const transcode = post.preview?.reddit_video_preview;
  const transcoded = transcode && video(transcode);
  if (transcoded) return found('video', silent(transcoded));
  if (post.poll_data) return nothing('other', 'A poll has no media.');
  if (post.is_self || post.domain?.startsWith('self.')) return nothing('text', 'A text post has no media.');
  const picture = pictureOf(post);
  if (picture) return picture;
  if (post.domain === '' || post.url?.startsWith('/')) return nothing('text', 'A text post has no media.');
  // only very new posts have no hint
  if (post.domain === 'v.redd.it' && !post.post_hint) return hostedVideo(null, post.url);
  if (post.domain === 'v.redd.it') return nothing('video', 'This only links to a video of another post.');
  if (post.domain) return nothing('link', `${externalName(post)} hosts this, and Reddit offers no file of it.`);
  return nothing('other', 'Reddit does not say what this post holds.');
}

function gallery(post: RawPost): PostMedia {
  const items = post.gallery_data?.items ?? [];
  const media = items
    .filter((item) => !item.is_deleted)
    .map((item) => galleryItem(item.media_id, post.media_metadata?.[item.media_id]))
    .filter((item) => item !== null);
  if (media.length > 0) return found('gallery', ...media);
  const isUnprocessed = items.some((item) => !item.is_deleted && post.media_metadata?.[item.media_id]?.status === 'unprocessed');
  if (isUnprocessed) return { ...nothing('gallery', 'Reddit is still processing the pictures of this gallery.'), pending: true };
  return nothing('gallery', 'The pictures of this gallery are gone.');
}

const EXTENSION: Readonly<Record<string, string>> = { 'image/jpg': 'jpg', 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

function galleryItem(mediaId: string, raw: RawGalleryMedia | null | undefined): SourceMedia | null {
  if (!raw || raw.status !== 'valid') return null;
  if (raw.e === 'RedditVideo' && raw.dashUrl) {
    // Reddit names only the manifest here; the downloader reads the file's name from it.
    const manifestUrl = decodeEntities(raw.dashUrl);
    return { ...still(manifestUrl, raw.x, raw.y), kind: 'video', manifestUrl };
  }
  if (raw.e === 'AnimatedImage' && raw.s?.mp4) return { ...still(decodeEntities(raw.s.mp4), raw.s.x, raw.s.y), kind: 'video' };
  const url = raw.s?.u ?? raw.s?.gif;
  if (!url) return null;
  return still(original(decodeEntities(url), mediaId, raw.m), raw.s?.x, raw.s?.y);
}

/** The uploaded file is at i.redd.it, unsigned, under the same name as the signed rendition. */
function original(renditionUrl: string, mediaId: string, mime: string | null | undefined): string {
  const extension = EXTENSION[mime ?? ''];
  const isRendition = renditionUrl.startsWith('https://preview.redd.it/');
  return isRendition && extension ? `https://i.redd.it/${mediaId}.${extension}` : renditionUrl;
}

/** Without media, or with any other status than this one, Reddit is still processing. Old posts name no status. */
const COMPLETED = 'completed';

function hostedVideo(raw: RawVideo | null | undefined, postUrl: string | null | undefined): PostMedia {
  const ready = raw && (raw.transcoding_status ?? COMPLETED) === COMPLETED ? video(raw, postUrl) : null;
  if (!raw || ready === null) return { ...nothing('video', 'Reddit is still processing this video.'), pending: true };
  return found('video', raw.is_gif || raw.has_audio === false ? silent(ready) : ready);
}

/**
 * Where no file is named, the address is that of the manifest, which names the files; the manifest of a completed video is at a fixed place.
 * `null` where Reddit names neither.
 */
function video(raw: RawVideo, postUrl?: string | null): SourceMedia | null {
  const file = raw.fallback_url ? decodeEntities(raw.fallback_url) : null;
  const hosted = raw.transcoding_status === COMPLETED ? /^https:\/\/v\.redd\.it\/[a-z0-9]+(?=\/?$)/iu.exec(postUrl ?? '')?.[0] : undefined;
  const manifestUrl = raw.dash_url ? decodeEntities(raw.dash_url) : manifestBeside(file ?? (hosted === undefined ? '' : `${hosted}/`));
  const url = file ?? manifestUrl;
  if (url === null) return null;
  return {
    kind: 'video',
    url,
    audioUrl: file === null ? null : guessAudioUrl(file),
    manifestUrl,
    width: raw.width ?? null,
    height: raw.height ?? null,
    // Whole seconds, rounded down; old posts have 0 for any length.
    durationSeconds: raw.duration ? raw.duration : null,
    ...(raw.has_audio === true && raw.is_gif !== true ? { hasSound: true } : {}),
  };
}

/** Reddit's own hosts of pictures. The second one serves signed addresses of posts from before 2017. */
const PICTURE_HOSTS: readonly (string | null | undefined)[] = ['i.redd.it', 'i.reddituploads.com'];

const silent = (media: SourceMedia): SourceMedia => ({ ...media, audioUrl: null });

function pictureOf(post: RawPost): PostMedia | null {
  const image = post.preview?.images?.[0];
  const url = post.url_overridden_by_dest ?? post.url;
  const mp4 = image?.variants?.mp4?.source;
  const isOfReddit = PICTURE_HOSTS.includes(post.domain);
  const declared = post.post_hint === 'image' || isOfReddit;
  if (mp4?.url && (declared || post.domain?.endsWith('imgur.com'))) {
    return found('video', { ...still(decodeEntities(mp4.url), mp4.width, mp4.height), kind: 'video' });
  }
  if (post.domain === 'i.imgur.com' && url && /\.gifv(?:$|\?)/i.test(url)) {
    return found('video', { ...still(decodeEntities(url).replace(/\.gifv/i, '.mp4'), null, null), kind: 'video' });
  }
  if (!declared || !url) return null;
  // A picture on an external host has a signed copy at Reddit, which needs no request to that host.
  const isExternal = !isOfReddit && post.is_reddit_media_domain !== true;
  const source = isExternal && image?.source?.url ? image.source.url : url;
  return found('image', still(decodeEntities(source), image?.source?.width, image?.source?.height));
}

function still(url: string, width: number | null | undefined, height: number | null | undefined): SourceMedia {
  return { kind: 'image', url, audioUrl: null, manifestUrl: null, width: width ?? null, height: height ?? null, durationSeconds: null };
}

const externalName = (post: RawPost): string =>
  post.secure_media?.oembed?.provider_name ?? post.media?.oembed?.provider_name ?? post.domain ?? '';
