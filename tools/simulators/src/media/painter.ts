import { stablePick } from '../server/stable-random';
import { PALETTES } from './palettes';
import { SCENES, type SceneName } from './scenes';

/** Paints one picture as packed RGB, 8 bits each, rows from the top. The same arguments give the same bytes. */
export function paintPicture(scene: SceneName, seed: string, width: number, height: number): Buffer {
  const unit = Math.min(width, height);
  const painting = SCENES[scene](seed, stablePick(`${seed} palette`, PALETTES), width / unit, height / unit);
  const pixels = Buffer.allocUnsafe(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [red, green, blue] = painting(column / unit, row / unit);
      pixels[at] = Math.max(0, Math.min(255, red * 255));
      pixels[at + 1] = Math.max(0, Math.min(255, green * 255));
      pixels[at + 2] = Math.max(0, Math.min(255, blue * 255));
      at += 3;
    }
  }
  return pixels;
}
