export interface LaneWork {
  /** Works of one lane go out one after the other. */
  readonly lane: string;
}

/**
 * Accepted work in the order in which it may go out: of each lane one at a time, the next when the former has ended. Work is `accepted`
 * until it has ended, and `out` between `take` and `end` (or `putBack`).
 */
export class KeyedWorkQueue<W extends LaneWork> {
  private readonly lanes = new Map<string, W[]>();
  private readonly ready: W[] = [];
  private readonly isOut = new Set<W>();
  private count = 0;

  get accepted(): number {
    return this.count;
  }

  get out(): number {
    return this.isOut.size;
  }

  accept(work: W): void {
    this.count += 1;
    const lane = this.lanes.get(work.lane);
    if (lane) {
      lane.push(work);
      return;
    }
    this.lanes.set(work.lane, [work]);
    this.ready.push(work);
  }

  take(): W | undefined {
    const work = this.ready.shift();
    if (work) this.isOut.add(work);
    return work;
  }

  /** Ended: the next of its lane may go out. */
  end(work: W): void {
    if (this.isOut.delete(work)) this.remove(work);
  }

  /** It was not taken on; it goes out again before all others, and its lane waits for it. */
  putBack(work: W): void {
    if (this.isOut.delete(work)) this.ready.unshift(work);
  }

  /** Forgets work that is not out and for which `gone` holds. */
  drop(gone: (work: W) => boolean): void {
    for (const work of [...this.lanes.values()].flat()) if (!this.isOut.has(work) && gone(work)) this.remove(work);
  }

  private remove(work: W): void {
    const lane = this.lanes.get(work.lane)!;
    const wasFirst = lane[0] === work;
    lane.splice(lane.indexOf(work), 1);
    this.count -= 1;
    const place = this.ready.indexOf(work);
    if (place >= 0) this.ready.splice(place, 1);
    if (lane.length === 0) this.lanes.delete(work.lane);
    else if (wasFirst) this.ready.push(lane[0]!);
  }
}
