export interface KeyedWork {
  /** Work of one queue key runs one at a time, in order. */
  readonly queueKey: string;
}

/**
 * Accepted work in order: of each key one at a time, the next when the previous one has ended. Work is `running` between `take` and `end` (or
 * `requeue`).
 */
export class KeyedWorkQueue<W extends KeyedWork> {
  private readonly byKey = new Map<string, W[]>();
  private readonly ready: W[] = [];
  private readonly taken = new Set<W>();

  get running(): number {
    return this.taken.size;
  }

  accept(work: W): void {
    const sameKey = this.byKey.get(work.queueKey);
    if (sameKey) {
      sameKey.push(work);
      return;
    }
    this.byKey.set(work.queueKey, [work]);
    this.ready.push(work);
  }

  find(matches: (work: W) => boolean): W | undefined {
    return [...this.byKey.values()].flat().find(matches);
  }

  take(): W | undefined {
    const work = this.ready.shift();
    if (work) this.taken.add(work);
    return work;
  }

  /** Removes ended work; the next of its key becomes ready. */
  end(work: W): void {
    if (this.taken.delete(work)) this.remove(work);
  }

  /** Puts rejected work back at the front; the rest of its key keeps waiting. */
  requeue(work: W): void {
    if (this.taken.delete(work)) this.ready.unshift(work);
  }

  /** Removes the work that matches and is not running. */
  drop(matches: (work: W) => boolean): void {
    for (const work of [...this.byKey.values()].flat()) if (!this.taken.has(work) && matches(work)) this.remove(work);
  }

  private remove(work: W): void {
    const sameKey = this.byKey.get(work.queueKey)!;
    const wasFirst = sameKey[0] === work;
    sameKey.splice(sameKey.indexOf(work), 1);
    const position = this.ready.indexOf(work);
    if (position >= 0) this.ready.splice(position, 1);
    if (sameKey.length === 0) this.byKey.delete(work.queueKey);
    else if (wasFirst) this.ready.push(sameKey[0]!);
  }
}
