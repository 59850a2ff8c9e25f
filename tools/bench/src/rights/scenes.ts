import fs from 'node:fs';

/** Deterministic numbers in [0, 1) (mulberry32). */
export function generator(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Canvas {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Sizes of the noise of a scene; each has half the strength of the one before, as the spectrum of photographs falls with frequency. */
const OCTAVES = [3, 6, 12, 24, 48, 96];
const SHAPES = 14;

/** A picture with the statistics of a photograph: noise at all scales, and objects with edges before it. */
export function paintScene(seed: number, width = 400, height = 300): Canvas {
  const random = generator(seed + 1);
  const levels = new Float32Array(width * height * 3).fill(110);
  OCTAVES.forEach((cells, octave) => {
    const grid = Float32Array.from({ length: (cells + 2) * (cells + 2) * 3 }, () => (random() - 0.5) * (170 / 1.6 ** octave));
    const at = (x: number, y: number, channel: number): number => grid[(y * (cells + 2) + x) * 3 + channel] as number;
    for (let row = 0, to = 0; row < height; row += 1) {
      const v = (row / height) * cells;
      const [y, fy] = [Math.floor(v), v % 1];
      for (let column = 0; column < width; column += 1) {
        const u = (column / width) * cells;
        const [x, fx] = [Math.floor(u), u % 1];
        for (let channel = 0; channel < 3; channel += 1, to += 1) {
          const top = at(x, y, channel) * (1 - fx) + at(x + 1, y, channel) * fx;
          const bottom = at(x, y + 1, channel) * (1 - fx) + at(x + 1, y + 1, channel) * fx;
          (levels[to] as number) += top * (1 - fy) + bottom * fy;
        }
      }
    }
  });
  for (let shape = 0; shape < SHAPES; shape += 1) paintShape(levels, width, height, random);
  return { width, height, rgb: Uint8Array.from(levels, (level) => Math.max(0, Math.min(255, level))) };
}

function paintShape(levels: Float32Array, width: number, height: number, random: () => number): void {
  const [x, y] = [random() * width, random() * height];
  const [a, b, turn] = [(0.04 + random() * 0.2) * width, (0.04 + random() * 0.2) * height, random() * 3];
  const colour = [random() * 255, random() * 255, random() * 255];
  const power = random() < 0.5 ? 2 : 6;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [dx, dy] = [column - x, row - y];
      const u = (dx * Math.cos(turn) + dy * Math.sin(turn)) / a;
      const v = (dy * Math.cos(turn) - dx * Math.sin(turn)) / b;
      if (Math.abs(u) ** power + Math.abs(v) ** power > 1) continue;
      const at = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel += 1)
        levels[at + channel] = (levels[at + channel] as number) * 0.35 + (colour[channel] as number) * (0.55 + 0.15 * v);
    }
  }
}

/** Letters are fixed patterns of 5 x 7 dots, so that no font is needed. */
const LETTERS = Array.from({ length: 26 }, (_letter, index) => {
  const random = generator(1000 + index);
  return Array.from({ length: 35 }, () => random() < 0.5);
});

/** Lines of words, by a seed of the text. */
export function writeText(
  canvas: Canvas,
  seed: number,
  box: { x: number; y: number; width: number; lines: number; dot: number },
  colour: number,
): void {
  const random = generator(seed + 50_000);
  for (let line = 0; line < box.lines; line += 1) {
    for (let x = box.x; x < box.x + box.width * (line === box.lines - 1 ? 0.6 : 1);) {
      const letters = 2 + Math.floor(random() * 8);
      for (let letter = 0; letter < letters; letter += 1, x += box.dot * 6) {
        writeLetter(canvas, Math.floor(random() * 26), x, box.y + line * 11 * box.dot, box.dot, colour);
      }
      x += box.dot * 6;
    }
  }
}

function writeLetter(canvas: Canvas, letter: number, x: number, y: number, dot: number, colour: number): void {
  LETTERS[letter]?.forEach((set, index) => set && fill(canvas, x + (index % 5) * dot, y + Math.floor(index / 5) * dot, dot, colour));
}

function fill({ width, height, rgb }: Canvas, left: number, top: number, side: number, colour: number): void {
  for (let row = Math.round(top); row < Math.min(height, Math.round(top + side)); row += 1)
    for (let column = Math.round(left); column < Math.min(width, Math.round(left + side)); column += 1)
      rgb.fill(colour, (row * width + column) * 3, (row * width + column) * 3 + 3);
}

/** A screenshot of a short message: one layout, another text for each seed. */
export function paintCard(seed: number): Canvas {
  const [width, height] = [640, 640];
  const card: Canvas = { width, height, rgb: new Uint8Array(width * height * 3).fill(245) };
  fill(card, 30, 30, 110, 90);
  writeText(card, 7, { x: 160, y: 40, width: 220, lines: 2, dot: 4 }, 20);
  writeText(card, seed, { x: 30, y: 190, width: 560, lines: 6, dot: 2 }, 20);
  fill(card, 0, 370, 640, 225);
  writeText(card, 9, { x: 30, y: 400, width: 400, lines: 3, dot: 4 }, 30);
  return card;
}

/** A scene with a label of four letters, the last of them by its number: what a price with another digit is to one's own. */
export function paintLabel(seed: number, last: number): Canvas {
  const [left, top, dot] = [40 + (seed % 7) * 40, 60 + (seed % 5) * 40, 4];
  const scene = paintScene(seed);
  fill(scene, left - 12, top - 50, 128, 240);
  [seed % 26, (seed * 7) % 26, (seed * 11) % 26, last % 26].forEach((letter, index) =>
    writeLetter(scene, letter, left + index * dot * 6, top, dot, 20),
  );
  return scene;
}

/** Two panels with a line of text above: the upper panel is that of all memes, or the lower one in every other. */
export function paintMeme(seed: number): Canvas {
  const [width, side] = [480, 320];
  const meme: Canvas = { width, height: 60 + 2 * side, rgb: new Uint8Array(width * (60 + 2 * side) * 3).fill(255) };
  writeText(meme, seed, { x: 20, y: 20, width: 420, lines: 1, dot: 3 }, 10);
  const panels = [paintScene(70_000, width, side), paintScene(70_001 + seed, width, side)];
  if (seed % 2 === 1) panels.reverse();
  panels.forEach(({ rgb }, index) => meme.rgb.set(rgb, (60 + index * side) * width * 3));
  return meme;
}

/** As PPM, which ffmpeg reads without any library. */
export function writePicture(file: string, { width, height, rgb }: Canvas): string {
  fs.writeFileSync(file, Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), rgb]));
  return file;
}
