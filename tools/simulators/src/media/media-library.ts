import { stableId64 } from '../server/stable-random';
import type { NamingGeneration } from './dash';
import type { PictureRecipe, VideoRecipe } from './media-generator';

export interface StoredVideo {
  recipe: VideoRecipe;
  generation: NamingGeneration;
  /** What takes the place of the manifest. */
  manifest?: 'missing' | 'page' | 'cut' | undefined;
}

interface MediaKinds {
  video: StoredVideo;
  picture: PictureRecipe;
  /** An existing file. */
  file: { path: string; contentType: string };
  /** A video with sound in one file. */
  clip: VideoRecipe;
}

/** Files of the simulated media hosts by kind and name, with the recipe or path of each. */
export class MediaLibrary {
  private readonly entries = new Map<string, unknown>();

  add<Kind extends keyof MediaKinds>(kind: Kind, name: string, entry: MediaKinds[Kind]): void {
    this.entries.set(`${kind} ${name}`, entry);
  }

  find<Kind extends keyof MediaKinds>(kind: Kind, name: string): MediaKinds[Kind] | null {
    return (this.entries.get(`${kind} ${name}`) as MediaKinds[Kind] | undefined) ?? null;
  }

  /** Makes a name unavailable, as after the removal of its post. */
  remove(name: string): void {
    for (const kind of ['video', 'picture']) this.entries.delete(`${kind} ${name}`);
  }
}

/** Signature of a preview URL over name and query; the host responds with 403 to any other query. */
export function previewSignature(name: string, query: URLSearchParams): string {
  const signed = [...query].filter(([key]) => key !== 's').map(([key, value]) => `${key}=${value}`);
  return stableId64(`preview ${name} ${signed.join('&')}`, 40)
    .replaceAll(/[-_]/g, 'a')
    .toLowerCase();
}
