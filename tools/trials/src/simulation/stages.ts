import type { Stage } from '@autoposter/contracts';
import {
  type AnyStage,
  defineStep,
  done,
  fail,
  requestStage,
  skip,
  type Step,
  type StepContext,
  unknown,
  wait,
} from '@autoposter/job-engine';
import { failureOf } from '@autoposter/domain';
import type { StageJob, UnitOfWork } from '@autoposter/persistence';
import type { CommittedResult } from './database-model';
import type { Faults } from './faults';
import type { Ledger } from './ledger';
import type { SimulatedUnit } from './simulated-database';
import type { SimulatedProcess, World } from './virtual-time';

interface StageSettings {
  world: World;
  faults: Faults;
  ledger: Ledger;
  process: SimulatedProcess;
  /** How many attempts work longer than a lease. */
  longShare: number;
  /** Jobs whose commits always throw while faults happen. */
  poisoned: ReadonlySet<string>;
}

interface Input {
  subjectId: string;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the steps of a simulated stage pass anything on
type AnyStep = Step<any, any, any>;

/** `download` with steps of each harmless effect; then `post`, which makes an irreversible call and allows one job per account. */
export const SIMULATED_STAGES = ['download', 'post'] as const satisfies readonly Stage[];

export function simulatedStage(name: (typeof SIMULATED_STAGES)[number], settings: StageSettings): AnyStage {
  const { faults, world } = settings;
  const record = async (uow: UnitOfWork, kind: CommittedResult['kind'], job: StageJob): Promise<void> => {
    const isPoisoned = settings.poisoned.has(job.subjectId) && world.elapsedMs < faults.untilMs;
    if ((isPoisoned && kind !== 'started' && kind !== 'intended') || faults.happens('failCommit'))
      throw new Error('the stage cannot commit');
    await (uow as SimulatedUnit).addResult(kind, job);
  };
  return {
    name,
    limits: { timeoutMs: 45_000, slots: 4, slotsForPeople: 1 },
    load: (uow, job) => uow.subjectState(job).then(() => ({ subjectId: job.subjectId })),
    steps:
      name === 'download'
        ? [readStep(settings), storeStep('fetch', settings), storeStep('store', settings)]
        : [storeStep('upload', settings), callStep(settings)],
    commit: {
      started: (uow, _input, job) => record(uow, 'started', job),
      async done(uow, _input, _output, job) {
        if (world.chance(0.02)) return skip('duplicate_post', 'found under the locks of the commit');
        await record(uow, 'done', job);
        if (name === 'download') await requestNext(uow, job);
      },
      skipped: (uow, _input, _reason, _details, job) => record(uow, 'skipped', job),
      failed: (uow, _input, _failure, _step, job) => record(uow, 'failed', job),
      waiting: (uow, _input, _until, _reason, job) => record(uow, 'waiting', job),
      async intended(uow, _input, _stepInput, job) {
        await record(uow, 'intended', job);
        return faults.happens('failCommit') ? skip('duplicate_post', 'the call must not be made') : undefined;
      },
      unknown: (uow, _input, _failure, job) => record(uow, 'unknown', job),
    },
  };
}

/** The next stage, requested in the transaction that ends this one. */
async function requestNext(uow: UnitOfWork, job: StageJob): Promise<void> {
  const asked = await requestStage(uow, {
    stage: 'post',
    subjectId: job.subjectId,
    itemId: job.itemId,
    key: `account ${job.subjectId.charCodeAt(job.subjectId.length - 1) % 2}`,
    maxAttempts: 3,
    actor: 'system',
  });
  if (!asked.accepted) throw new Error('the next stage was not accepted');
}

/** Sleeps, and ends earlier with the signal in most cases. */
const work = ({ world }: StageSettings, ms: number, signal: AbortSignal): Promise<void> => {
  const ignoresSignal = world.chance(0.2);
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    if (!ignoresSignal) signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
};

const readStep = (settings: StageSettings): AnyStep =>
  defineStep({
    name: 'read',
    effect: 'read',
    run: async (input: Input, _tools, context: StepContext) => {
      await work(settings, settings.world.between(0, 2_000), context.signal);
      return outcome(settings, input);
    },
  });

function storeStep(name: string, settings: StageSettings): AnyStep {
  const { world } = settings;
  return defineStep({
    name,
    effect: 'idempotent',
    run: async (input: Input, _tools, context: StepContext) => {
      const ms = world.chance(settings.longShare) ? world.pick([20_000, 40_000]) : world.pick([0, 50, 2_000]);
      // ends at full seconds, so that jobs end together
      await work(settings, ms + 1_000 - (world.elapsedMs % 1_000), context.signal);
      return outcome(settings, input, name);
    },
  });
}

function outcome({ world, faults }: StageSettings, input: Input, redo?: string) {
  const draw = world.elapsedMs < faults.untilMs ? world.random.next() : 1;
  if (draw < 0.05) return fail(failureOf('database_unavailable'));
  if (draw < 0.07) return fail(failureOf('removed_at_source'));
  if (draw < 0.1) return wait(world.between(1, 30), 'a limit', redo === undefined || draw < 0.09 ? {} : { redo });
  if (draw < 0.12) return skip('duplicate_post', 'simulated');
  if (draw < 0.15) throw new Error('a step threw');
  return done(input);
}

/** The call reaches the platform some time after it was sent, and its answer may be lost. */
const callStep = (settings: StageSettings): AnyStep =>
  defineStep({
    name: 'publish',
    effect: 'irreversible',
    run: (input: Input, _tools, context: StepContext) => {
      const { world, faults, ledger, process } = settings;
      context.assertHeld();
      return new Promise((resolve, reject) => {
        faults.mayKill(process);
        if (!process.isAlive) return;
        const result = world.elapsedMs < faults.untilMs ? world.random.next() : 1;
        world.after(faults.latencyMs(), () => {
          if (result < 0.1)
            return world.after(faults.latencyMs(), () => process.enter(() => resolve(fail(failureOf('database_unavailable')))));
          ledger.called(context.jobId);
          faults.mayKill(process);
          faults.mayFreeze(process);
          return world.after(faults.latencyMs(), () =>
            process.enter(() => {
              if (result < 0.2) reject(new Error('the connection was lost during the call'));
              else if (result < 0.25) resolve(unknown(failureOf('call_unanswered', { fields: { step: 'publish' } })));
              else resolve(done(input));
            }),
          );
        });
      });
    },
  });
