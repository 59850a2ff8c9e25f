import fs from 'node:fs';
import { checkedFile, decideRights, type FilePrints, hitsBetween, matchesOf } from '@autoposter/domain';
import { MediaTools } from '@autoposter/media-tools';
import { temporaryFolder } from '@autoposter/testkit';
import { aboutMachine, type BenchArguments, type BenchResult, progress } from '../bench';
import { mediaPrograms } from '../dmca/media-programs';
import { tableOf } from '../spread';
import { CHANGES, type Change } from './changes';
import { FileMaker } from './files';
import { measureSearch } from './register-search';
import { paintCard } from './scenes';

type Verdict = 'blocked' | 'flagged' | 'clear';
type Counts = Record<Verdict, number>;

/** Unrelated pictures: 320 make 51,040 pairs. Cards are compared with the 50 before. */
const FULL = { pictures: 40, clips: 30, unrelated: 320, cards: 1000, cardsBefore: 50, intros: 12 };
const SEARCH_SIZES = [100_000, 1_000_000];
const GOALS = { picture: 30, video: 300, foundAt31: 100, foundAt46: 98 };

/**
 * Which changes of generated pictures and clips are found, which innocent files are blocked, and what a search of the register costs. `--n`
 * makes a smaller table of so many pictures and clips; `--rounds 1` leaves out the register of a million hashes.
 */
export async function rights({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const folder = temporaryFolder('bench-rights');
  try {
    const share = n === null ? 1 : Math.min(1, n / FULL.pictures);
    const scaled = Object.fromEntries(
      Object.entries(FULL).map(([name, count]) => [name, Math.max(2, Math.round(count * share))]),
    ) as typeof FULL;
    const bench = new RightsBench(folder);
    const pictures = await bench.changesOf('picture', scaled.pictures);
    const clips = await bench.changesOf('clip', scaled.clips);
    const innocent = {
      'unrelated pictures': await bench.unrelatedPictures(scaled.unrelated),
      'unrelated clips': await bench.unrelatedClips(scaled.clips),
      'clips with the same intro of 2 s': await bench.sharedIntros(scaled.intros),
      'cards with other words': await bench.cards(scaled.cards, scaled.cardsBefore),
    };
    const search = await measureSearch(rounds === 1 ? SEARCH_SIZES.slice(0, 1) : SEARCH_SIZES, progress);
    return {
      table: tableFor(pictures, clips, innocent, search),
      facts: { ...scaled, pictures, clips, innocent, search, machine: aboutMachine() },
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

class RightsBench {
  private readonly programs = mediaPrograms();
  private readonly media = new MediaTools({ ffmpegPath: this.programs.ffmpeg, ffprobePath: this.programs.ffprobe });
  private readonly files: FileMaker;
  private readonly signal = new AbortController().signal;

  constructor(folder: string) {
    this.files = new FileMaker(folder, this.programs.ffmpeg);
  }

  async changesOf(kind: 'picture' | 'clip', count: number): Promise<Map<string, Counts>> {
    const results = new Map<string, Counts>();
    for (let seed = 0; seed < count; seed += 1) {
      const file = kind === 'picture' ? this.files.picture('original', seed) : this.files.clip('original', scenesOf(seed));
      const original = await this.print(file);
      for (const change of CHANGES.filter(({ only }) => only === undefined || only === kind)) {
        const verdict = judge(await this.print(this.files.change(file, change)), [original]);
        add(results, change.name, verdict);
      }
      progress(`${kind} ${seed + 1} of ${count}`);
    }
    return results;
  }

  async unrelatedPictures(count: number): Promise<Counts> {
    const prints: FilePrints[] = [];
    for (let seed = 0; seed < count; seed += 1) prints.push(await this.print(this.files.picture('unrelated', 10_000 + seed)));
    progress(`${count} unrelated pictures`);
    return pairsOf(prints, count);
  }

  async unrelatedClips(count: number): Promise<Counts> {
    const prints: FilePrints[] = [];
    for (let seed = 0; seed < count; seed += 1) prints.push(await this.print(this.files.clip('unrelated', scenesOf(5000 + seed))));
    progress(`${count} unrelated clips`);
    return pairsOf(prints, count);
  }

  /** Clips of 5 to 20 s that begin with the same 2 s; each is compared with all before it. */
  async sharedIntros(count: number): Promise<Counts> {
    const prints: FilePrints[] = [];
    for (let seed = 0; seed < count; seed += 1) {
      const rest = Array.from({ length: 1 + (seed % 6) }, (_scene, index) => ({ seed: 60_000 + seed * 10 + index }));
      prints.push(await this.print(this.files.clip('intro', [{ seed: 59_999, seconds: 2 }, ...rest])));
    }
    progress(`${count} clips with the same intro`);
    return pairsOf(prints, count);
  }

  async cards(count: number, before: number): Promise<Counts> {
    const prints: FilePrints[] = [];
    for (let seed = 0; seed < count; seed += 1) prints.push(await this.print(this.files.canvas('card', paintCard(seed))));
    progress(`${count} cards`);
    return pairsOf(prints, before);
  }

  private print(file: string): Promise<FilePrints> {
    return this.media.fingerprint(file, file.endsWith('.mp4') ? 'video' : 'image', this.signal);
  }
}

const scenesOf = (seed: number) => [0, 1, 2].map((scene) => ({ seed: 20_000 + seed * 3 + scene }));

/** The decision about a file when the register holds these works as claims. File hashes are left out: only what is seen counts. */
function judge(file: FilePrints, works: readonly FilePrints[]): Verdict {
  const hits = works.flatMap((work, id) =>
    hitsBetween([file], { kind: 'claim', id: String(id), title: 'A work', published: false }, [{ ...work, sha256: null }]),
  );
  const matches = matchesOf([file], hits, (hit) => works[Number(hit.id)]?.preview ?? null);
  return decideRights([checkedFile(file)], matches).verdict;
}

/** Each file against the given number of files before it, one pair at a time. */
function pairsOf(prints: readonly FilePrints[], before: number): Counts {
  const counts: Counts = { blocked: 0, flagged: 0, clear: 0 };
  for (const [index, one] of prints.entries()) {
    const vague = judge(one, []) !== 'clear';
    for (const other of prints.slice(Math.max(0, index - before), index)) counts[vague ? 'clear' : judge(one, [other])] += 1;
  }
  return counts;
}

function add(results: Map<string, Counts>, name: string, verdict: Verdict): void {
  const counts = results.get(name) ?? { blocked: 0, flagged: 0, clear: 0 };
  counts[verdict] += 1;
  results.set(name, counts);
}

function tableFor(
  pictures: Map<string, Counts>,
  clips: Map<string, Counts>,
  innocent: Record<string, Counts>,
  search: Awaited<ReturnType<typeof measureSearch>>,
): string[] {
  const cells = (counts: Counts | undefined): string[] => {
    if (counts === undefined) return ['', '', '', ''];
    const total = counts.blocked + counts.flagged + counts.clear;
    const caught = ((counts.blocked + counts.flagged) / total) * 100;
    return [counts.blocked, counts.flagged, counts.clear, `${caught.toFixed(0)} %`].map(String);
  };
  const row = (change: Change): string[] => {
    const [picture, clip] = [cells(pictures.get(change.name)), cells(clips.get(change.name))];
    return [change.name, ...picture, ...clip, `${change.goal} %`];
  };
  const changed = tableOf([
    ['change', 'pictures found', 'flagged', 'missed', 'caught', 'clips found', 'flagged', 'missed', 'caught', 'goal'],
    ...CHANGES.map(row),
  ]);
  const innocentTable = tableOf([
    ['innocent pairs', 'pairs', 'blocked', 'flagged', 'goal'],
    ...Object.entries(innocent).map(([name, { blocked, flagged, clear }]) => [
      name,
      String(blocked + flagged + clear),
      String(blocked),
      String(flagged),
      '0 blocked',
    ]),
  ]);
  const searchTable = tableOf([
    ['register of', 'CPU ms per picture, p95', 'goal', 'CPU ms per video, p95', 'goal', 'found at 31 bits', 'goal', 'at 46 bits', 'goal'],
    ...search.map(({ hashes, picture, video, foundAt31, foundAt46 }) => [
      `${hashes} hashes`,
      String(picture.p95),
      String(GOALS.picture),
      String(video.p95),
      String(GOALS.video),
      `${foundAt31} %`,
      `${GOALS.foundAt31} %`,
      `${foundAt46} %`,
      `${GOALS.foundAt46} %`,
    ]),
  ]);
  return [...changed, '', ...innocentTable, '', ...searchTable];
}
