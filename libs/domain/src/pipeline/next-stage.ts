import {
  FULL_AUTOMATION,
  QUEUE_STEP,
  STAGE_CATALOGUE,
  deriveStages,
  type AutoProcessStage,
  type ItemStage,
  type ProcessingError,
  type StageCatalogue,
} from '@autoposter/contracts';
import { failureOf, type Failure } from '../errors/failure';
import { itemFlowOf, type ItemStageOf, type ItemState, type ItemStateOf } from './item-state';

/** Why an item moves: a stage ended, or a person (or the scheduler in a person's name) requested a stage. */
export type Trigger<S extends string = ItemStage> = { by: 'stage'; finished: S } | { by: 'person'; wants: S | 'queue' };

export interface ItemPosition<S extends string = ItemStage, State extends string = ItemState, Setting extends string = AutoProcessStage> {
  state: State;
  autoProcessStage: Setting;
  /** A person has to review the item first: NSFW at the source, a rights flag, a caption that fails policy. */
  needsReview: boolean;
  /** The stage that gave up, while `state` is `failed`. */
  failedStage: S | null;
  /** The post no longer exists at its source: its files were deleted here, and no stage may process it again. */
  sourceRemovedAt?: Date | null;
  /** Oldest first; the last one may name the stage that a retry starts at. */
  processingErrors?: readonly (Pick<ProcessingError, 'stage'> & { resumeFrom?: S | undefined })[];
}

/** Where a failed item starts again: the stage that failed, or the one whose output made it fail. */
export function resumeStage<S extends string = ItemStage>({
  failedStage,
  processingErrors = [],
}: Pick<ItemPosition<S>, 'failedStage' | 'processingErrors'>): S | null {
  const last = processingErrors.at(-1);
  return last !== undefined && last.stage === failedStage ? (last.resumeFrom ?? failedStage) : failedStage;
}

type NextStep<S extends string = ItemStage, State extends string = ItemState> =
  | { enter: S; state: State }
  | { enter: typeof QUEUE_STEP.name; state: typeof QUEUE_STEP.state }
  | { wait: true; state: State }
  | { refuse: Failure };

/** The rules of a catalogue, as one function: buttons, the automatic pipeline and retries all call it. */
export function nextStageOf<const C extends StageCatalogue>(catalogue: C) {
  type S = ItemStageOf<C>;
  type State = ItemStateOf<C>;
  type Setting = ReturnType<typeof deriveStages<C>>['autoProcessOptions'][number]['value'];

  const { activeStates, doneStates, readyState, startStates } = itemFlowOf(catalogue);
  const items = catalogue.filter((entry) => entry.subject === 'item');
  const steps = [...items, QUEUE_STEP];
  const names = steps.map(({ name }) => name) as (S | 'queue')[];
  /** The steps that run without a person, by setting. */
  const automatic = new Map<string, readonly (S | 'queue')[]>(
    steps.flatMap(({ stopBefore }, index) => (stopBefore ? [[stopBefore.value, names.slice(0, index)]] : [])),
  ).set(FULL_AUTOMATION.value, names);
  const entryErrors = new Map(steps.map(({ name, entryError }) => [name as S | 'queue', entryError]));

  const enter = (step: S | 'queue'): NextStep<S, State> =>
    step === QUEUE_STEP.name ? { enter: QUEUE_STEP.name, state: QUEUE_STEP.state } : { enter: step, state: activeStates[step] };

  /** A failed item starts again at the stage that failed, or at the one whose output made it fail, never at a later one. */
  return function nextStage(item: ItemPosition<S, State, Setting>, trigger: Trigger<S>): NextStep<S, State> {
    if (trigger.by === 'stage') {
      const following = names[names.indexOf(trigger.finished) + 1] ?? QUEUE_STEP.name;
      const stopsForReview = following === QUEUE_STEP.name && item.needsReview;
      if (stopsForReview || !automatic.get(item.autoProcessStage)?.includes(following)) {
        return { wait: true, state: doneStates[trigger.finished] };
      }
      return enter(following);
    }
    const { wants } = trigger;
    if (item.sourceRemovedAt && item.state !== 'deleted') return { refuse: failureOf('item_removed_at_source') };
    const from: readonly State[] = wants === QUEUE_STEP.name ? [readyState] : startStates[wants];
    if (!from.includes(item.state)) {
      const fields = { rule: entryErrors.get(wants) ?? '', state: item.state };
      return { refuse: failureOf('item_in_wrong_state', { fields }) };
    }
    const resumesAt = resumeStage<S>(item);
    if (item.state === 'failed' && resumesAt !== null && resumesAt !== wants) {
      const failedStage = item.failedStage ?? resumesAt;
      if (resumesAt !== failedStage) return { refuse: failureOf('item_input_damaged', { fields: { failedStage, resumesAt } }) };
      return { refuse: failureOf('item_failed_elsewhere', { fields: { failedStage } }) };
    }
    return enter(wants);
  };
}

/** Decides which stage an item enters next. */
export const nextStage = nextStageOf(STAGE_CATALOGUE);
