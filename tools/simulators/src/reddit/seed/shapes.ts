import type { SceneName } from '../../media/scenes';
import type { PostSeed } from '../reddit-content';

type Content = PostSeed['content'];
type VideoSeed = Extract<Content, { type: 'video' }>;
type ImageSeed = Extract<Content, { type: 'image' }>;

/** Shorthand for the seed tables: a clip of the usual sizes. */
export function portrait(scene: SceneName, seconds = 6, more: Partial<VideoSeed> = {}): VideoSeed {
  return { type: 'video', scene, width: 720, height: 1280, seconds, ...more };
}

export function landscape(scene: SceneName, seconds = 6, more: Partial<VideoSeed> = {}): VideoSeed {
  return { type: 'video', scene, width: 1280, height: 720, seconds, ...more };
}

export function square(scene: SceneName, seconds = 6, more: Partial<VideoSeed> = {}): VideoSeed {
  return { type: 'video', scene, width: 720, height: 720, seconds, ...more };
}

export function image(scene: SceneName, width = 1080, height = 1350, more: Partial<ImageSeed> = {}): ImageSeed {
  return { type: 'image', scene, width, height, ...more };
}

export function gallery(...scenes: SceneName[]): Content {
  return { type: 'gallery', items: scenes.map((scene) => image(scene, 1080, 1080)) };
}

export function words(body: string): Content {
  return { type: 'text', body };
}
