import { PipelineError } from '@autoposter/domain';
import { runFfprobe } from './ffprobe';
import type { Toolbox } from './media-limits';
import type { SniffedFile } from './sniff';

/** Presentation times of the packets of one track, in seconds. */
interface Track {
  start: number;
  end: number;
  /** How long the track plays before the edit list of its file lets it be seen or heard. */
  hiddenSeconds: number;
  /** No frame after a key frame is shown before it. */
  closedGroups: boolean;
  /** Frames per second if all frames last equally long, otherwise `null`. */
  constantRate: number | null;
}

/** More than 15 minutes at 500 frames per second. */
const MAX_PACKETS = 500_000;

/**
 * Reads the times of all packets without decoding them: the only source for containers whose header has no length per track (Matroska, WebM,
 * animated pictures), and the proof that a file may be copied. Absent tracks are absent in the result.
 */
export async function readTimeline(toolbox: Toolbox, file: SniffedFile, signal: AbortSignal): Promise<Map<number, Track>> {
  const tracks = new Map<number, TrackReader>();
  let pending = '';
  let packets = 0;
  const take = (line: string): void => {
    const [index, pts, duration, flags] = line.split(',');
    if (index === undefined || flags === undefined) return;
    packets += 1;
    if (packets > MAX_PACKETS) throw PipelineError.of('media_too_many_packets', { fields: { limit: MAX_PACKETS } });
    const reader = tracks.get(Number(index)) ?? new TrackReader();
    tracks.set(Number(index), reader);
    reader.add(Number(pts), Number(duration), flags);
  };
  await runFfprobe(toolbox, file, {
    show: ['-of', 'csv=p=0', '-show_entries', 'packet=stream_index,pts_time,duration_time,flags'],
    signal,
    onOutput(chunk) {
      const lines = (pending + chunk.toString('latin1')).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
  });
  take(pending);
  return new Map([...tracks].map(([index, reader]) => [index, reader.result()]));
}

class TrackReader {
  private readonly times: number[] = [];
  private end = Number.NEGATIVE_INFINITY;
  private shownFrom = Number.POSITIVE_INFINITY;
  private lastKeyAt = Number.NEGATIVE_INFINITY;
  private closedGroups = true;

  add(at: number, duration: number, flags: string): void {
    if (!Number.isFinite(at)) return;
    this.times.push(at);
    this.end = Math.max(this.end, at + (Number.isFinite(duration) ? duration : 0));
    if (!flags.includes('D')) this.shownFrom = Math.min(this.shownFrom, at);
    if (flags.startsWith('K')) this.lastKeyAt = at;
    else if (at < this.lastKeyAt) this.closedGroups = false;
  }

  result(): Track {
    const times = Float64Array.from(this.times).sort();
    const start = times[0] ?? 0;
    const last = times.at(-1) ?? 0;
    const mean = times.length > 1 ? (last - start) / (times.length - 1) : 0;
    // containers round times to milliseconds
    const even = times.every((at, index) => Math.abs(at - start - index * mean) <= mean * 0.01 + 0.0015);
    return {
      start,
      // the last packet of an animation may have no length
      end: Math.max(this.end, last + (this.end > last ? 0 : mean)),
      hiddenSeconds: this.shownFrom - start,
      closedGroups: this.closedGroups,
      constantRate: even && mean > 0 ? 1 / mean : null,
    };
  }
}
