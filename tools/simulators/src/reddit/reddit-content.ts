import { z } from 'zod';
import type { VideoRecipe } from '../media/media-generator';
import type { MediaLibrary } from '../media/media-library';
import { type SceneName, SCENES } from '../media/scenes';
import type { SimulatedClock } from '../server/clock';
import { stableId36, stableId64 } from '../server/stable-random';

const scene = z.enum(Object.keys(SCENES) as [SceneName, ...SceneName[]]);

const video = z.strictObject({
  type: z.literal('video'),
  scene,
  width: z.int().min(2).max(1920),
  height: z.int().min(2).max(1920),
  seconds: z.number().positive().max(900),
  fps: z.int().min(1).max(60).default(30),
  sound: z.boolean().default(true),
  /** A GIF that Reddit converted to a video. */
  gif: z.boolean().default(false),
  generation: z.enum(['2017', '2019', '2020', '2023', '2025']).default('2025'),
  damage: z.enum(['truncated', 'garbage']).optional(),
  /** What takes the place of the manifest: nothing, a web page with status 200, or its first half. */
  manifest: z.enum(['missing', 'page', 'cut']).optional(),
  /** Not transcoded yet: the post has no media object. */
  processing: z.boolean().default(false),
});

const image = z.strictObject({
  type: z.literal('image'),
  scene,
  width: z.int().min(2).max(4096),
  height: z.int().min(2).max(4096),
  format: z.enum(['jpeg', 'png', 'webp', 'gif']).default('jpeg'),
  /** The file was removed from the host. */
  missing: z.boolean().default(false),
});

const gallery = z.strictObject({
  type: z.literal('gallery'),
  /** In display order; `failed` is an item that Reddit could not process, `unprocessed` one that it has not processed yet. */
  items: z.array(z.union([image, z.strictObject({ type: z.enum(['failed', 'unprocessed']) })])).max(20),
});

const external = z.strictObject({
  type: z.literal('external'),
  host: z.enum(['youtube.com', 'redgifs.com', 'i.imgur.com', 'example.org']),
  /** Reddit has a silent copy of the animation. */
  transcoded: z.boolean().default(false),
  missing: z.boolean().default(false),
});

const text = z.strictObject({ type: z.literal('text'), body: z.string().default(''), poll: z.boolean().default(false) });

/** `of` is the `key` of the original post; an unknown key simulates a deleted original. */
const crosspost = z.strictObject({ type: z.literal('crosspost'), of: z.string() });

export const postSeedSchema = z.strictObject({
  /** Determines the id of the post; defaults to the title. */
  key: z.string().optional(),
  title: z.string().min(1).max(300),
  /** `null`: the account was deleted. */
  author: z.string().nullable().default('quiet_otter'),
  content: z.discriminatedUnion('type', [video, image, gallery, external, text, crosspost]),
  score: z.int().min(0).default(100),
  ratio: z.number().min(0).max(1).default(0.96),
  ageHours: z.number().min(0).default(3),
  comments: z.int().min(0).max(400).default(6),
  nsfw: z.boolean().default(false),
  spoiler: z.boolean().default(false),
  stickied: z.boolean().default(false),
  /** Reason of the removal; removed posts are in no listing. */
  removedBy: z.string().nullable().default(null),
  flair: z.string().nullable().default(null),
});

export const communitySchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_]{1,20}$/),
  title: z.string().default(''),
  subscribers: z.int().min(0).default(120_000),
  nsfw: z.boolean().default(false),
  access: z.enum(['public', 'private', 'quarantined', 'gated', 'gold_only', 'banned']).default('public'),
});

export type PostSeed = z.input<typeof postSeedSchema>;
type PostFacts = z.output<typeof postSeedSchema>;
export type VideoContent = z.output<typeof video>;
export type ImageContent = z.output<typeof image>;
export type GalleryContent = z.output<typeof gallery>;
export type ExternalContent = z.output<typeof external>;
export type CommunitySeed = z.input<typeof communitySchema>;
export type Community = z.output<typeof communitySchema>;

export interface SimPost extends PostFacts {
  id: string;
  community: Community;
  createdAtSeconds: number;
  /** File names or ids on the media hosts, in order. */
  mediaIds: string[];
  /** The original of a crosspost; `null` also when the original was deleted. */
  origin: SimPost | null;
}

/** Communities and posts. Ids derive from keys, so that they are the same in every run; ages are relative to the time of insertion. */
export class RedditStore {
  private readonly communities = new Map<string, Community>();
  private readonly posts = new Map<string, SimPost>();
  private readonly shareLinks = new Map<string, string>();

  constructor(
    private readonly library: MediaLibrary,
    private readonly clock: SimulatedClock,
  ) {}

  addCommunity(seed: CommunitySeed): Community {
    const community = communitySchema.parse(seed);
    this.communities.set(community.name.toLowerCase(), community);
    return community;
  }

  addPost(communityName: string, seed: PostSeed): SimPost {
    const facts = postSeedSchema.parse(seed);
    const community = this.community(communityName) ?? this.addCommunity({ name: communityName });
    const key = `${community.name} ${facts.key ?? facts.title}`;
    const id = `1${stableId36(key, 6)}`;
    const origin = facts.content.type === 'crosspost' ? this.byKey(facts.content.of) : null;
    const post: SimPost = {
      ...facts,
      id,
      community,
      createdAtSeconds: Math.floor(this.clock.now() / 1000 - facts.ageHours * 3600),
      mediaIds: this.register(key, facts),
      origin,
    };
    this.posts.set(id, post);
    if (facts.removedBy !== null) this.removePost(id, facts.removedBy);
    this.shareLinks.set(stableId64(`share ${id}`, 10).replaceAll(/[-_]/g, 'x'), id);
    return post;
  }

  community(name: string): Community | null {
    return this.communities.get(name.toLowerCase()) ?? null;
  }

  post(id: string): SimPost | null {
    return this.posts.get(id) ?? null;
  }

  /** The post with this v.redd.it file. */
  postOfVideo(mediaId: string): SimPost | null {
    return this.all().find((post) => post.mediaIds.includes(mediaId)) ?? null;
  }

  /** All posts including removed ones, newest first. */
  all(): SimPost[] {
    return [...this.posts.values()].sort((a, b) => b.createdAtSeconds - a.createdAtSeconds || (a.id < b.id ? 1 : -1));
  }

  allCommunities(): Community[] {
    return [...this.communities.values()];
  }

  shareTarget(code: string): SimPost | null {
    const id = this.shareLinks.get(code);
    return id === undefined ? null : this.post(id);
  }

  shareCode(post: SimPost): string | null {
    return [...this.shareLinks].find(([, id]) => id === post.id)?.[0] ?? null;
  }

  /** Marks a post as removed. Its files stay available only after a removal by a moderator. */
  removePost(id: string, removedBy: string): boolean {
    const post = this.post(id);
    if (!post) return false;
    post.removedBy = removedBy;
    if (removedBy !== 'moderator') post.mediaIds.forEach((name) => this.library.remove(name));
    return true;
  }

  private byKey(key: string): SimPost | null {
    return this.all().find((post) => (post.key ?? post.title) === key) ?? null;
  }

  /** Registers the files of a post; returns their names or ids in order. */
  private register(key: string, { content }: PostFacts): string[] {
    switch (content.type) {
      case 'video':
        return [this.registerVideo(key, content)];
      case 'image':
        return [this.registerImage(`${stableId36(`image ${key}`, 13)}.${content.format}`, key, content)];
      case 'gallery':
        return content.items.map((item, index) => this.registerItem(`${key} ${index}`, item));
      case 'external':
        return this.registerExternal(key, content);
      default:
        return [];
    }
  }

  private registerVideo(key: string, content: VideoContent): string {
    const id = stableId36(`video ${key}`, 13);
    const { scene, width, height, fps, seconds, damage, generation, manifest } = content;
    const sound = content.sound && !content.gif;
    const recipe: VideoRecipe = { scene, seed: key, width, height, fps, seconds, sound, ...(damage ? { damage } : {}) };
    if (!content.processing) this.library.add('video', id, { recipe, generation, manifest });
    return id;
  }

  private registerImage(name: string, seed: string, { scene, width, height, format, missing }: ImageContent): string {
    if (!missing) this.library.add('picture', name, { scene, seed, width, height, format });
    return name;
  }

  /** Gallery items have an id without extension; the file name has the extension of the item's type. */
  private registerItem(key: string, item: GalleryContent['items'][number]): string {
    const id = stableId36(item.type === 'failed' ? key : `item ${key}`, 13);
    if (item.type === 'image') this.registerImage(`${id}.${item.format === 'jpeg' ? 'jpg' : item.format}`, key, item);
    return id;
  }

  private registerExternal(key: string, { host, missing }: ExternalContent): string[] {
    const id = stableId36(`external ${key}`, 7);
    if (host !== 'i.imgur.com') return [id];
    const copy = stableId36(`video ${key}`, 13);
    const picture = { scene: 'rosette', seed: key, width: 320, height: 320 } as const;
    if (!missing) this.library.add('picture', `${id}.gif`, { ...picture, format: 'gif' });
    const recipe: VideoRecipe = { ...picture, width: 480, height: 480, fps: 24, seconds: 5, sound: false };
    this.library.add('video', copy, { recipe, generation: '2020' });
    return [`${id}.gifv`, copy];
  }
}
