/** What people do to a file before they post it again. `found` and `flagged` must reach the goal together, in percent. */
export interface Change {
  name: string;
  goal: number;
  /** A filter graph over the file `[0:v]`, a strip of text `[1:v]` and another picture `[2:v]`. */
  graph: string;
  /** Which kinds of files it is applied to; both if missing. */
  only?: 'picture' | 'clip';
  /** Input options, and output options of the encoder. */
  input?: readonly string[];
  picture?: readonly string[];
  clip?: readonly string[];
  extension?: string;
}

const TALL = 'w=iw:h=trunc(iw*16/9/2)*2';
const plain = (filter: string): string => `[0:v]${filter}`;
const same = plain('null');

const BLURRED_PAD = '[0:v]split[a][b];[a]scale=iw:trunc(iw*16/9/2)*2,gblur=sigma=20[c];[c][b]overlay=x=0:y=(H-h)/2';
/** Another photo over a part, with this share of the width and height. */
const sticker = (share: number, at: number): string =>
  `[2:v][0:v]scale2ref=w=trunc(iw*${share / 2})*2:h=trunc(ih*${share / 2})*2[g][c];[c][g]overlay=x=W*${at}:y=H*${at}`;
const text = (graph: string, top: number): string =>
  `${graph}[z];[1:v][z]scale2ref=w=iw*0.8:h=ih*0.1[t][y];[y][t]overlay=x=W*0.1:y=H*${top}`;

/** What is around an inset; `[g]` has the size of the file, `[c]` is the file. */
const AROUND = {
  photo: '[2:v][0:v]scale2ref=w=iw:h=ih[g][c]',
  blurred: '[0:v]split[a][c];[a]gblur=sigma=20[g]',
  plain: '[2:v][0:v]scale2ref=w=iw:h=ih[a][c];[a]drawbox=color=0x5a86ad:t=fill[g]',
  // the photo moves by a fifth of its size in 9 s
  moving: "[2:v][0:v]scale2ref=w=trunc(iw*0.6)*2:h=trunc(ih*0.6)*2[a][c];[a]crop=trunc(iw/2.4)*2:trunc(ih/2.4)*2:x='(iw-ow)*t/9':y=0[g]",
} as const;
const PLACES = { centre: 'x=(W-w)/2:y=(H-h)/2', corner: 'x=W*0.96-w:y=H*0.96-h', edge: 'x=0:y=0' } as const;

function inset(percents: number, around: keyof typeof AROUND, place: keyof typeof PLACES): Change {
  const graph = `${AROUND[around]};[c]scale=trunc(iw*${percents / 200})*2:-2[s];[g][s]overlay=${PLACES[place]}`;
  return { name: `inset of ${percents} %, ${around}, ${place}`, goal: 60, graph };
}

/** A part of a clip within a minute of something else that moves. */
const COMPILATION = [
  "[2:v][0:v]scale2ref=w=iw:h=ih[p][v];[p]crop=trunc(iw*0.4)*2:ih:x='(iw-ow)*mod(t,20)/20':y=0[q];[q][v]scale2ref=w=iw:h=ih[g][w]",
  '[g]setsar=1,split[x][y];[x]trim=duration=25[a];[y]trim=start=35:duration=30,setpts=PTS-STARTPTS[c]',
  '[w]trim=start=2.3:duration=4.5,setpts=PTS-STARTPTS,setsar=1[b];[a][b][c]concat=n=3',
].join(';');

export const CHANGES: readonly Change[] = [
  { name: 're-encode', goal: 100, graph: same, picture: ['-q:v', '14'], clip: ['-crf', '36'] },
  { name: 'as WebP', goal: 100, graph: same, only: 'picture', picture: ['-quality', '50'], extension: 'webp' },
  { name: 'scale to 50 %', goal: 100, graph: plain('scale=trunc(iw/4)*2:trunc(ih/4)*2') },
  { name: 'stretch by 10 %', goal: 100, graph: plain('scale=trunc(iw*0.55)*2:ih') },
  { name: 'trim to the middle half', goal: 100, graph: same, only: 'clip', input: ['-ss', '2.3', '-t', '4.5'] },
  { name: '4.5 s of it within a minute', goal: 95, graph: COMPILATION, only: 'clip' },
  { name: 'speed +10 %', goal: 100, graph: plain('setpts=PTS/1.1'), only: 'clip' },
  { name: 'speed -10 %', goal: 100, graph: plain('setpts=PTS*1.1'), only: 'clip' },
  { name: 'grey', goal: 100, graph: plain('hue=s=0') },
  { name: 'brightness and contrast', goal: 100, graph: plain('eq=brightness=0.08:contrast=1.2') },
  { name: 'gamma and saturation', goal: 100, graph: plain('eq=gamma=1.3:saturation=1.5') },
  { name: 'blur', goal: 100, graph: plain('gblur=sigma=1.5') },
  { name: 'sharpen', goal: 100, graph: plain('unsharp=5:5:1'), only: 'picture' },
  { name: 'mirror', goal: 95, graph: plain('hflip') },
  { name: 'letterbox', goal: 95, graph: plain(`pad=${TALL}:x=0:y=(oh-ih)/2:color=black`) },
  { name: 'blurred pad', goal: 95, graph: BLURRED_PAD },
  { name: 'blurred pad, text on the pad', goal: 95, graph: text(BLURRED_PAD, 0.08) },
  { name: 'blurred pad, text on the content', goal: 95, graph: text(BLURRED_PAD, 0.45) },
  {
    name: 'caption bar',
    goal: 95,
    graph:
      '[0:v]pad=iw:trunc(ih*0.6)*2:x=0:y=oh-ih:color=white[a];[1:v][a]scale2ref=w=iw*0.8:h=ih*0.08[t][b];[b][t]overlay=x=W*0.1:y=H*0.05',
  },
  { name: 'crop 10 % a side', goal: 95, graph: plain('crop=trunc(iw*0.4)*2:trunc(ih*0.4)*2') },
  { name: 'crop 4 % a side', goal: 95, graph: plain('crop=trunc(iw*0.46)*2:trunc(ih*0.46)*2') },
  { name: 'text over it', goal: 95, graph: text(same, 0.78) },
  { name: 'text in the middle', goal: 95, graph: text(same, 0.45) },
  { name: 'mirror, text over it', goal: 90, graph: text(plain('hflip'), 0.78) },
  { name: 'crop 10 % a side, text over it', goal: 90, graph: text(plain('crop=trunc(iw*0.4)*2:trunc(ih*0.4)*2'), 0.78) },
  { name: 'centre as 9:16, text over it', goal: 90, graph: text(plain('crop=trunc(ih*9/32)*2:ih'), 0.78) },
  { name: 'sticker in the middle', goal: 60, graph: sticker(0.3, 0.35) },
  { name: 'sticker in a corner', goal: 60, graph: sticker(0.48, 0.5), only: 'picture' },
  { name: 'without the right fifth', goal: 60, graph: plain('crop=trunc(iw*0.4)*2:ih:0:0'), only: 'picture' },
  { name: 'without the upper fifth', goal: 60, graph: plain('crop=iw:trunc(ih*0.4)*2:0:trunc(ih*0.2)'), only: 'picture' },
  { name: 'border 5 %', goal: 95, graph: plain('pad=trunc(iw*0.55)*2:trunc(ih*0.55)*2:x=(ow-iw)/2:y=(oh-ih)/2:color=white') },
  { name: 'centre as square', goal: 95, graph: plain('crop=ih:ih') },
  { name: 'mirror and crop 3 %', goal: 95, graph: plain('hflip,crop=trunc(iw*0.47)*2:trunc(ih*0.47)*2'), only: 'picture' },
  {
    name: 'picture in picture',
    goal: 60,
    graph: '[2:v][0:v]scale2ref=w=iw:h=ih[g][c];[c]scale=trunc(iw*0.3)*2:-2[s];[g][s]overlay=x=W*0.3:y=H*0.25',
  },
  // each background with each size, and each of both with each place
  inset(40, 'photo', 'centre'),
  inset(60, 'photo', 'corner'),
  inset(80, 'photo', 'edge'),
  inset(40, 'blurred', 'corner'),
  inset(60, 'blurred', 'edge'),
  inset(80, 'blurred', 'centre'),
  inset(40, 'plain', 'edge'),
  inset(60, 'plain', 'centre'),
  inset(80, 'plain', 'corner'),
  { ...inset(40, 'moving', 'corner'), only: 'clip' },
  { ...inset(60, 'moving', 'centre'), only: 'clip' },
];
