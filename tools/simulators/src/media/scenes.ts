import { stableSequence } from '../server/stable-random';
import { clamp, latticeNoise, layered, mix, step } from './noise';
import { along, blend, shade, type Colour, type Palette } from './palettes';

/** Taken out once: looking up a global for every point is slow where the code runs in a sandbox, as tests do. */
const { abs, atan2, cos, floor, log, max, min, sin, sqrt } = Math;

/** `Math.hypot` is several times slower, and this is asked for every point. */
function length(x: number, y: number): number {
  return sqrt(x * x + y * y);
}

/** The colour at a point; x and y run from 0 to 1 over the shorter side, so that circles are round. */
export type Painting = (x: number, y: number) => Colour;

/** A scene prepared for one seed; `width` and `height` in units of the shorter side. */
type Scene = (seed: string, palette: Palette, width: number, height: number) => Painting;

/** Ridges of hills behind each other, a sun and clouds. */
const hills: Scene = (seed, palette, width, height) => {
  const next = stableSequence(seed);
  const noise = layered(latticeNoise(seed), 5);
  const sun = { x: width * (0.2 + 0.6 * next()), y: height * (0.15 + 0.2 * next()), r: 0.06 + 0.08 * next() };
  const horizon = 0.32 + 0.2 * next();
  const rough = 1.5 + 2 * next();
  return (x, y) => {
    const up = y / height;
    const cloud = step(0.5, 0.75, noise(x * 2 + 40, y * 5));
    let colour = blend(along(palette, 0.45 + 0.5 * clamp(up / (horizon + 0.2))), palette[4], cloud * 0.7);
    const distance = length(x - sun.x, y - sun.y);
    colour = blend(colour, palette[5], step(sun.r * 3, 0, distance) * 0.5);
    if (distance < sun.r) colour = blend(palette[4], palette[5], 0.4);
    for (let ridge = 0; ridge < 5; ridge += 1) {
      const top = horizon + ridge * 0.13 + (noise(x * rough + ridge * 31, ridge * 7.7) - 0.5) * (0.5 - ridge * 0.04);
      if (up > top) colour = shade(along(palette, 0.62 - ridge * 0.14), 0.75 + 0.5 * noise(x * 14 + ridge, (y - top) * 18));
    }
    return colour;
  };
};

/** A sea with glitter under a low sun. */
const sea: Scene = (seed, palette, width, height) => {
  const next = stableSequence(seed);
  const noise = layered(latticeNoise(seed), 4);
  const horizon = height * (0.3 + 0.25 * next());
  const sunX = width * (0.15 + 0.7 * next());
  const swell = 10 + 14 * next();
  return (x, y) => {
    if (y < horizon) {
      const cloud = step(0.42, 0.7, noise(x * 3, y * 9));
      const glow = step(0.5, 0, length(x - sunX, (y - horizon) * 1.6));
      return blend(blend(along(palette, 0.35 + (0.6 * y) / horizon), palette[1], cloud * 0.6), palette[5], glow * 0.8);
    }
    const near = (y - horizon) / (height - horizon);
    const wave = sin((sqrt(near) * swell + noise(x * 4, near * 12)) * 6.28) * 0.5 + 0.5;
    const foam = step(0.62, 0.8, noise(x * 9 * (1.2 - near), near * 40));
    const path = step(0.12 + 0.25 * near, 0, abs(x - sunX)) * step(0.45, 0.75, noise(x * 14, near * 60));
    return blend(blend(along(palette, 0.08 + 0.45 * wave * (1 - 0.4 * near)), palette[4], foam * 0.55), palette[5], path);
  };
};

/** Poured paint: noise bent by noise. */
const paint: Scene = (seed, palette) => {
  const next = stableSequence(seed);
  const noise = layered(latticeNoise(seed), 4);
  const scale = 1.4 + 1.6 * next();
  const bend = 2.5 + 2.5 * next();
  return (x, y) => {
    const u = noise(x * scale, y * scale);
    const v = noise(x * scale + 5.2, y * scale + 1.3);
    const folded = noise(x * scale + bend * u, y * scale + bend * v);
    const vein = step(0.06, 0, abs(((folded * 9) % 1) - 0.5));
    return blend(along(palette, (folded - 0.2) * 1.6), vein > 0.5 && u > 0.5 ? palette[5] : palette[0], vein * 0.8);
  };
};

/** A rosette of petals around a centre, as in a turning bowl. */
const rosette: Scene = (seed, palette, width, height) => {
  const next = stableSequence(seed);
  const noise = layered(latticeNoise(seed), 3);
  const centre = { x: width * (0.35 + 0.3 * next()), y: height * (0.35 + 0.3 * next()) };
  const arms = 5 + floor(next() * 9);
  const twist = 2 + 5 * next();
  return (x, y) => {
    const radius = length(x - centre.x, y - centre.y) + 0.02;
    const angle = atan2(y - centre.y, x - centre.x);
    const petal = cos(arms * angle + twist * log(radius) * 3);
    const ring = sin(radius * 26 - petal * 1.5);
    const grain = noise(x * 12, y * 12);
    return blend(along(palette, 0.5 + 0.35 * petal * (0.4 + grain) + 0.15 * ring), palette[5], step(0.14, 0.02, radius + 0.05 * petal));
  };
};

/** Arcs on a grid of tiles, each tile turned by chance. */
const tiles: Scene = (seed, palette) => {
  const next = stableSequence(seed);
  const noise = latticeNoise(seed);
  const count = 4 + floor(next() * 6);
  const large = layered(latticeNoise(`${seed} large`), 3);
  return (x, y) => {
    const column = floor(x * count);
    const row = floor(y * count);
    const u = noise(column * 3, row * 3) > 0.5 ? x * count - column : 1 - (x * count - column);
    const v = y * count - row;
    const near = min(abs(length(u, v) - 0.5), abs(length(1 - u, 1 - v) - 0.5));
    const side = length(u, v) < 0.5 || length(1 - u, 1 - v) < 0.5;
    const ground = along(palette, clamp((large(x * 2.2, y * 2.2) - 0.25) * 1.9) * (side ? 1 : 0.55));
    return blend(ground, side ? palette[5] : palette[4], step(0.16, 0.1, near) * 0.85);
  };
};

/** Towers with lit windows before an evening sky. */
const skyline: Scene = (seed, palette, width, height) => {
  const next = stableSequence(seed);
  const noise = layered(latticeNoise(seed), 4);
  const chance = latticeNoise(`${seed} windows`);
  const towers = 7 + floor(next() * 7);
  const moon = { x: width * next(), y: height * (0.1 + 0.15 * next()) };
  return (x, y) => {
    const up = y / height;
    let colour = blend(along(palette, 0.15 + 0.75 * up), palette[4], step(0.5, 0.8, noise(x * 2, y * 4)) * 0.5);
    if (length(x - moon.x, y - moon.y) < 0.07) colour = palette[4];
    for (let row = 0; row < 3; row += 1) {
      const tower = floor(x * towers * (1 - row * 0.2) + row * 0.4);
      const top = 0.2 + row * 0.17 + 0.45 * chance(tower * 5 + row * 50, row * 9);
      if (up < top) continue;
      const lit = chance(floor(x * towers * 7) * 1.7, floor(y * 34) * 1.3 + row * 20) > 0.56;
      const pane = (x * towers * 7) % 1 > 0.25 && (y * 34) % 1 > 0.4;
      colour = lit && pane ? blend(palette[5], palette[4], 0.4) : shade(along(palette, 0.5 - row * 0.2), 0.5 + 0.5 * noise(x * 6, y * 2));
    }
    return colour;
  };
};

/** Soft lights out of focus. */
const lights: Scene = (seed, palette, width, height) => {
  const next = stableSequence(seed);
  const noise = layered(latticeNoise(seed), 4);
  const discs = Array.from({ length: 46 }, () => ({
    x: next() * width,
    y: next() * height,
    r: 0.03 + 0.12 * next(),
    tone: next(),
    strength: 0.35 + 0.5 * next(),
  }));
  return (x, y) => {
    let colour = along(palette, clamp(noise(x * 2.5, y * 2.5) * 1.3 - 0.35));
    for (const disc of discs) {
      const distance = length(x - disc.x, y - disc.y) / disc.r;
      if (distance > 1) continue;
      const tone = disc.tone > 0.7 ? palette[5] : along(palette, 0.5 + 0.5 * disc.tone);
      colour = blend(colour, tone, disc.strength * (distance > 0.85 ? 1 : 0.65));
    }
    return colour;
  };
};

/** A furry head with ears and eyes, seated somewhere before a meadow. */
const animal: Scene = (seed, palette, width, height) => {
  const next = stableSequence(seed);
  const noise = layered(latticeNoise(seed), 5);
  const size = 0.24 + 0.12 * next();
  const head = { x: width * (0.34 + 0.32 * next()), y: height * (0.36 + 0.24 * next()) };
  const tilt = (next() - 0.5) * 0.9;
  const pointed = next() > 0.5;
  const fur = 0.35 + 0.5 * next();
  const iris = next() > 0.5 ? palette[5] : palette[3];
  const oval = (u: number, v: number, cx: number, cy: number, rx: number, ry: number): number => length((u - cx) / rx, (v - cy) / ry);
  return (x, y) => {
    const dx = (x - head.x) / size;
    const dy = (y - head.y) / size;
    const u = dx * cos(tilt) + dy * sin(tilt);
    const v = dy * cos(tilt) - dx * sin(tilt);
    const side = abs(u);
    const grain = noise(x * 9 + u * 3, y * 22);
    let colour = blend(along(palette, clamp(noise(x * 3, y * 3) * 1.5 - 0.3)), palette[2], step(0.45, 0.7, noise(x * 20, y * 5)) * 0.6);
    const body = oval(u, v, 0, 2.1, 1.25, 1.6);
    if (body < 1) colour = shade(along(palette, fur - 0.1), 0.6 + 0.6 * grain);
    const ear = pointed ? max(side - 0.95, -v * 0.62 + side * 0.35 - 1.05, v + 0.2) : oval(side, v, 0.86, -0.35, 0.34, 0.75) - 1;
    if (ear < 0 && (!pointed || side > 0.25)) colour = shade(along(palette, fur * 0.6), 0.7 + 0.5 * grain);
    if (oval(u, v, 0, 0, 1, 0.88) < 1 + 0.06 * grain) {
      const stripe = step(0.55, 0.62, noise(u * 2 + 9, v * 5));
      colour = shade(along(palette, mix(fur, fur * 0.5, stripe)), 0.65 + 0.6 * grain);
    }
    if (oval(side, v, 0.16, 0.42, 0.3, 0.24) < 1) colour = shade(palette[4], 0.8 + 0.2 * grain);
    if (oval(u, v, 0, 0.27, 0.13, 0.09) < 1) colour = shade(palette[1], 0.6);
    const eye = oval(side, v, 0.4, -0.1, 0.2, 0.2);
    if (eye < 1) colour = eye < 0.45 ? [0.03, 0.03, 0.05] : iris;
    if (oval(u, v, 0.46, -0.17, 0.05, 0.05) < 1 || oval(u, v, -0.34, -0.17, 0.05, 0.05) < 1) colour = [1, 1, 1];
    return colour;
  };
};

export const SCENES = { hills, sea, paint, rosette, tiles, skyline, lights, animal } as const;
export type SceneName = keyof typeof SCENES;
