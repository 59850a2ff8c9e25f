import type { PostType } from '@autoposter/contracts';
import type { SourceMedia } from '@autoposter/domain';
import { guessAudioUrl, manifestBeside } from './dash';
import { decodeEntities } from './decode-entities';
import type { RawGalleryMedia, RawPost, RawVideo } from './raw-post';

/** What a post carries. `reason` says why nothing can be fetched; `pending` that Reddit has not finished it yet. */
export interface PostMedia {
  postType: PostType;
  media: SourceMedia[];
  reason: string | null;
  pending?: boolean;
}

const nothing = (postType: PostType, reason: string): PostMedia => ({ postType, media: [], reason });
const found = (postType: PostType, ...media: SourceMedia[]): PostMedia => ({ postType, media, reason: null });

/**
 * Finds the media of a post from the post's own fields, in the order in which the fields are reliable: gallery data, hosted video,
 * Reddit's own transcode of an outside clip, animated picture, picture, outside host, text. The address is never looked at to tell
 * what a post is: links to Reddit's hosts are also posted as plain links.
 */
export function mediaOfPost(post: RawPost): PostMedia {
  if (post.gallery_data || (post.is_gallery && !post.is_video)) return gallery(post);
  const hosted = post.secure_media?.reddit_video ?? post.media?.reddit_video;
  if (hosted || post.is_video) return hostedVideo(hosted);
  const transcode = post.preview?.reddit_video_preview;
  if (transcode?.fallback_url) return found('video', silent(video(transcode)));
  if (post.poll_data) return nothing('other', 'A poll has no media.');
  if (post.is_self || post.domain?.startsWith('self.')) return nothing('text', 'A text post has no media.');
  const picture = pictureOf(post);
  if (picture) return picture;
  if (post.domain === '' || post.url?.startsWith('/')) return nothing('text', 'A text post has no media.');
  if (post.domain === 'v.redd.it') return nothing('video', 'This only links to a video of another post.');
  if (post.domain) return nothing('link', `${outsideName(post)} hosts this, and Reddit offers no file of it.`);
  return nothing('other', 'Reddit does not say what this post holds.');
}

function gallery(post: RawPost): PostMedia {
  const items = post.gallery_data?.items ?? [];
  const media = items
    .filter((item) => !item.is_deleted)
    .map((item) => galleryItem(item.media_id, post.media_metadata?.[item.media_id]))
    .filter((item) => item !== null);
  return media.length > 0 ? found('gallery', ...media) : nothing('gallery', 'The pictures of this gallery are gone.');
}

const EXTENSION: Readonly<Record<string, string>> = { 'image/jpg': 'jpg', 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

function galleryItem(mediaId: string, raw: RawGalleryMedia | null | undefined): SourceMedia | null {
  if (!raw || raw.status !== 'valid') return null;
  if (raw.e === 'RedditVideo' && raw.dashUrl) {
    // No file is named here, only the manifest; whoever downloads reads the file's name from it.
    const manifestUrl = decodeEntities(raw.dashUrl);
    return { ...still(manifestUrl, raw.x, raw.y), kind: 'video', manifestUrl };
  }
  if (raw.e === 'AnimatedImage' && raw.s?.mp4) return { ...still(decodeEntities(raw.s.mp4), raw.s.x, raw.s.y), kind: 'video' };
  const url = raw.s?.u ?? raw.s?.gif;
  if (!url) return null;
  return still(original(decodeEntities(url), mediaId, raw.m), raw.s?.x, raw.s?.y);
}

/** The file as it was uploaded lies unsigned at i.redd.it under the same name as the signed rendition. */
function original(renditionUrl: string, mediaId: string, mime: string | null | undefined): string {
  const extension = EXTENSION[mime ?? ''];
  const isRendition = renditionUrl.startsWith('https://preview.redd.it/');
  return isRendition && extension ? `https://i.redd.it/${mediaId}.${extension}` : renditionUrl;
}

function hostedVideo(raw: RawVideo | null | undefined): PostMedia {
  const ready = raw?.fallback_url && (raw.transcoding_status ?? 'completed') === 'completed';
  if (!ready) return { ...nothing('video', 'Reddit is still processing this video.'), pending: true };
  return found('video', raw.is_gif || raw.has_audio === false ? silent(video(raw)) : video(raw));
}

function video(raw: RawVideo): SourceMedia {
  const url = decodeEntities(raw.fallback_url ?? '');
  return {
    kind: 'video',
    url,
    audioUrl: guessAudioUrl(url),
    manifestUrl: raw.dash_url ? decodeEntities(raw.dash_url) : manifestBeside(url),
    width: raw.width ?? null,
    height: raw.height ?? null,
    // Whole seconds, rounded down; old posts say 0 for any length.
    durationSeconds: raw.duration ? raw.duration : null,
  };
}

const silent = (media: SourceMedia): SourceMedia => ({ ...media, audioUrl: null });

function pictureOf(post: RawPost): PostMedia | null {
  const image = post.preview?.images?.[0];
  const url = post.url_overridden_by_dest ?? post.url;
  const mp4 = image?.variants?.mp4?.source;
  const declared = post.post_hint === 'image' || post.domain === 'i.redd.it';
  if (mp4?.url && (declared || post.domain?.endsWith('imgur.com'))) {
    return found('video', { ...still(decodeEntities(mp4.url), mp4.width, mp4.height), kind: 'video' });
  }
  if (post.domain === 'i.imgur.com' && url && /\.gifv(?:$|\?)/i.test(url)) {
    return found('video', { ...still(decodeEntities(url).replace(/\.gifv/i, '.mp4'), null, null), kind: 'video' });
  }
  if (!declared || !url) return null;
  // A picture elsewhere has a signed copy at Reddit, which needs no request to a stranger's server.
  const elsewhere = post.domain !== 'i.redd.it' && post.is_reddit_media_domain !== true;
  const source = elsewhere && image?.source?.url ? image.source.url : url;
  return found('image', still(decodeEntities(source), image?.source?.width, image?.source?.height));
}

function still(url: string, width: number | null | undefined, height: number | null | undefined): SourceMedia {
  return { kind: 'image', url, audioUrl: null, manifestUrl: null, width: width ?? null, height: height ?? null, durationSeconds: null };
}

const outsideName = (post: RawPost): string =>
  post.secure_media?.oembed?.provider_name ?? post.media?.oembed?.provider_name ?? post.domain ?? '';
