/**
 * Notices a consumer that is connected and hears nothing: no answer to a fetch or a heartbeat for `deafMs`. Such stalls are known of every
 * Kafka client and show in no error. A consumer that is not connected is not deaf, it is away, and tries to come back by itself.
 */
export class StallDetector {
  private connected = false;
  private lastHeard = 0;
  private lastLook = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly deafMs: number,
    private readonly onStalled: () => void,
    private readonly now: () => number = Date.now,
  ) {
    this.lastLook = this.now();
    this.timer = setInterval(() => this.look(), this.everyMs);
    this.timer.unref();
  }

  isConnected(connected: boolean): void {
    this.connected = connected;
    this.lastHeard = this.now();
  }

  heard(): void {
    this.lastHeard = this.now();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private get everyMs(): number {
    return Math.max(10, this.deafMs / 4);
  }

  private look(): void {
    const now = this.now();
    // The whole process stood still, not the consumer: it gets its time again.
    if (now - this.lastLook > this.everyMs * 2) this.lastHeard = now;
    this.lastLook = now;
    if (!this.connected || now - this.lastHeard < this.deafMs) return;
    this.lastHeard = now;
    this.onStalled();
  }
}
