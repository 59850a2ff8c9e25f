import { APP_OF_STAGE, STAGES } from '@autoposter/contracts';
import { UNREACHABLE_STATUSES, unreachableStatuses } from '@autoposter/domain';
import { JOB_TRANSITIONS } from '@autoposter/persistence';
import type { AnyStage } from './define-stage';

/**
 * Checks at start that the process can serve its topics: it has each stage of the application exactly once and no other, steps can be
 * journaled and resumed, an intent precedes each irreversible step, and every status is reachable. Throws an error that lists all faults.
 */
export function proveWiring(stages: readonly AnyStage[], app: string): void {
  const faults = [...faultsOfSet(stages, app), ...stages.flatMap(faultsOfStage), ...faultsOfTables()];
  if (faults.length > 0) throw new Error(['The process is not wired correctly:', ...faults].join('\n  '));
}

function faultsOfSet(stages: readonly AnyStage[], app: string): string[] {
  const faults: string[] = [];
  const names = stages.map((stage) => stage.name);
  for (const name of STAGES) {
    const times = names.filter((other) => other === name).length;
    const expected = APP_OF_STAGE[name] === app ? 1 : 0;
    if (times > 1) faults.push(`The stage ${name} is defined ${times} times; its topic has one consumer.`);
    else if (times < expected) faults.push(`Nothing consumes the requests of ${name}, which belongs to ${app}.`);
    else if (times > expected) faults.push(`The stage ${name} does not belong to ${app}.`);
  }
  return faults;
}

function faultsOfStage(stage: AnyStage): string[] {
  const faults: string[] = [];
  const names = stage.steps.map((step) => step.name);
  if (names.length === 0) faults.push(`The stage ${stage.name} has no steps.`);
  for (const name of new Set(names)) {
    if (names.filter((other) => other === name).length > 1)
      faults.push(`The stage ${stage.name} has two steps called ${name}; journal entries are keyed by name.`);
  }
  if (stage.steps.some((step) => step.effect === 'irreversible') && !(stage.commit.intended && stage.commit.unknown)) {
    faults.push(`The stage ${stage.name} has an irreversible step but lacks the commit functions intended and unknown.`);
  }
  for (const [limit, value] of Object.entries(stage.limits)) {
    if (!Number.isFinite(value) || value < 1) faults.push(`The limit ${limit} of ${stage.name} must be at least 1.`);
  }
  return faults;
}

function faultsOfTables(): string[] {
  const tables: readonly (readonly [string, readonly string[]])[] = [
    ...UNREACHABLE_STATUSES,
    ['a job', unreachableStatuses(JOB_TRANSITIONS, ['requested'])],
  ];
  return tables.flatMap(([subject, statuses]) => statuses.map((status) => `The status ${status} of ${subject} is unreachable.`));
}
