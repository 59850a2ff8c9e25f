import fs from 'node:fs';

interface ProcessRow {
  pid: number;
  parent: number;
  residentBytes: number;
  commandLine: string;
}

const SAMPLE_MS = 50;

/** Watches the memory of this process with all its descendants, and the processes that work on files of one folder (Linux). */
export class ProcessWatch {
  private peakBytes = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly folder: string) {
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  static start(folder: string): ProcessWatch {
    return new ProcessWatch(folder);
  }

  stop(): { peakBytes: number; left: string[] } {
    clearInterval(this.timer);
    const left = processes().filter(({ pid, commandLine }) => pid !== process.pid && commandLine.includes(this.folder));
    return { peakBytes: this.peakBytes, left: left.map(({ commandLine }) => commandLine.slice(0, 200)) };
  }

  private sample(): void {
    const all = processes();
    const children = new Map<number, ProcessRow[]>();
    for (const row of all) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
    const sum = (pid: number): number => (children.get(pid) ?? []).reduce((total, row) => total + row.residentBytes + sum(row.pid), 0);
    this.peakBytes = Math.max(this.peakBytes, process.memoryUsage.rss() + sum(process.pid));
  }
}

function processes(): ProcessRow[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = fs.readFileSync(`/proc/${name}/status`, 'utf8');
        const field = (label: string): number => Number(new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        const commandLine = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: field('PPid'), residentBytes: field('VmRSS') * 1024, commandLine }];
      } catch {
        // the process has ended
        return [];
      }
    });
}
