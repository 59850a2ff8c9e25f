import { stableId36 } from '../server/stable-random';
import { externalFields, galleryFields, imagePreview, redditVideo } from './media-json';
import type { SimPost } from './reddit-world';

type Fields = Record<string, unknown>;

/** `t3` as the API gives it. */
export function postThing(post: SimPost, mediaOrigin: string): { kind: 't3'; data: Fields } {
  return { kind: 't3', data: postData(post, mediaOrigin) };
}

export function permalinkOf(post: SimPost): string {
  const slug = post.title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 50);
  return `/r/${post.community.name}/comments/${post.id}/${slug}/`;
}

function postData(post: SimPost, mediaOrigin: string): Fields {
  const removed = post.removedBy !== null;
  const authorGone = post.author === null || post.removedBy === 'deleted';
  const permalink = permalinkOf(post);
  return {
    approved_at_utc: null,
    subreddit: post.community.name,
    selftext: '',
    ...(authorGone ? {} : { author_fullname: `t2_${stableId36(`author ${post.author}`, 8)}` }),
    saved: false,
    title: post.title,
    subreddit_name_prefixed: `r/${post.community.name}`,
    hidden: false,
    downs: 0,
    name: `t3_${post.id}`,
    quarantine: post.community.access === 'quarantined',
    link_flair_text: post.flair,
    link_flair_css_class: null,
    author_flair_text: null,
    upvote_ratio: post.ratio,
    subreddit_type: 'public',
    ups: post.score,
    score: post.score,
    total_awards_received: 0,
    all_awardings: [],
    gilded: 0,
    media_embed: {},
    secure_media_embed: {},
    is_original_content: false,
    is_reddit_media_domain: false,
    is_meta: false,
    category: null,
    content_categories: null,
    edited: false,
    created: post.createdAtSeconds,
    created_utc: post.createdAtSeconds,
    wls: post.nsfw ? 3 : 6,
    pwls: 6,
    removed_by_category: post.removedBy,
    removed_by: null,
    banned_by: null,
    removal_reason: post.removedBy === 'legal_operations' ? 'legal' : null,
    mod_note: null,
    mod_reason_title: null,
    selftext_html: null,
    likes: null,
    view_count: null,
    suggested_sort: null,
    archived: false,
    no_follow: false,
    is_crosspostable: !removed,
    pinned: false,
    over_18: post.nsfw || post.community.nsfw,
    spoiler: post.spoiler,
    locked: false,
    stickied: post.stickied,
    hide_score: false,
    contest_mode: false,
    distinguished: post.stickied ? 'moderator' : null,
    subreddit_id: `t5_${stableId36(`subreddit ${post.community.name}`, 5)}`,
    id: post.id,
    is_robot_indexable: !removed,
    author: authorGone ? '[deleted]' : post.author,
    num_comments: post.comments,
    num_crossposts: 0,
    permalink,
    subreddit_subscribers: post.community.subscribers,
    thumbnail: post.nsfw ? 'nsfw' : post.spoiler ? 'spoiler' : post.content.type === 'text' ? 'self' : 'default',
    thumbnail_width: null,
    thumbnail_height: null,
    media: null,
    secure_media: null,
    is_video: false,
    is_self: false,
    ...contentFields(post, permalink, mediaOrigin),
  };
}

function contentFields(post: SimPost, permalink: string, mediaOrigin: string): Fields {
  const { content } = post;
  const name = post.mediaIds[0] ?? '';
  switch (content.type) {
    case 'video':
      return videoFields(post, `${mediaOrigin}/v.redd.it/${name}`, mediaOrigin);
    case 'image': {
      const url = `${mediaOrigin}/i.redd.it/${name}`;
      const preview = { post_hint: 'image', preview: imagePreview(post, name, content, mediaOrigin) };
      return { domain: 'i.redd.it', is_reddit_media_domain: true, url, url_overridden_by_dest: url, ...preview };
    }
    case 'gallery': {
      const url = `https://www.reddit.com/gallery/${post.id}`;
      return { domain: 'reddit.com', url, url_overridden_by_dest: url, ...galleryFields(post, content, mediaOrigin) };
    }
    case 'external':
      return externalFields(post, content, mediaOrigin);
    case 'text': {
      const body = post.removedBy === null ? content.body : post.removedBy === 'deleted' ? '[deleted]' : '[removed]';
      const poll = content.poll
        ? {
            poll_data: {
              options: [
                { id: '1', text: 'Yes' },
                { id: '2', text: 'No' },
              ],
              total_vote_count: 41,
            },
          }
        : {};
      const own = { domain: `self.${post.community.name}`, is_self: true, url: `https://www.reddit.com${permalink}` };
      return { ...own, selftext: body, selftext_html: body === '' ? null : `<div class="md"><p>${body}</p></div>`, ...poll };
    }
    case 'crosspost':
      return crosspostFields(post, mediaOrigin);
  }
}

function videoFields(post: SimPost, url: string, mediaOrigin: string): Fields {
  const { content } = post;
  if (content.type !== 'video') return {};
  const base = { domain: 'v.redd.it', is_reddit_media_domain: true, is_video: true, url, url_overridden_by_dest: url };
  if (content.processing) return base;
  const media = { reddit_video: redditVideo(post, post.mediaIds[0] ?? '', content, mediaOrigin) };
  return { ...base, post_hint: 'hosted:video', media, secure_media: media, preview: { enabled: false, images: [] } };
}

/** The outer post carries no media of its own; the origin comes whole, or not at all when it is gone. */
function crosspostFields(post: SimPost, mediaOrigin: string): Fields {
  const { origin } = post;
  if (!origin) {
    const url = `${mediaOrigin}/v.redd.it/${stableId36(`gone ${post.id}`, 13)}`;
    return {
      domain: 'v.redd.it',
      post_hint: 'link',
      url,
      url_overridden_by_dest: url,
      crosspost_parent: `t3_${stableId36(post.id, 7)}`,
      crosspost_parent_list: [],
    };
  }
  const parent = postData(origin, mediaOrigin);
  const crosspost = { crosspost_parent: `t3_${origin.id}`, crosspost_parent_list: [parent] };
  const { url } = parent;
  if (origin.content.type === 'text') {
    return { ...crosspost, domain: '', url: permalinkOf(origin), url_overridden_by_dest: permalinkOf(origin) };
  }
  const hint = origin.content.type === 'gallery' ? {} : { post_hint: origin.content.type === 'image' ? 'image' : 'link' };
  const preview = origin.content.type === 'image' ? { preview: parent.preview } : {};
  return { ...crosspost, ...hint, ...preview, domain: parent.domain, url, url_overridden_by_dest: url };
}
