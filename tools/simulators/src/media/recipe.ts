import type { SceneName } from './scenes';

export interface VideoRecipe {
  scene: SceneName;
  seed: string;
  width: number;
  height: number;
  fps: number;
  seconds: number;
  sound: boolean;
  /** `truncated`: the file ends in the middle; `garbage`: the name says video, the bytes do not. */
  damage?: 'truncated' | 'garbage';
}

export interface PictureRecipe {
  scene: SceneName;
  seed: string;
  width: number;
  height: number;
  format: PictureFormat;
}

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export const PICTURE_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};
