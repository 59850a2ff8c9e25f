import type { Stage } from '@autoposter/contracts';
import type { Database, StageJob, UnitOfWork } from '@autoposter/persistence';
import {
  type CommittedResult,
  connectionLost,
  isConflict,
  isOutage,
  type OutboxRow,
  type ServerModel,
  Transaction,
} from './database-model';
import type { Faults } from './faults';
import { type Execute, JobModel } from './job-model';
import { requestTopic } from './simulated-bus';
import type { SimulatedProcess } from './virtual-time';

/** What a simulated stage commits beside its job. */
export interface SimulatedUnit extends UnitOfWork {
  addResult(kind: CommittedResult['kind'], job: StageJob): Promise<void>;
}

const MAX_ATTEMPTS = 5;

/** The database as one process reaches it: a server model behind a network that delays, cuts connections and loses answers. */
export class SimulatedDatabase {
  readonly read: UnitOfWork;
  readonly isOutage = isOutage;
  private readonly outboxListeners = new Set<() => void>();
  private readonly jobListeners = new Map<() => void, Stage>();

  constructor(
    private readonly server: ServerModel,
    private readonly process: SimulatedProcess,
    private readonly faults: Faults,
    readonly publishing: { requests: boolean; facts: boolean },
    /** Tells the other processes. */
    private readonly notify: (stages: ReadonlySet<Stage>, from: SimulatedDatabase) => void,
  ) {
    this.read = this.unit((statement) => this.send(() => this.server.executeAlone(statement)), null).uow;
  }

  get database(): Database {
    return this as unknown as Database;
  }

  async unitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>, limits?: { lockMs: number }): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transaction(work, new Transaction(true, limits?.lockMs));
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isConflict(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
      }
    }
  }

  onOutbox(listener: () => void): () => void {
    this.outboxListeners.add(listener);
    return () => this.outboxListeners.delete(listener);
  }

  onRequests(stage: Stage, listener: () => void): () => void {
    this.jobListeners.set(listener, stage);
    return () => this.jobListeners.delete(listener);
  }

  /** A notification of the server, or of its own commit. */
  wake(stages: ReadonlySet<Stage>): void {
    for (const [listener, stage] of this.jobListeners) if (stages.has(stage)) listener();
  }

  health(): Promise<{ ok: boolean; detail: string }> {
    return Promise.resolve({ ok: true, detail: 'simulated' });
  }

  private async transaction<T>(work: (uow: UnitOfWork) => Promise<T>, tx: Transaction): Promise<T> {
    // statements of one connection run in the order in which they were sent
    let before: Promise<unknown> = Promise.resolve();
    const inOrder: Execute = (statement) => {
      const waited = before;
      const answer = this.send(async () => {
        await waited;
        return this.server.execute(tx, statement);
      }, tx);
      before = answer.catch(() => undefined);
      return answer;
    };
    const unit = this.unit(inOrder, tx);
    try {
      const result = await work(unit.uow);
      // the last statement and COMMIT are sent together
      await this.send(async () => {
        await before;
        await this.server.execute(tx, () => this.writeLast(tx, unit.messages));
        this.server.commit(tx);
      }, tx);
      if (unit.messages.length > 0) for (const listener of this.outboxListeners) listener();
      if (unit.requested.size > 0) {
        this.wake(unit.requested);
        if (!this.publishing.requests) this.notify(unit.requested, this);
      }
      return result;
    } catch (error) {
      // a lost connection cannot roll back: the server does, when it notices
      if (!isOutage(error)) await this.send(() => Promise.resolve(this.server.rollback(tx)), tx).catch(() => undefined);
      throw error;
    }
  }

  private writeLast(tx: Transaction, messages: readonly OutboxRow[]): void {
    if (this.server.bug === 'a commit forgets its messages') return;
    for (const message of messages) this.server.outbox.insert(message.id, message, tx);
  }

  /**
   * Sends a request, which the server executes, and resolves with its answer. The connection may be lost before the request arrives, after its
   * execution, or with the process. The server then rolls an open transaction back immediately, or after the limit if it does not notice the loss.
   */
  private send<T>(execute: () => Promise<T>, tx: Transaction | null = null): Promise<T> {
    const { process, faults, server } = this;
    const { world } = process;
    return new Promise<T>((resolve, reject) => {
      faults.mayKill(process);
      const fail = (): void => process.enter(() => reject(connectionLost()));
      const abandon = (): void => {
        if (tx !== null && !world.chance(0.3)) server.rollback(tx);
      };
      if (!process.isAlive) {
        abandon();
        return;
      }
      if (faults.isCut(process) || faults.losesRequest()) {
        world.after(faults.latencyMs(), () => (abandon(), fail()));
        return;
      }
      const answer = (deliver: () => void): void => {
        if (faults.losesAnswer() || faults.isCut(process)) {
          world.after(faults.latencyMs(), () => (abandon(), fail()));
          return;
        }
        world.after(faults.latencyMs(), () => {
          faults.mayKill(process);
          if (!process.isAlive) abandon();
          faults.mayFreeze(process);
          process.enter(deliver);
        });
      };
      world.after(faults.latencyMs(), () => {
        execute().then(
          (value) => answer(() => resolve(value)),
          (error: unknown) => answer(() => reject(error as Error)),
        );
      });
    });
  }

  private unit(execute: Execute, tx: Transaction | null) {
    const { server, publishing } = this;
    const messages: OutboxRow[] = [];
    const requested = new Set<Stage>();
    const jobs = new JobModel(server, execute);
    const collect = (topic: string, key: string, jobId: string | null, requestNumber: number): void => {
      if (tx === null) throw new Error('a message needs a unit of work; outside of one it would never be written');
      const dueAt = server.clock;
      messages.push({ id: server.newId(), topic, key, jobId, requestNumber, dueAt, attempts: 0, failure: null });
    };
    const outbox = {
      publishesRequests: publishing.requests,
      request: (all: readonly StageJob[]) => {
        for (const { stage, messageKey, id, requestNumber } of all) {
          requested.add(stage);
          if (publishing.requests) collect(requestTopic(stage), messageKey, id, requestNumber);
        }
      },
      hasRequested: (stage: Stage) => requested.has(stage),
      forgetRequests: (stage: Stage) => void requested.delete(stage),
      bury: () => undefined,
      lockDue: (topics: readonly string[], limit: number) =>
        execute((one) => {
          const due = server.outbox
            .entries(one)
            .filter(([id, row]) => topics.includes(row.topic) && row.dueAt <= server.clock && !server.outbox.isLockedByOther(id, one))
            .map(([, row]) => row)
            .slice(0, limit);
          for (const { id } of due) server.outbox.lockNow(id, one);
          return due.map((row) => ({ ...row, envelope: { payload: { jobId: row.jobId, turn: row.requestNumber } } }));
        }),
      remove: (ids: readonly string[]) =>
        execute((one) => {
          for (const id of ids) server.outbox.write(id, null, one);
        }),
      park: (ids: readonly string[], parking: { failure: string; firstPauseMs: number; doublings: number }) =>
        execute((one) => {
          for (const id of ids) {
            const row = server.outbox.visible(id, one);
            if (row === null) continue;
            const pauseMs = parking.firstPauseMs * 2 ** Math.min(row.attempts, parking.doublings);
            server.outbox.write(id, { ...row, attempts: row.attempts + 1, failure: parking.failure, dueAt: server.clock + pauseMs }, one);
          }
        }),
      release: (topic: string, except: readonly string[]) =>
        execute(async (one) => {
          for (const [id, row] of server.outbox.entries(one)) {
            if (row.topic !== topic || row.failure === null || except.includes(row.failure)) continue;
            await server.outbox.lock(id, one);
            const current = server.outbox.visible(id, one);
            if (current !== null) server.outbox.write(id, { ...current, dueAt: server.clock }, one);
          }
        }),
      discardUnsent: () => execute(() => undefined),
    };
    const unit = {
      jobs,
      outbox,
      history: {
        append: (event: { type: string; subjectId: string }) => {
          if (tx === null) throw new Error('an event needs a unit of work; outside of one it would never be written');
          tx.facts.push(event);
          return event;
        },
      },
      quarantine: { add: () => execute(() => undefined) },
      subjectState: () => execute(() => 'simulated'),
      addResult: (kind: CommittedResult['kind'], { id, requestNumber, fence }: StageJob) =>
        execute((one) => void one.results.push({ jobId: id, requestNumber, fence, kind })),
    };
    // anything else is not part of the model, and using it must not go unnoticed
    const strict = new Proxy(unit, {
      get: (known, name) => {
        if (name in known) return known[name as keyof typeof known];
        throw new Error(`${String(name)} is not simulated`);
      },
    });
    return { uow: strict as unknown as SimulatedUnit, messages, requested };
  }
}
