import type { Answer } from './answer';
import type { SimulatedClock } from './clock';
import type { SimRequest } from './sim-request';

export interface JournalEntry {
  system: string;
  method: string;
  path: string;
  status: number;
  at: string;
  fault: string | null;
}

const KEPT = 5_000;

/** The last calls of all systems, so that a test can count what the product asked for. Queries are left out: they carry tokens. */
export class CallJournal {
  private readonly entries: JournalEntry[] = [];

  constructor(private readonly clock: SimulatedClock) {}

  note(request: SimRequest, answer: Answer, fault: string | null): void {
    const { system, method, path } = request;
    this.entries.push({ system, method, path, status: answer.status, at: this.clock.iso(), fault });
    if (this.entries.length > KEPT) this.entries.shift();
  }

  list(system: string | null): JournalEntry[] {
    return system ? this.entries.filter((entry) => entry.system === system) : [...this.entries];
  }

  reset(): void {
    this.entries.length = 0;
  }
}
