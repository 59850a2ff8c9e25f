import type { LiveFact } from '@autoposter/contracts';
import { LiveHub, type FactSource, type LiveClient } from './live-hub';

const factOf = (seq: number): LiveFact => ({
  seq,
  type: 'queue.changed',
  subjectId: '01890000-0000-7000-8000-000000000001',
  itemId: null,
  stage: null,
  state: null,
  reason: null,
  occurredAt: '2026-05-05T10:00:00.000Z',
});

class Facts implements FactSource {
  kept: LiveFact[] = [];
  reads = 0;
  async after(seq: number, limit: number) {
    this.reads += 1;
    return this.kept.filter((fact) => fact.seq > seq).slice(0, limit);
  }
  async bounds() {
    return { first: this.kept[0]?.seq ?? 0, last: this.kept[this.kept.length - 1]?.seq ?? 0 };
  }
}

class Reader implements LiveClient {
  cursor = 0;
  seen: number[] = [];
  gaps = 0;
  closed = false;
  dropped = false;
  patient = true;
  send(facts: readonly LiveFact[]) {
    this.seen.push(...facts.map((fact) => fact.seq));
    return this.patient;
  }
  gap() {
    this.gaps += 1;
  }
  close() {
    this.closed = true;
  }
  drop() {
    this.dropped = true;
  }
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => factOf(from + index));

describe('LiveHub', () => {
  it('sends a new reader the facts from now on', async () => {
    const facts = new Facts();
    facts.kept = upTo(3);
    const hub = new LiveHub(facts, fail);
    const reader = new Reader();
    await join(hub, reader, null);
    facts.kept.push(factOf(4));
    await hub.wake();
    expect(reader.seen).toEqual([4]);
  });

  it('sends the facts between the start of a reader and its registration', async () => {
    const facts = new Facts();
    facts.kept = upTo(3);
    const hub = new LiveHub(facts, fail);
    const reader = new Reader();
    const beginning = await hub.begin(null);
    facts.kept.push(factOf(4));
    await hub.join(reader, beginning);
    expect(reader.seen).toEqual([4]);
  });

  it('sends the facts since its last number to a reader that joins while others are served', async () => {
    const facts = new Facts();
    facts.kept = upTo(5);
    const hub = new LiveHub(facts, fail);
    await join(hub, new Reader(), null);
    const late = new Reader();
    let joined: Promise<void> | undefined;
    const after = facts.after.bind(facts);
    facts.after = async (seq, limit) => {
      const page = await after(seq, limit);
      joined ??= hub.join(late, { cursor: 2, gap: false });
      return page;
    };
    facts.kept.push(factOf(6));
    await hub.wake();
    await joined;
    expect(late.seen).toEqual([3, 4, 5, 6]);
  });

  it('replays every fact after the last number once, over several pages', async () => {
    const facts = new Facts();
    facts.kept = upTo(1203);
    const hub = new LiveHub(facts, fail);
    const late = new Reader();
    const current = new Reader();
    await join(hub, current, null);
    await join(hub, late, 2);
    expect(late.seen).toEqual(upTo(1203, 3).map((fact) => fact.seq));
    expect(current.seen).toEqual([]);
    expect(late.gaps).toBe(0);
  });

  it('reports a gap when missed facts are deleted or the numbering has restarted', async () => {
    const facts = new Facts();
    facts.kept = upTo(20, 10);
    const hub = new LiveHub(facts, fail);
    const [old, restored, edge] = [new Reader(), new Reader(), new Reader()];
    await join(hub, old, 5);
    await join(hub, restored, 500);
    await join(hub, edge, 9);
    expect([old.gaps, restored.gaps, edge.gaps]).toEqual([1, 1, 0]);
    expect(edge.seen).toHaveLength(11);
    expect(old.seen).toEqual([]);
  });

  it('does not read concurrently, and misses no event that arrives during a read', async () => {
    const facts = new Facts();
    const hub = new LiveHub(facts, fail);
    const reader = new Reader();
    await join(hub, reader, 0);
    facts.reads = 0;
    facts.kept = upTo(2);
    const first = hub.wake();
    facts.kept = upTo(3);
    await Promise.all([first, hub.wake(), hub.wake(), hub.wake()]);
    expect(reader.seen).toEqual([1, 2, 3]);
    expect(facts.reads).toBeLessThanOrEqual(2);
  });

  it('disconnects a reader that does not keep up, and delivers to the others', async () => {
    const facts = new Facts();
    const hub = new LiveHub(facts, fail);
    const [slow, quick] = [new Reader(), new Reader()];
    await join(hub, slow, 0);
    await join(hub, quick, 0);
    slow.patient = false;
    facts.kept = upTo(1);
    await hub.wake();
    facts.kept = upTo(2);
    await hub.wake();
    expect([slow.dropped, hub.size, quick.seen]).toEqual([true, 1, [1, 2]]);
  });

  it('asks a reader that missed more than 10,000 facts to refetch everything instead of replaying them', async () => {
    const facts = new Facts();
    facts.kept = upTo(10_012);
    const hub = new LiveHub(facts, fail);
    const [far, near] = [new Reader(), new Reader()];
    await join(hub, far, 11);
    await join(hub, near, 12);
    expect([far.gaps, far.seen.length, near.gaps, near.seen.length]).toEqual([1, 0, 0, 10_000]);
  });

  it('continues after a failed read', async () => {
    const facts = new Facts();
    const errors: unknown[] = [];
    const hub = new LiveHub(facts, (error) => errors.push(error));
    const reader = new Reader();
    await join(hub, reader, 0);
    facts.kept = upTo(1);
    const real = facts.after.bind(facts);
    facts.after = () => Promise.reject(new Error('away'));
    await hub.wake();
    facts.after = real;
    await hub.wake();
    expect(errors).toHaveLength(1);
    expect(reader.seen).toEqual([1]);
  });
});

const join = async (hub: LiveHub, reader: Reader, lastSeen: number | null) => hub.join(reader, await hub.begin(lastSeen));

function fail(error: unknown): never {
  throw error;
}
