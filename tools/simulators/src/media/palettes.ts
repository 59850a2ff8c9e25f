/** Taken out once: looking up a global for every point is slow where the code runs in a sandbox, as tests do. */
const { floor, max, min } = Math;

/** A colour, red, green and blue from 0 to 1. */
export type Colour = readonly [number, number, number];

/** Five colours from dark to light, then an accent. */
export type Palette = readonly [Colour, Colour, Colour, Colour, Colour, Colour];

const HEX: readonly (readonly string[])[] = [
  ['0b132b', '1c2541', '3a506b', '5bc0be', 'e0fbfc', 'ffb703'],
  ['2d0320', '6a0f49', 'b5446e', 'f2a65a', 'fff1d0', 'f9e784'],
  ['03261d', '14532d', '3f8f4f', 'a7c957', 'f2f6d0', 'f28482'],
  ['1b1b3a', '693668', 'a74482', 'f84aa7', 'ffe3f1', '3ddc97'],
  ['0d1f2d', '546a7b', '9ea3b0', 'fae1df', 'fff8f0', 'e4572e'],
  ['231123', '82204a', '558c8c', 'e8db7d', 'effffa', 'ff7b54'],
  ['10002b', '3c096c', '7b2cbf', 'c77dff', 'f3e8ff', 'ffd166'],
  ['1a120b', '3c2a21', '8d5b34', 'd5a66a', 'f6ead7', '457b9d'],
  ['001219', '005f73', '0a9396', '94d2bd', 'e9f5db', 'ee9b00'],
  ['22223b', '4a4e69', '9a8c98', 'c9ada7', 'f8f3ee', 'd62828'],
  ['14213d', '1d4e89', '00b2ca', '7dcfb6', 'fbf7d5', 'f79256'],
  ['240a0a', '641220', 'a71e34', 'e8871e', 'fde8c8', '2a9d8f'],
];

export const PALETTES: readonly Palette[] = HEX.map((colours) => colours.map(fromHex) as unknown as Palette);

function fromHex(hex: string): Colour {
  const value = Number.parseInt(hex, 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

export function blend(from: Colour, to: Colour, share: number): Colour {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share];
}

export function shade(colour: Colour, light: number): Colour {
  return [colour[0] * light, colour[1] * light, colour[2] * light];
}

/** The palette as a continuous scale from its darkest (0) to its lightest colour (1). */
export function along(palette: Palette, position: number): Colour {
  const scaled = min(0.9999, max(0, position)) * 4;
  const index = floor(scaled);
  return blend(palette[index] ?? palette[0], palette[index + 1] ?? palette[4], scaled - index);
}
