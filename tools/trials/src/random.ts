/** A small generator with a seed: the same seed gives the same trial. */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed, 0x9e3779b1) | 0;
  }

  /** 0 to 1, 1 excluded. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const left = [...values];
    for (let index = left.length - 1; index > 0; index -= 1) {
      const other = Math.floor(this.next() * (index + 1));
      [left[index], left[other]] = [left[other] as T, left[index] as T];
    }
    return left;
  }
}
