import type { Platform } from '@autoposter/contracts';
import type { SourcePost } from '../sourcing/content-source.port';
import { parseSourceUrl, type SourceAddress } from '../sourcing/url-kind';

type ClaimTargetKind = 'url' | 'author' | 'subreddit';

/** What a claim names besides the work itself. Posts with the same `key` are stopped before their download. */
export interface ClaimTarget {
  kind: ClaimTargetKind;
  key: string;
}

/** The part of a post that targets are compared with; an item has it before its source is read. */
export type TargetedPost = Pick<SourcePost, 'platform' | 'sourceId' | 'permalink' | 'author' | 'subreddit'> &
  Partial<Pick<SourcePost, 'originId' | 'originSubreddit' | 'sharedBy' | 'media'>>;

/** Tracking parameters, which do not identify the target of a link. */
const TRACKING = /^(?:utm_.*|fbclid|gclid|igsh|igshid|si|ref|ref_.*|share_id|rdt|context)$/i;
/** Host names of one site for different devices. */
const DEVICE_HOST = /^(?:www|m|mobile|amp)\./;

/** The path names the file; its query has a size or a signature. */
const MEDIA_FILE = /\.(?:jpe?g|png|gifv?|webp|avif|hei[cf]|mp4|m4v|mov|webm)$/i;

/** Longer addresses name nothing: patterns over them would take too long. */
const MAX_ADDRESS = 2048;

const postKey = (platform: Platform, sourceId: string): string => `${platform}:${sourceId}`;

/** The key of an address: the same for all forms of a link to one post or file. `null` for anything but an http(s) address. */
function addressKey(address: string): string | null {
  if (address.length > MAX_ADDRESS) return null;
  const known = parseSourceUrl(address);
  if (known !== null) return known.sourceId === null ? withoutScheme(known.canonicalUrl) : postKey(known.platform, known.sourceId);
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const { host, pathname, searchParams } = new URL(address);
  const query = [...searchParams].filter(([name]) => !TRACKING.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const path = withoutLastSlashes(pathname);
  const site = host.toLowerCase().replace(DEVICE_HOST, '');
  if (MEDIA_FILE.test(path)) return `${site}${path}`;
  return `${site}${path}${query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`}`;
}

const withoutScheme = (address: string): string => withoutLastSlashes(address.replace(/^https?:\/\/(?:www\.)?/i, ''));

/** Linear in the length: a pattern would begin again at each slash. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Signatures and sizes of a file are in its query: a claim on the file names it with or without them. */
const fileKeys = (address: string | null): string[] => {
  const key = address ? addressKey(address) : null;
  return key === null ? [] : [key, key.replace(/\?.*$/su, '')];
};

/**
 * The target of an address, an author (`u/name` or a name of Reddit, `@name` of Instagram, or the profile's address) or a subreddit as a
 * person writes them. `null` for what names nothing, for the page of a profile or a subreddit as an address (it would name every post on it),
 * and for a link to share, which only its platform can resolve.
 */
export function claimTarget(kind: ClaimTargetKind, written: string): ClaimTarget | null {
  const text = written.trim();
  const page = parseSourceUrl(text);
  const onPage = page?.kind === 'community' ? page : null;
  if (kind === 'url') {
    const key = page === null || leadsToWork(page) ? addressKey(text) : null;
    return key === null ? null : { kind, key };
  }
  const name = (prefix: RegExp): string => withoutLastSlashes(text.replace(prefix, ''));
  const community = onPage?.subreddit ?? null;
  const profile = community?.startsWith('u_') ? community.slice(2) : null;
  if (kind === 'subreddit') return subredditTarget(profile === null && community !== null ? community : name(/^\/?r\//i));
  if (onPage?.username) return authorTarget('instagram', onPage.username);
  if (text.startsWith('@')) return authorTarget('instagram', name(/^@/));
  return authorTarget('reddit', profile ?? name(/^\/?u(?:ser)?\//i));
}

/** Whether an address of Reddit or Instagram names one post or file. */
const leadsToWork = ({ kind, sourceId }: SourceAddress): boolean => sourceId !== null || kind === 'video' || kind === 'image';

/** A draft of a permission request, for a person to check and send. It asks for the fields of a permission record. */
export function draftPermissionRequest(grantor: string, { kind, key }: ClaimTarget, written: string): string {
  const name = key.slice(key.indexOf(':') + 1);
  const what = { url: `your post ${written}`, author: `posts of yours (${name})`, subreddit: `posts of r/${name}` }[kind];
  return `Hello ${grantor},

we would like to show ${what} on our Instagram account, with credit to you in the caption.

If you agree, please tell us
- that you made the work, or may permit its use,
- how you want to be named,
- until when we may show it, if not for good.

You can revoke your permission at any time; we then remove what we published. Without your answer we publish nothing.`;
}

const authorTarget = (platform: Platform, name: string): ClaimTarget | null =>
  /^[\w.-]{1,30}$/u.test(name) ? { kind: 'author', key: `${platform}:${name.toLowerCase()}` } : null;

const subredditTarget = (name: string): ClaimTarget | null =>
  /^[\w-]{2,24}$/u.test(name) ? { kind: 'subreddit', key: name.toLowerCase() } : null;

/** What identifies this post: its addresses, those of its files, the original of a crosspost, author and subreddits. */
export function targetsOf(post: TargetedPost): ClaimTarget[] {
  const files = (post.media ?? []).flatMap(({ url, audioUrl, manifestUrl }) => [url, audioUrl, manifestUrl]);
  const posts = [post.sourceId, ...(post.originId === undefined ? [] : [post.originId])];
  const urls = [...posts.map((id) => postKey(post.platform, id)), ...[post.permalink, ...files].flatMap(fileKeys)];
  const subreddits = [post.subreddit, post.originSubreddit].map((name) => (name ? subredditTarget(name) : null));
  const named = [post.author ? authorTarget(post.platform, post.author) : null, ...subreddits];
  return [...new Set(urls)].map((key): ClaimTarget => ({ kind: 'url', key })).concat(named.flatMap((target) => target ?? []));
}

/** Everything by which a claim can name this post; also who shares the post of another, which no permission and no exception follows from. */
export function claimableTargetsOf(post: TargetedPost): ClaimTarget[] {
  const sharer = post.sharedBy ? authorTarget(post.platform, post.sharedBy) : null;
  return sharer === null ? targetsOf(post) : [...targetsOf(post), sharer];
}

export const isAmong = (targets: readonly ClaimTarget[], { kind, key }: ClaimTarget): boolean =>
  targets.some((other) => kind === other.kind && key === other.key);

/** Whether a claim stops a post: it names the post, and allows none of the post's own targets. */
export function namesPost(post: TargetedPost): (claim: { target: ClaimTarget; allowed: readonly ClaimTarget[] }) => boolean {
  const [claimable, own] = [claimableTargetsOf(post), targetsOf(post)];
  return ({ target, allowed }) => isAmong(claimable, target) && !allowed.some((entry) => isAmong(own, entry));
}
