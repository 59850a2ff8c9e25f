import fs from 'node:fs';
import path from 'node:path';

/** A log file that starts anew at `maxBytes` and keeps `keep` older ones beside it (`x.log.1` is the newest of those). */
export class RotatingLog {
  private descriptor: number;
  private bytes: number;

  constructor(
    private readonly file: string,
    private readonly maxBytes = 5 * 1024 * 1024,
    private readonly keep = 3,
  ) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.descriptor = fs.openSync(file, 'a');
    this.bytes = fs.fstatSync(this.descriptor).size;
  }

  write(chunk: Buffer): void {
    if (this.bytes > 0 && this.bytes + chunk.length > this.maxBytes) this.rotate();
    fs.writeSync(this.descriptor, chunk);
    this.bytes += chunk.length;
  }

  close(): void {
    fs.closeSync(this.descriptor);
  }

  private rotate(): void {
    fs.closeSync(this.descriptor);
    for (let age = this.keep - 1; age >= 1; age -= 1) {
      if (fs.existsSync(`${this.file}.${age}`)) fs.renameSync(`${this.file}.${age}`, `${this.file}.${age + 1}`);
    }
    fs.renameSync(this.file, `${this.file}.1`);
    this.descriptor = fs.openSync(this.file, 'a');
    this.bytes = 0;
  }
}
