/** The names under which v.redd.it keeps the pieces of a video; they changed over the years and old videos keep theirs. */
export type NamingGeneration = '2017' | '2019' | '2020' | '2023' | '2025';

interface Naming {
  video(label: number): string;
  sound: readonly { name: string; kilobits: number }[];
  /** The smallest rungs of the ladder below the best one. */
  labels: readonly number[];
}

const BITRATE_NAMES: Readonly<Record<number, string>> = { 240: '600_K', 360: '1_2_M', 480: '2_4_M', 720: '4_8_M', 1080: '9_6_M' };

export const NAMINGS: Readonly<Record<NamingGeneration, Naming>> = {
  '2017': {
    video: (label) => `DASH_${BITRATE_NAMES[label] ?? '600_K'}`,
    sound: [{ name: 'audio', kilobits: 128 }],
    labels: [240, 360, 480, 720, 1080],
  },
  '2019': { video: (label) => `DASH_${label}`, sound: [{ name: 'audio', kilobits: 128 }], labels: [240, 360, 480, 720, 1080] },
  '2020': { video: (label) => `DASH_${label}.mp4`, sound: [{ name: 'DASH_audio.mp4', kilobits: 128 }], labels: [240, 360, 480, 720, 1080] },
  '2023': {
    video: (label) => `DASH_${label}.mp4`,
    sound: [
      { name: 'DASH_AUDIO_64.mp4', kilobits: 64 },
      { name: 'DASH_AUDIO_128.mp4', kilobits: 128 },
    ],
    labels: [220, 360, 480, 720, 1080],
  },
  '2025': {
    video: (label) => `CMAF_${label}.mp4`,
    sound: [
      { name: 'CMAF_AUDIO_64.mp4', kilobits: 64 },
      { name: 'CMAF_AUDIO_128.mp4', kilobits: 128 },
    ],
    labels: [220, 360, 480, 720, 1080],
  },
};

export const BITRATE_KBPS: Readonly<Record<number, number>> = { 220: 500, 240: 600, 360: 800, 480: 1200, 720: 2400, 1080: 5000 };

export interface Rung {
  label: number;
  file: string;
  width: number;
  height: number;
  kilobits: number;
}

/** The pieces of one video, smallest first; the last one is the video as it was uploaded. */
export function ladderOf(generation: NamingGeneration, width: number, height: number): Rung[] {
  const naming = NAMINGS[generation];
  const shorter = Math.min(width, height);
  const best = [...naming.labels].reverse().find((label) => label <= shorter) ?? naming.labels[0] ?? 240;
  return naming.labels
    .filter((label) => label <= best)
    .map((label) => {
      const share = label === best ? 1 : label / shorter;
      const even = (side: number): number => Math.round((side * share) / 2) * 2;
      return { label, file: naming.video(label), width: even(width), height: even(height), kilobits: BITRATE_KBPS[label] ?? 600 };
    });
}
