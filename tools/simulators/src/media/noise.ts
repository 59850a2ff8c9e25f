import { stableSequence } from '../server/stable-random';

/** Taken out once: looking up a global for every point is slow where the code runs in a sandbox, as tests do. */
const { floor } = Math;

const SIDE = 256;

/** Smooth noise in 0…1 over the plane (value noise on a lattice that repeats after 256). */
export type Noise = (x: number, y: number) => number;

export function latticeNoise(seed: string): Noise {
  const next = stableSequence(seed);
  const lattice = Float32Array.from({ length: SIDE * SIDE }, next);
  return (x, y) => {
    const column = floor(x);
    const row = floor(y);
    const u = smooth(x - column);
    const v = smooth(y - row);
    const left = column & (SIDE - 1);
    const right = (column + 1) & (SIDE - 1);
    const top = (row & (SIDE - 1)) * SIDE;
    const bottom = ((row + 1) & (SIDE - 1)) * SIDE;
    const above = mix(lattice[top + left] ?? 0, lattice[top + right] ?? 0, u);
    const below = mix(lattice[bottom + left] ?? 0, lattice[bottom + right] ?? 0, u);
    return mix(above, below, v);
  };
}

/** Several octaves of a noise, each finer and weaker, again in 0…1. */
export function layered(noise: Noise, octaves: number): Noise {
  return (x, y) => {
    let sum = 0;
    let weight = 0.5;
    let scale = 1;
    let total = 0;
    for (let octave = 0; octave < octaves; octave += 1) {
      sum += weight * noise(x * scale + octave * 17.3, y * scale + octave * 9.1);
      total += weight;
      weight *= 0.5;
      scale *= 2;
    }
    return sum / total;
  };
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

export function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/** 0 below `from`, 1 above `to`, smooth in between. */
export function step(from: number, to: number, value: number): number {
  return smooth(clamp((value - from) / (to - from)));
}

function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}
