import { stableId64 } from '../server/stable-random';
import type { NamingGeneration } from './dash';
import type { PictureRecipe, VideoRecipe } from './media-generator';

export interface StoredVideo {
  recipe: VideoRecipe;
  generation: NamingGeneration;
}

/** Files of the simulated media hosts by name, with the recipe or path of each. */
export class MediaLibrary {
  private readonly videos = new Map<string, StoredVideo>();
  private readonly pictures = new Map<string, PictureRecipe>();
  private readonly files = new Map<string, { path: string; contentType: string }>();
  private readonly clips = new Map<string, VideoRecipe>();
  private readonly gone = new Set<string>();

  addVideo(id: string, video: StoredVideo): void {
    this.videos.set(id, video);
  }

  addPicture(name: string, recipe: PictureRecipe): void {
    this.pictures.set(name, recipe);
  }

  /** Registers an existing file. */
  addFile(name: string, path: string, contentType: string): void {
    this.files.set(name, { path, contentType });
  }

  /** Registers a video with sound in one file. */
  addClip(name: string, recipe: VideoRecipe): void {
    this.clips.set(name, recipe);
  }

  clip(name: string): VideoRecipe | null {
    return this.clips.get(name) ?? null;
  }

  /** Makes a name unavailable, as after the removal of its post. */
  remove(name: string): void {
    this.gone.add(name);
  }

  video(id: string): StoredVideo | null {
    return this.gone.has(id) ? null : (this.videos.get(id) ?? null);
  }

  picture(name: string): PictureRecipe | null {
    return this.gone.has(name) ? null : (this.pictures.get(name) ?? null);
  }

  file(name: string): { path: string; contentType: string } | null {
    return this.files.get(name) ?? null;
  }
}

/** Signature of a preview URL over name and query; the host responds with 403 to any other query. */
export function previewSignature(name: string, query: URLSearchParams): string {
  const signed = [...query].filter(([key]) => key !== 's').map(([key, value]) => `${key}=${value}`);
  return stableId64(`preview ${name} ${signed.join('&')}`, 40)
    .replaceAll(/[-_]/g, 'a')
    .toLowerCase();
}
