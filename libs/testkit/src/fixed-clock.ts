/** A clock that stands until it is moved. */
export class FixedClock {
  constructor(private at: Date = new Date('2026-03-01T12:00:00.000Z')) {}

  readonly now = (): Date => new Date(this.at);

  advance(milliseconds: number): void {
    this.at = new Date(this.at.getTime() + milliseconds);
  }
}
