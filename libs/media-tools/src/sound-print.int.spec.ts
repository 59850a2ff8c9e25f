import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareSounds, soundMatchesOf, type SoundPrint } from '@autoposter/domain';
import { MediaTools } from './media-tools';
import { failureKind, ffmpeg } from './testing/media-samples';

/** Three voices whose notes change at different times; another `seed` is another melody. */
const melody = (seed: number, seconds: number): string => {
  const voice = (base: number, rate: string, reach: number, turn: number): string =>
    `sin(2*PI*t*${base}*pow(2,floor(${reach}*sin(floor(t*${rate})*${turn}+${seed}*${turn}))/12))`;
  const voices = [voice(220, `2.${seed}`, 7, 1.7), voice(110, '3', 5, 1.1 + seed / 10), voice(440, `4.${seed}`, 7, 2.3 + seed / 7)];
  return `aevalsrc='0.2*${voices.join('+0.2*')}':s=22050:d=${seconds}`;
};

describe('sounds of videos', () => {
  let dir: string;
  const tools = new MediaTools();
  const { signal } = new AbortController();
  /** Of 16 s: as a sound alone, and the print of a video with it. */
  const songFile = () => join(dir, 'song.wav');
  let song: SoundPrint | null | undefined;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sounds-'));
    await ffmpeg([...lavfi(melody(1, 16)), songFile()]);
    song = await soundOf(await video('song', ['-i', songFile()]));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const picture = ['-f', 'lavfi', '-i', 'color=c=gray:s=64x64:r=2'];
  /** A video with this sound, given as inputs and options of ffmpeg. */
  async function video(name: string, input: string[], options: string[] = ['-c:a', 'aac', '-b:a', '128k']): Promise<string> {
    const out = join(dir, `${name}.mp4`);
    await ffmpeg([
      ...picture,
      ...input,
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-shortest',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      ...options,
      out,
    ]);
    return out;
  }
  const lavfi = (source: string): string[] => ['-f', 'lavfi', '-i', source];
  const soundOf = async (file: string, by = tools): Promise<SoundPrint | null | undefined> =>
    (await by.analyse(file, 'video', signal)).fingerprint.sound;
  const heard = (sound: SoundPrint | null | undefined) => [{ sha256: null, pdq: [], sound }];

  it('recognises a sound that is encoded again, cut, quieter or noisy, with its offset', async () => {
    const file = join(dir, 'song.mp4');
    expect(song?.state).toBe('compared');
    const copies: [name: string, input: string[], options: string[], offset: number][] = [
      ['aac64', ['-i', file], ['-c:a', 'aac', '-b:a', '64k'], 0],
      ['cut', ['-ss', '7.05', '-t', '8.5', '-i', file], [], 7.05],
      ['quiet', ['-i', file], ['-af', 'volume=-12dB'], 0],
    ];
    const mixed = join(dir, 'mixed.wav');
    await ffmpeg(['-i', file, ...lavfi('anoisesrc=d=16:r=22050:a=0.03:seed=5'), '-filter_complex', '[0:a][1:a]amix=2:normalize=0', mixed]);
    copies.push(['noisy', ['-i', mixed], [], 0]);
    for (const [name, input, options, offset] of copies) {
      const out = await video(name, input, options);
      const [match] = soundMatchesOf(heard(await soundOf(out)), [
        { work: { kind: 'claim', id: '1', title: 'Song', published: false }, files: heard(song) },
      ]);
      expect([name, match?.by, match?.strength]).toEqual([name, 'sound', 'flag']);
      expect(match?.shareOfOurs).toBeGreaterThan(0.8);
      expect(Math.abs((match?.segment?.offsetSeconds ?? -9) - offset)).toBeLessThan(0.3);
    }
  });

  it('does not match other melodies, and has nothing to compare in silence, tones and noise', async () => {
    const songs = [];
    for (const seed of [2, 3]) songs.push(await soundOf(await video(`other-${seed}`, lavfi(melody(seed, 12)))));
    for (const [index, one] of songs.entries())
      for (const other of songs.slice(index + 1)) {
        const found = soundMatchesOf(heard(one), [{ work: { kind: 'item', id: '1', title: 'O', published: false }, files: heard(other) }]);
        expect(found).toEqual([]);
      }
    for (const source of ['anullsrc=d=10', 'sine=frequency=440:d=10', 'anoisesrc=d=10:seed=1'])
      expect(await soundOf(await video('plain', lavfi(source)))).toEqual({ state: 'featureless', items: new Int32Array() });
    const [one, other] = [
      await soundOf(await video('brown-1', lavfi('anoisesrc=d=12:seed=1:c=brown'))),
      await soundOf(await video('brown-2', lavfi('anoisesrc=d=12:seed=2:c=brown'))),
    ];
    expect(compareSounds(one?.items ?? new Int32Array(), other?.items ?? new Int32Array())).toBeNull();
  });

  it('prints the first two minutes of the sound of a post, and more of a claimed work', async () => {
    const part = join(dir, 'part.wav');
    await ffmpeg([...lavfi(melody(6, 10)), part]);
    const file = await video('long', ['-stream_loop', '19', '-i', part]);
    const [posted, claimed] = [await soundOf(file), (await tools.analyse(file, 'video', signal, 'claimed')).fingerprint.sound];
    for (const [sound, seconds] of [
      [posted, 120],
      [claimed, 200],
    ] as const) {
      expect(sound?.items.length).toBeGreaterThan((seconds - 4) * 8);
      expect(sound?.items.length).toBeLessThanOrEqual((seconds + 1) * 8.08);
    }
  });

  it('recognises a part of a claimed song from after its first two minutes', async () => {
    const album = await video('album', lavfi(melody(4, 150)));
    const { sound } = (await tools.analyse(album, 'video', signal, 'claimed')).fingerprint;
    const excerpt = await soundOf(await video('late', ['-ss', '130', '-t', '12', '-i', album]));
    const [match] = soundMatchesOf(heard(excerpt), [
      { work: { kind: 'claim', id: '1', title: 'Song', published: false }, files: heard(sound) },
    ]);
    expect([match?.by, match?.strength]).toEqual(['sound', 'flag']);
    expect(Math.abs((match?.segment?.offsetSeconds ?? 0) - 130)).toBeLessThan(0.3);
  });

  it.each(['mp3', 'm4a', 'aac', 'wav', 'flac', 'ogg', 'mka', 'mp4'])(
    'fingerprints a claimed sound without pictures in %s',
    async (format) => {
      const file = join(dir, `claimed.${format}`);
      const codec = { ogg: ['-c:a', 'libvorbis', '-ac', '2'], mka: ['-f', 'matroska'] }[format] ?? [];
      await ffmpeg(['-i', songFile(), ...codec, file]);
      const { mediaType, fingerprint } = await tools.fingerprintWork(file, signal);
      expect([mediaType, fingerprint.pdq, fingerprint.sound?.state]).toEqual(['video', [], 'compared']);
      const [match] = soundMatchesOf(heard(song), [
        { work: { kind: 'claim', id: '1', title: 'Song', published: false }, files: heard(fingerprint.sound) },
      ]);
      expect([match?.by, match?.strength]).toEqual(['sound', 'flag']);
      // a post is never a sound alone
      expect(await failureKind(tools.probe(file, signal))).toBe('unsupported_media');
    },
  );

  it('refuses a claimed sound that nothing can be compared with', async () => {
    const silent = join(dir, 'silent.wav');
    await ffmpeg([...lavfi('anullsrc=d=8:r=22050'), silent]);
    const cut = join(dir, 'cut.mp3');
    await writeFile(cut, Buffer.concat([Buffer.from('ID3'), Buffer.alloc(4096, 7)]));
    for (const file of [silent, cut])
      await expect(tools.fingerprintWork(file, signal)).rejects.toMatchObject({ failure: { code: 'sound_not_recognisable' } });
  });

  it('says that there is no sound, and that the installed ffmpeg cannot fingerprint it', async () => {
    const silent = join(dir, 'silent.mp4');
    await ffmpeg([...picture, '-t', '2', '-c:v', 'libx264', '-preset', 'ultrafast', silent]);
    expect((await soundOf(silent))?.state).toBe('absent');
    const without = join(dir, 'ffmpeg');
    await writeFile(without, '#!/bin/sh\ncase "$*" in *-muxers*) ffmpeg "$@" | grep -v chromaprint; exit;; esac\nexec ffmpeg "$@"\n');
    await chmod(without, 0o755);
    const limited = new MediaTools({ ffmpegPath: without });
    expect((await soundOf(join(dir, 'song.mp4'), limited))?.state).toBe('unavailable');
    const { ffmpeg: report, soundPrints } = await limited.capabilities();
    expect([soundPrints, report.message]).toEqual([false, expect.stringContaining('sounds are not compared')]);
  });
});
