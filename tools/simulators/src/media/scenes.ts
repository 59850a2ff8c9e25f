import { hashNumber, stablePick, stableSequence } from '../server/stable-random';

/** Five colours each, from dark to light. */
const PALETTES: readonly (readonly string[])[] = [
  ['0b132b', '1c2541', '3a506b', '5bc0be', 'e0fbfc'],
  ['2d0320', '6a0f49', 'b5446e', 'f2a65a', 'fff1d0'],
  ['03261d', '14532d', '3f8f4f', 'a7c957', 'f2f6d0'],
  ['1b1b3a', '693668', 'a74482', 'f84aa7', 'ffe3f1'],
  ['0d1f2d', '546a7b', '9ea3b0', 'e4572e', 'fff8f0'],
  ['231123', '82204a', '558c8c', 'e8db7d', 'effffa'],
  ['10002b', '3c096c', '7b2cbf', 'c77dff', 'ffd166'],
  ['1a120b', '3c2a21', '8d5b34', 'd5a66a', 'f6ead7'],
  ['001219', '005f73', '0a9396', 'ee9b00', 'e9f5db'],
  ['22223b', '4a4e69', '9a8c98', 'c9ada7', 'f8f3ee'],
  ['14213d', '1d4e89', '00b2ca', 'f79256', 'fbf7d5'],
  ['240a0a', '641220', 'a71e34', 'e8871e', 'fde8c8'],
];

/**
 * Luminance (0 to 1) of a pixel as an ffmpeg `geq` expression. `x` and `y`: coordinates in units of the shorter side; `u` and `v`: the same
 * from 0 to 1 over the frame; `n`: smooth noise (0 to 1); `a` to `d`: constants derived from the seed (0 to 1).
 */
type Scene = (next: () => number) => string;

const range = (count: number): number[] => Array.from({ length: count }, (_unused, index) => index);

export const SCENES = {
  /** Mountain ridges whose outlines follow rows of the noise. */
  hills: () =>
    [
      'st(3,0.95-0.45*v+0.3*(n-0.5))',
      ...range(5).map(
        (ridge) =>
          `if(gt(v,0.3+0.2*a+0.13*${ridge}+(0.5-0.05*${ridge})*(lum(X,H*${(ridge + 0.5) / 5})/255-0.5)),st(3,0.62-0.13*${ridge}+0.25*(n-0.5)))`,
      ),
      'ld(3)',
    ].join(';'),
  /** Waves below a horizon. */
  sea: () =>
    [
      'st(3,0.3+0.25*a)',
      'st(4,max(0,(v-ld(3))/(1-ld(3))))',
      'if(lt(v,ld(3)),0.45+0.5*v/ld(3)+0.6*(n-0.5),0.35+0.25*sin(6.28*(sqrt(ld(4))*(9+9*b)+2.5*n))*(0.4+ld(4))+0.5*(n-0.5)+0.5*lt(abs(u-c),0.05+0.2*ld(4))*gt(n,0.55))',
    ].join(';'),
  /** Marbled paint: contour lines of the noise. */
  paint: () => 'abs(mod(n*(5+6*a)+b,2)-1)',
  /** Spiral petals around a centre. */
  rosette: () =>
    [
      'st(3,x-0.35-0.3*a)',
      'st(4,y-H/min(W,H)*(0.35+0.3*b))',
      'st(5,hypot(ld(3),ld(4))+0.02)',
      'st(6,cos(floor(5+9*c)*atan2(ld(4),ld(3))+(2+5*d)*log(ld(5))*2+3*n))',
      '0.45+0.3*ld(6)+0.15*sin(26*ld(5)-1.5*ld(6))+0.7*(n-0.5)',
    ].join(';'),
  /** Truchet tiles: randomly turned arcs on a grid. */
  tiles: () =>
    [
      'st(3,x*floor(4+6*a))',
      'st(4,y*floor(4+6*a))',
      'st(5,ld(3)-floor(ld(3)))',
      'st(6,ld(4)-floor(ld(4)))',
      'if(gt(sin(floor(ld(3))*12.9+floor(ld(4))*78.2+b*99),0),st(5,1-ld(5)))',
      'st(7,hypot(ld(5),ld(6)))',
      'st(8,hypot(1-ld(5),1-ld(6)))',
      '(0.3+0.3*(lt(ld(7),0.5)+lt(ld(8),0.5)))*(0.3+1.4*n)+0.5*lt(min(abs(ld(7)-0.5),abs(ld(8)-0.5)),0.12)',
    ].join(';'),
  /** Towers with lit windows. */
  skyline: () =>
    [
      'st(3,0.35+0.5*v+0.5*(n-0.5))',
      ...range(3).map((row) =>
        [
          `st(4,floor((x+${row}*0.37)*(8+7*a)*${1 - row * 0.2}))`,
          `st(5,abs(sin(ld(4)*43.7+${row}*9.1+b*99)))`,
          `st(6,gt(abs(sin(floor(x*60)*7.3+floor(y*34)*3.1+c*99)),0.6)*gt(mod(x*60,1),0.25)*gt(mod(y*34,1),0.4))`,
          `if(gt(v,0.2+${row * 0.17}+0.45*ld(5)),st(3,if(ld(6),0.95,0.42-0.13*${row}+0.3*(n-0.5))))`,
        ].join(';'),
      ),
      'ld(3)',
    ].join(';'),
  /** Blurred discs of light. */
  lights: (next) =>
    [
      'st(3,0.8*n-0.1)',
      ...range(12).map(
        () =>
          `if(lt(hypot(x-W/min(W,H)*${next().toFixed(3)},y-H/min(W,H)*${next().toFixed(3)}),${(0.04 + 0.13 * next()).toFixed(3)}),st(3,ld(3)+${(0.15 + 0.3 * next()).toFixed(3)}))`,
      ),
      'ld(3)',
    ].join(';'),
  /** An animal's head with ears and eyes. */
  animal: () =>
    [
      'st(3,(x-0.34-0.32*a)/(0.24+0.12*c))',
      'st(4,(y-H/min(W,H)*(0.36+0.24*b))/(0.24+0.12*c))',
      'st(5,abs(ld(3)))',
      'st(6,0.15+0.9*n)',
      'if(lt(hypot(ld(3)/1.25,(ld(4)-2.1)/1.6),1),st(6,0.3+0.35*d+0.4*(n-0.5)))',
      'if(lt(hypot((ld(5)-0.75)/0.36,(ld(4)+0.75)/(0.4+0.4*d)),1),st(6,0.35+0.3*(n-0.5)))',
      'if(lt(hypot(ld(3),ld(4)/0.88),1+0.2*(n-0.5)),st(6,0.45+0.3*d+0.15*gt(sin(ld(4)*14+6*n),0)+0.4*(n-0.5)))',
      'if(lt(hypot((ld(5)-0.16)/0.3,(ld(4)-0.42)/0.24),1),st(6,0.9))',
      'if(lt(hypot(ld(3)/0.13,(ld(4)-0.27)/0.09),1),st(6,0.2))',
      'if(lt(hypot(ld(5)-0.4,ld(4)+0.1),0.2),st(6,0.85))',
      'if(lt(hypot(ld(5)-0.4,ld(4)+0.1),0.1),st(6,0.02))',
      'ld(6)',
    ].join(';'),
} as const satisfies Record<string, Scene>;
export type SceneName = keyof typeof SCENES;

/** A lavfi filter graph that produces one frame; deterministic for the same arguments. */
export function sceneSource(scene: SceneName, seed: string, width: number, height: number): string {
  const next = stableSequence(seed);
  const constants = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, next().toFixed(4)]));
  const words: Record<string, string> = { x: 'ld(0)', y: 'ld(1)', n: 'ld(2)', u: '(X/W)', v: '(Y/H)', ...constants };
  const value = SCENES[scene](next).replace(/\b[a-dnuvxy]\b/g, (name) => words[name] ?? name);
  const unit = Math.min(width, height);
  // Upscaled coarse noise is smooth noise.
  const noise = (cells: number, index: number): string => {
    const side = (length: number): number => Math.max(2, Math.round((cells * length) / unit));
    const grid = `color=gray:s=${side(width)}x${side(height)}:r=1:d=1,format=gray`;
    return `${grid},noise=alls=100:all_seed=${(hashNumber(`${seed} ${index}`) % 1e6) + 1},scale=${width}:${height}:flags=bicubic,format=gray`;
  };
  const colours = stablePick(`${seed} palette`, PALETTES);
  // Maps luminance to the palette by linear interpolation.
  const channel = (at: number): string => {
    const levels = colours.map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return levels
      .map((level, index) => (index === 0 ? level : `${level - (levels[index - 1] ?? 0)}*clip(val/63.75-${index - 1},0,1)`))
      .join('+');
  };
  return [
    `${noise(5, 1)}[large]`,
    `${noise(17, 2)}[small]`,
    `[large][small]blend=all_expr='clip(128+1.5*(A-128)+0.7*(B-128),0,255)'[noise]`,
    `[noise]geq=lum='st(0,X/min(W,H));st(1,Y/min(W,H));st(2,lum(X,Y)/255);255*clip(${value},0,1)':cb=128:cr=128,format=rgb24,lutrgb=r='${channel(0)}':g='${channel(2)}':b='${channel(4)}'`,
  ].join(';');
}
