import { stablePick } from '../server/stable-random';
import { PALETTES } from './palettes';
import { SCENES, type SceneName } from './scenes';

/** Taken out once: looking up a global for every point is slow where the code runs in a sandbox, as tests do. */
const { max, min } = Math;

/** Paints one picture as packed RGB, 8 bits each, rows from the top. The same arguments give the same bytes. */
export function paintPicture(scene: SceneName, seed: string, width: number, height: number): Buffer {
  const unit = min(width, height);
  const painting = SCENES[scene](seed, stablePick(`${seed} palette`, PALETTES), width / unit, height / unit);
  const pixels = Buffer.allocUnsafe(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [red, green, blue] = painting(column / unit, row / unit);
      pixels[at] = max(0, min(255, red * 255));
      pixels[at + 1] = max(0, min(255, green * 255));
      pixels[at + 2] = max(0, min(255, blue * 255));
      at += 3;
    }
  }
  return pixels;
}
