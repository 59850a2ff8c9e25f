const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'];
/** Luminance of diffuse white in HDR programmes (ITU-R BT.2408), and the peak that is mapped to white, in cd/m2. */
const REFERENCE_WHITE = 203;
const PEAK = 1000;

export const isHdr = ({ transfer }: { transfer: string | null }): boolean => transfer !== null && HDR_TRANSFERS.includes(transfer);

/** Names of `zscale`, but the primaries, which are those of ffmpeg. */
interface CodedLevels {
  matrix: string;
  primaries: string;
  transfer: string;
  range: 'full' | 'limited';
}

export const readLevels = ({ matrix, primaries, transfer, range }: CodedLevels): string =>
  `min=${matrix}:pin=${zscalePrimaries(primaries)}:tin=${transfer}:rin=${range}`;

/** Options of `zscale` that make levels with a high dynamic range linear, with the reference white as 1. */
export const toLinear = (levels: CodedLevels): string => `${readLevels(levels)}:t=linear:npl=${REFERENCE_WHITE}`;

/** Filters that map linear levels in a float format to those of BT.709. */
export const toneMap = (pixelFormat: string): string[] => [
  `format=${pixelFormat}`,
  'zscale=p=709',
  // leaves tones up to 30 % of the reference white as they are and rolls off the others
  `tonemap=mobius:param=0.3:desat=0:peak=${(PEAK / REFERENCE_WHITE).toFixed(3)}`,
];

const zscalePrimaries = (name: string): string => ({ bt2020: '2020', smpte431: '431', smpte432: '432' })[name] ?? '709';
