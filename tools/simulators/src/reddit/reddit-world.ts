import type { MediaLibrary } from '../media/media-library';
import type { PictureRecipe, VideoRecipe } from '../media/recipe';
import type { SimulatedClock } from '../server/clock';
import { stableId36, stableId64 } from '../server/stable-random';
import {
  communitySchema,
  postSeedSchema,
  type Community,
  type CommunitySeed,
  type ImageContent,
  type PostFacts,
  type PostSeed,
  type VideoContent,
} from './post-seed';

export interface SimPost extends PostFacts {
  id: string;
  community: Community;
  createdAtSeconds: number;
  /** Ids under which the media hosts keep the files, in order. */
  mediaIds: string[];
  /** `null` also when the origin of a crosspost is gone. */
  origin: SimPost | null;
}

/** Communities and posts. Ids come from the keys, so that they are the same in every run; ages count from the moment of adding. */
export class RedditWorld {
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

  /** The post that uses a file of v.redd.it. */
  postOfVideo(mediaId: string): SimPost | null {
    return this.all().find((post) => post.mediaIds.includes(mediaId)) ?? null;
  }

  /** All posts, newest first, the removed ones included. */
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

  /** Takes a post away as a moderator, its author or Reddit does. Its files stay only for the moderator's case. */
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

  private register(key: string, { content }: PostFacts): string[] {
    switch (content.type) {
      case 'video':
        return [this.registerVideo(key, content)];
      case 'image':
        return [this.registerImage(key, content, `.${content.format}`)];
      case 'gallery':
        return content.items.map((item, index) =>
          item.type === 'failed' ? stableId36(`${key} ${index}`, 13) : this.registerGalleryItem(`${key} ${index}`, item),
        );
      case 'external':
        return this.registerExternal(key, content.host, content.missing);
      default:
        return [];
    }
  }

  private registerVideo(key: string, content: VideoContent): string {
    const id = stableId36(`video ${key}`, 13);
    const { scene, width, height, fps, seconds, damage } = content;
    const recipe: VideoRecipe = {
      scene,
      seed: key,
      width,
      height,
      fps,
      seconds,
      sound: content.sound && !content.gif,
      ...(damage ? { damage } : {}),
    };
    if (!content.processing) this.library.addVideo(id, { recipe, generation: content.generation });
    return id;
  }

  private registerImage(key: string, content: ImageContent, extension: string): string {
    const name = `${stableId36(`image ${key}`, 13)}${extension}`;
    if (!content.missing) this.library.addPicture(name, pictureOf(key, content));
    return name;
  }

  /** Galleries keep an id without extension; the file is found with the extension of the item's type. */
  private registerGalleryItem(key: string, content: ImageContent): string {
    const id = stableId36(`item ${key}`, 13);
    if (!content.missing) this.library.addPicture(`${id}.${content.format === 'jpeg' ? 'jpg' : content.format}`, pictureOf(key, content));
    return id;
  }

  private registerExternal(key: string, host: string, missing: boolean): string[] {
    const id = stableId36(`external ${key}`, 7);
    if (host !== 'i.imgur.com') return [id];
    if (!missing) this.library.addPicture(`${id}.gif`, { scene: 'rosette', seed: key, width: 320, height: 320, format: 'gif' });
    const recipe: VideoRecipe = { scene: 'rosette', seed: key, width: 480, height: 480, fps: 24, seconds: 5, sound: false };
    this.library.addVideo(stableId36(`video ${key}`, 13), { recipe, generation: '2020' });
    return [`${id}.gifv`, stableId36(`video ${key}`, 13)];
  }
}

function pictureOf(seed: string, { scene, width, height, format }: ImageContent): PictureRecipe {
  return { scene, seed, width, height, format };
}
