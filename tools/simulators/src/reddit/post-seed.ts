import { z } from 'zod';
import { SCENES, type SceneName } from '../media/scenes';

const scene = z.enum(Object.keys(SCENES) as [SceneName, ...SceneName[]]);

const video = z.strictObject({
  type: z.literal('video'),
  scene,
  width: z.int().min(2).max(1920),
  height: z.int().min(2).max(1920),
  seconds: z.number().positive().max(900),
  fps: z.int().min(1).max(60).default(30),
  sound: z.boolean().default(true),
  /** A looping clip that came in as GIF. */
  gif: z.boolean().default(false),
  generation: z.enum(['2017', '2019', '2020', '2023', '2025']).default('2025'),
  damage: z.enum(['truncated', 'garbage']).optional(),
  /** Not transcoded yet: the post has no media object. */
  processing: z.boolean().default(false),
});

const image = z.strictObject({
  type: z.literal('image'),
  scene,
  width: z.int().min(2).max(4096),
  height: z.int().min(2).max(4096),
  format: z.enum(['jpeg', 'png', 'webp', 'gif']).default('jpeg'),
  /** The host no longer has the file. */
  missing: z.boolean().default(false),
});

const gallery = z.strictObject({
  type: z.literal('gallery'),
  /** In the order shown; `failed` is an item that Reddit could not process. */
  items: z.array(z.union([image, z.strictObject({ type: z.literal('failed') })])).max(20),
});

const external = z.strictObject({
  type: z.literal('external'),
  host: z.enum(['youtube.com', 'redgifs.com', 'i.imgur.com', 'example.org']),
  /** Reddit made a silent copy of the animation. */
  transcoded: z.boolean().default(false),
  missing: z.boolean().default(false),
});

const text = z.strictObject({ type: z.literal('text'), body: z.string().default(''), poll: z.boolean().default(false) });

/** `of` names the `key` of the origin; an unknown key is an origin that is gone. */
const crosspost = z.strictObject({ type: z.literal('crosspost'), of: z.string() });

export const postSeedSchema = z.strictObject({
  /** Gives the post a stable id; the title when absent. */
  key: z.string().optional(),
  title: z.string().min(1).max(300),
  /** `null` = account deleted. */
  author: z.string().nullable().default('quiet_otter'),
  content: z.discriminatedUnion('type', [video, image, gallery, external, text, crosspost]),
  score: z.int().min(0).default(100),
  ratio: z.number().min(0).max(1).default(0.96),
  ageHours: z.number().min(0).default(3),
  comments: z.int().min(0).max(400).default(6),
  nsfw: z.boolean().default(false),
  spoiler: z.boolean().default(false),
  stickied: z.boolean().default(false),
  /** Why the post is no longer public; such a post is in no listing. */
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
export type PostFacts = z.output<typeof postSeedSchema>;
export type VideoContent = z.output<typeof video>;
export type ImageContent = z.output<typeof image>;
export type GalleryContent = z.output<typeof gallery>;
export type ExternalContent = z.output<typeof external>;
export type CommunitySeed = z.input<typeof communitySchema>;
export type Community = z.output<typeof communitySchema>;
