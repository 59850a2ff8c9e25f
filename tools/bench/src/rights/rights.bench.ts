import fs from 'node:fs';
import { LIMITS } from '@autoposter/contracts';
import {
  checkedFile,
  decideRights,
  DEFAULT_RIGHTS_THRESHOLDS,
  type FilePrints,
  hitsBetween,
  matchesOf,
  type RightsThresholds,
} from '@autoposter/domain';
import { MediaTools } from '@autoposter/media-tools';
import { temporaryFolder } from '@autoposter/testkit';
import { aboutMachine, type BenchArguments, type BenchResult, progress } from '../bench';
import { mediaPrograms } from '../dmca/media-programs';
import { tableOf } from '../spread';
import { CHANGES } from './changes';
import { FileMaker } from './files';
import { measureSearch, type Percentiles, percentiles } from './register-search';
import { paintCard, paintLabel, paintMeme } from './scenes';
import { measureSounds, type SoundCost } from './sound-search';

type Verdict = 'blocked' | 'flagged' | 'clear';
type Counts = Record<Verdict, number>;
const none = (): Counts => ({ blocked: 0, flagged: 0, clear: 0 });

const PICTURE_THRESHOLDS = [
  ['pictureLeastAlike', [0.75, 0.82, 0.9, 0.98]],
  ['pictureCorrelation', [0.5, 0.65, 0.8, 0.95]],
] as const;

interface ThresholdCounts {
  name: (typeof PICTURE_THRESHOLDS)[number][0];
  value: number;
  copies: Counts;
  /** Pictures of one scene with another letter on them. */
  labels: Counts;
  /** Cards with other words, and memes with one of two panels in common. */
  others: Counts;
}

/** Unrelated pictures: 320 make 51,040 pairs. Cards are compared with the 50 before. */
const FULL = { pictures: 40, clips: 30, unrelated: 320, cards: 1000, cardsBefore: 50, intros: 12, memes: 40, comparisons: 20, labels: 40 };
type Sizes = typeof FULL;
const SEARCH_SIZES = [100_000, 1_000_000];
const SOUNDS = 100_000;
/** CPU milliseconds of a search, percent of the planted copies, and CPU milliseconds of a comparison on pixels. */
const GOALS = { picture: 30, video: 300, foundAt31: 100, foundAt46: 98, comparison: 25 };

interface Part {
  table: string[];
  facts: Record<string, unknown>;
  /** Whether each goal is reached. */
  reached: boolean[];
}

const PARTS: Record<string, (bench: RightsBench, sizes: Sizes, rounds: number | null) => Promise<Part>> = {
  pictures: async (bench, { pictures }) => changesPart('picture', await bench.changesOf('picture', pictures)),
  clips: async (bench, { clips }) => changesPart('clip', await bench.changesOf('clip', clips)),
  pairs: async (bench, { unrelated, clips, intros, memes }) =>
    innocentPart({
      'unrelated pictures': await bench.unrelatedPictures(unrelated),
      'unrelated clips': await bench.unrelatedClips(clips),
      'clips with the same intro of 2 s': await bench.sharedIntros(intros),
      'memes with the same one of two panels': await bench.memes(memes),
    }),
  cards: async (bench, { cards, cardsBefore }) => innocentPart({ 'cards with other words': await bench.cards(cards, cardsBefore) }),
  thresholds: async (bench, { labels }) => thresholdsPart(await bench.thresholds(Math.ceil(labels / 4), labels)),
  comparison: async (bench, { comparisons }) => comparisonPart(await bench.comparisons(comparisons)),
  search: async (_bench, _sizes, rounds) =>
    searchPart(await measureSearch(rounds === 1 ? SEARCH_SIZES.slice(0, 1) : SEARCH_SIZES, progress)),
  sounds: async () => soundsPart(await measureSounds(SOUNDS, progress)),
};

/**
 * Which changes of generated pictures and clips are found, which innocent files are blocked, and what a comparison and a search of the register
 * cost. `--part` runs one of these, `--n` makes a smaller table of so many pictures and clips; `--rounds 1` leaves out the register of a
 * million hashes.
 */
export async function rights({ n, rounds, part }: BenchArguments): Promise<BenchResult> {
  const names = part === null ? Object.keys(PARTS) : part.split(',');
  const unknown = names.filter((name) => PARTS[name] === undefined);
  if (unknown.length > 0) throw new Error(`Unknown part ${unknown.join(', ')}; available: ${Object.keys(PARTS).join(', ')}`);
  const share = n === null ? 1 : Math.min(1, n / FULL.pictures);
  const sizes = Object.fromEntries(Object.entries(FULL).map(([name, count]) => [name, Math.max(2, Math.round(count * share))])) as Sizes;
  const folder = temporaryFolder('bench-rights');
  try {
    const bench = new RightsBench(folder);
    const table: string[] = [];
    const facts: Record<string, unknown> = { sizes };
    const reached: boolean[] = [];
    for (const name of names) {
      const result = await (PARTS[name] as (typeof PARTS)[string])(bench, sizes, rounds);
      table.push(...result.table, '');
      facts[name] = result.facts;
      reached.push(...result.reached);
    }
    const goals = { reached: reached.filter(Boolean).length, missed: reached.filter((one) => !one).length };
    table.push(`goals: ${goals.reached} pass, ${goals.missed} fail`);
    return { table, facts: { ...facts, goals, machine: aboutMachine() } };
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
        const verdict = judge(await this.print(this.files.change(file, change, seed), 'collected'), [original]);
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

  /** Each is compared with all before it. */
  async memes(count: number): Promise<Counts> {
    const prints: FilePrints[] = [];
    for (let seed = 0; seed < count; seed += 1) prints.push(await this.print(this.files.canvas('meme', paintMeme(seed))));
    progress(`${count} memes`);
    return pairsOf(prints, count);
  }

  async cards(count: number, before: number): Promise<Counts> {
    const prints: FilePrints[] = [];
    for (let seed = 0; seed < count; seed += 1) prints.push(await this.card(seed));
    progress(`${count} cards`);
    return pairsOf(prints, before);
  }

  /** How many copies and innocent pictures are blocked and flagged at each value of the thresholds of pictures, the others at their defaults. */
  async thresholds(pictures: number, labels: number): Promise<ThresholdCounts[]> {
    const rows = PICTURE_THRESHOLDS.flatMap(([name, values]) =>
      values.map((value): ThresholdCounts => ({ name, value, copies: none(), labels: none(), others: none() })),
    );
    const judgeAll = (of: 'copies' | 'labels' | 'others', file: FilePrints, work: FilePrints): void => {
      for (const row of rows) row[of][judge(file, [work], { ...DEFAULT_RIGHTS_THRESHOLDS, [row.name]: row.value })] += 1;
    };
    const innocent: FilePrints[] = [];
    for (let seed = 0; seed < pictures; seed += 1) {
      const file = this.files.picture('original', seed);
      const original = await this.print(file);
      for (const change of CHANGES.filter(({ only }) => only !== 'clip'))
        judgeAll('copies', await this.print(this.files.change(file, change, seed), 'collected'), original);
      innocent.push(await this.card(seed), await this.print(this.files.canvas('meme', paintMeme(seed))));
      progress(`picture ${seed + 1} of ${pictures}`);
    }
    for (let seed = 0; seed < labels; seed += 1) {
      const printed = (last: number) => this.print(this.files.canvas('label', paintLabel(seed, seed + last)));
      judgeAll('labels', await printed(1), await printed(2));
    }
    for (const [index, one] of innocent.entries()) for (const other of innocent.slice(0, index)) judgeAll('others', one, other);
    return rows;
  }

  /** CPU time of the decision about a pair: of copies, which are refined, and of pictures that only look alike, which should cost little. */
  async comparisons(count: number): Promise<Record<string, Percentiles>> {
    const costs: Record<string, number[]> = {};
    const measure = (name: string, file: FilePrints, work: FilePrints): void => {
      const before = process.cpuUsage();
      judge(file, [work]);
      const { user, system } = process.cpuUsage(before);
      (costs[name] ??= []).push((user + system) / 1000);
    };
    const changes = CHANGES.filter(({ name }) => COMPARED.includes(name));
    for (let seed = 0; seed < count; seed += 1) {
      const file = this.files.picture('original', seed);
      const original = await this.print(file);
      const [card, other] = [await this.card(seed), await this.card(seed + 1)];
      for (const change of changes) {
        const copy = await this.print(this.files.change(file, change, seed));
        // the first pairs run before the code is compiled
        for (let round = 0; round < (seed === 0 ? 5 : 1); round += 1) measure(seed === 0 ? 'warm-up' : change.name, copy, original);
      }
      measure('card with the same words', card, card);
      measure('card with other words', card, other);
    }
    delete costs['warm-up'];
    return Object.fromEntries(Object.entries(costs).map(([name, values]) => [name, percentiles(values)]));
  }

  private card(seed: number): Promise<FilePrints> {
    return this.print(this.files.canvas('card', paintCard(seed)));
  }

  /** File hashes are left out: only what is seen counts. */
  private async print(file: string, origin: 'collected' | 'claimed' = 'claimed'): Promise<FilePrints> {
    const { fingerprint } = await this.media.analyse(file, file.endsWith('.mp4') ? 'video' : 'image', this.signal, origin);
    return { ...fingerprint, sha256: null };
  }
}

const COMPARED = ['re-encode', 'crop 4 % a side', 'crop 10 % a side', 'letterbox'];

const scenesOf = (seed: number) => [0, 1, 2].map((scene) => ({ seed: 20_000 + seed * 3 + scene }));

/** The decision about a file when the register holds these works as claims. */
function judge(file: FilePrints, works: readonly FilePrints[], thresholds?: RightsThresholds): Verdict {
  const hits = works.flatMap((work, id) =>
    hitsBetween([file], { kind: 'claim', id: String(id), title: 'A work', published: false }, [work]),
  );
  const matches = matchesOf([file], hits, (hit) => works[Number(hit.id)]?.preview ?? null, thresholds);
  return decideRights([checkedFile(file)], matches).verdict;
}

/** Each file against the given number of files before it, one pair at a time. */
function pairsOf(prints: readonly FilePrints[], before: number): Counts {
  const counts = none();
  for (const [index, one] of prints.entries()) {
    const vague = judge(one, []) !== 'clear';
    for (const other of prints.slice(Math.max(0, index - before), index)) counts[vague ? 'clear' : judge(one, [other])] += 1;
  }
  return counts;
}

function add(results: Map<string, Counts>, name: string, verdict: Verdict): void {
  const counts = results.get(name) ?? none();
  counts[verdict] += 1;
  results.set(name, counts);
}

const verdictOf = (reached: boolean): string => (reached ? 'pass' : 'FAIL');

function changesPart(kind: 'picture' | 'clip', results: Map<string, Counts>): Part {
  const reached: boolean[] = [];
  const rows = CHANGES.flatMap(({ name, goal }) => {
    const counts = results.get(name);
    if (counts === undefined) return [];
    const { blocked, flagged, clear } = counts;
    const caught = ((blocked + flagged) / (blocked + flagged + clear)) * 100;
    reached.push(caught >= goal);
    return [[name, String(blocked), String(flagged), String(clear), `${caught.toFixed(0)} %`, `${goal} %`, verdictOf(caught >= goal)]];
  });
  const table = tableOf([[`changed ${kind}s`, 'found', 'flagged', 'missed', 'caught', 'goal', ''], ...rows]);
  return { table, facts: Object.fromEntries(results), reached };
}

function innocentPart(innocent: Record<string, Counts>): Part {
  const rows = Object.entries(innocent).map(([name, { blocked, flagged, clear }]) => [
    name,
    ...[blocked + flagged + clear, blocked, flagged].map(String),
    '0 blocked',
    verdictOf(blocked === 0),
  ]);
  const table = tableOf([['innocent pairs', 'pairs', 'blocked', 'flagged', 'goal', ''], ...rows]);
  return { table, facts: innocent, reached: Object.values(innocent).map(({ blocked }) => blocked === 0) };
}

function thresholdsPart(rows: ThresholdCounts[]): Part {
  const table = tableOf([
    ['threshold', 'value', 'copies found', 'flagged', 'missed', 'other letter blocked', 'flagged', 'others blocked', 'flagged'],
    ...rows.map(({ name, value, copies, labels, others }) => [
      name,
      value === LIMITS.rightsThresholds[name].default ? `${value} (default)` : String(value),
      ...[copies.blocked, copies.flagged, copies.clear, labels.blocked, labels.flagged, others.blocked, others.flagged].map(String),
    ]),
  ]);
  const defaults = rows.filter(({ name, value }) => value === LIMITS.rightsThresholds[name].default);
  return { table, facts: { rows }, reached: defaults.map(({ labels, others }) => labels.blocked + others.blocked === 0) };
}

function comparisonPart(costs: Record<string, Percentiles>): Part {
  const rows = Object.entries(costs).map(([name, { median, p95 }]) => [
    name,
    String(median),
    String(p95),
    String(GOALS.comparison),
    verdictOf(p95 <= GOALS.comparison),
  ]);
  const table = tableOf([['decision about two pictures', 'CPU ms, median', 'p95', 'goal', ''], ...rows]);
  return { table, facts: costs, reached: Object.values(costs).map(({ p95 }) => p95 <= GOALS.comparison) };
}

function searchPart(costs: Awaited<ReturnType<typeof measureSearch>>): Part {
  const reached: boolean[] = [];
  const cell = (value: number, goal: number, unit: string, isReached: boolean): string => {
    reached.push(isReached);
    return `${value}${unit} of ${goal} ${verdictOf(isReached)}`;
  };
  const table = tableOf([
    ['register of', 'CPU ms per picture, p95', 'CPU ms per video, p95', 'found at 31 bits', 'at 46 bits'],
    ...costs.map(({ hashes, picture, video, foundAt31, foundAt46 }) => [
      `${hashes} hashes`,
      cell(picture.p95, GOALS.picture, '', picture.p95 <= GOALS.picture),
      cell(video.p95, GOALS.video, '', video.p95 <= GOALS.video),
      cell(foundAt31, GOALS.foundAt31, ' %', foundAt31 >= GOALS.foundAt31),
      cell(foundAt46, GOALS.foundAt46, ' %', foundAt46 >= GOALS.foundAt46),
    ]),
  ]);
  return { table, facts: { costs }, reached };
}

/** A goal of the search for pictures holds for sounds as well. */
function soundsPart({ sounds, unrelated, copy, found, wrong }: SoundCost): Part {
  const reached = [unrelated.p95 <= GOALS.video, copy.p95 <= GOALS.video, wrong === 0];
  const table = tableOf([
    ['register of', 'CPU ms, median', 'p95', 'goal', ''],
    [
      `${sounds} sounds: an unrelated one`,
      String(unrelated.median),
      String(unrelated.p95),
      String(GOALS.video),
      verdictOf(reached[0] === true),
    ],
    [`a copy, ${found} % found`, String(copy.median), String(copy.p95), String(GOALS.video), verdictOf(reached[1] === true)],
    ['wrong matches', String(wrong), '', '0', verdictOf(wrong === 0)],
  ]);
  return { table, facts: { sounds, unrelated, copy, found, wrong }, reached };
}
