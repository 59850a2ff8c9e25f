import { QUEUE_STEP, STAGE_CATALOGUE, type DownloadStatus, type StageCatalogue } from '@autoposter/contracts';
import {
  ATTEMPT_TRANSITIONS,
  INITIAL_ATTEMPT_STATES,
  INITIAL_QUEUE_STATUSES,
  QUEUE_TRANSITIONS,
  unreachableStatuses,
  type TransitionTable,
} from './transitions';

type StageStateOf<C extends StageCatalogue> = Extract<C[number], { activeState: string; doneState: string }>['activeState' | 'doneState'];

export type ItemStateOf<C extends StageCatalogue> =
  'accepted' | StageStateOf<C> | typeof QUEUE_STEP.state | 'failed' | 'blocked' | 'discarded' | 'deleted';
export type ItemStageOf<C extends StageCatalogue> = Extract<C[number], { subject: 'item' }>['name'];

/**
 * State of a content item. The `-ing` states mean "requested or running": the stage job knows which.
 * `blocked` is what rights safety refused.
 */
export type ItemState = ItemStateOf<typeof STAGE_CATALOGUE>;

const INITIAL = 'accepted';

/** States and transitions of an item, and the states around each item stage. */
export function itemFlowOf<const C extends StageCatalogue>(catalogue: C) {
  type State = ItemStateOf<C>;
  type Name = ItemStageOf<C>;

  const entries = catalogue.filter((entry) => entry.subject === 'item');
  const stages = entries.map((entry, index) => {
    const waitingState = entries[index - 1]?.doneState ?? INITIAL;
    return { ...entry, waitingState, startStates: [waitingState, ...entry.alsoStartsFrom, 'failed'] };
  });
  const publish = catalogue.find(({ role }) => role === 'publish');
  if (publish?.activeState === undefined || publish.doneState === undefined) throw new Error('the publishing stage has no item states');
  const { activeState: posting, doneState: posted } = publish;
  const { state: queued } = QUEUE_STEP;

  const doneStates = stages.map(({ doneState }) => doneState);
  const ready = doneStates.at(-1) ?? INITIAL;
  const rightsCheck = stages.findIndex(({ role }) => role === 'checkRights');
  const afterRightsCheck = rightsCheck < 0 ? [] : stages.slice(rightsCheck + 1);
  const clearedStates = rightsCheck < 0 ? [] : doneStates.slice(rightsCheck);
  const manual = stages.filter(({ acceptsManualResult }) => acceptsManualResult);
  const startedFrom = (state: string) => stages.filter(({ startStates }) => startStates.includes(state)).map((stage) => stage.activeState);

  const transitions: Record<string, readonly string[]> = { [INITIAL]: [...startedFrom(INITIAL), 'failed', 'deleted'] };
  for (const [index, { activeState, waitingState, doneState, processAll, acceptsManualResult }] of stages.entries()) {
    transitions[activeState] = [
      // cancelling a run over all items returns them to where they waited
      ...(processAll ? [waitingState] : []),
      doneState,
      stages[index + 1]?.activeState ?? queued,
      'blocked',
      'failed',
      ...(acceptsManualResult ? ['discarded'] : []),
      'deleted',
    ];
    transitions[doneState] = [
      ...startedFrom(doneState),
      ...(doneState === ready ? [queued] : []),
      ...manual.filter((stage) => stage.waitingState === doneState).map((stage) => stage.doneState),
      'blocked',
      'failed',
      'discarded',
      'deleted',
    ];
  }
  Object.assign(transitions, {
    [queued]: [posting, ready, 'blocked', 'failed', 'deleted'],
    [posting]: [posted, ready],
    [posted]: ['discarded', 'deleted'],
    failed: [...startedFrom('failed'), ...manual.map(({ doneState }) => doneState), 'blocked', 'discarded', 'deleted'],
    blocked: [...startedFrom('blocked'), 'discarded', 'deleted'],
    discarded: [...startedFrom('discarded'), ...doneStates, 'failed', 'blocked', posted, 'deleted'],
    deleted: startedFrom('deleted'),
  });

  const perStage = <V>(value: (stage: (typeof stages)[number]) => V) =>
    Object.fromEntries(stages.map((stage) => [stage.name, value(stage)])) as Record<Name, V>;
  const all = (states: readonly string[]) => states as readonly State[];
  const statuses: Record<string, DownloadStatus> = {
    [INITIAL]: 'pending',
    ...Object.fromEntries(
      stages.flatMap(({ activeState, doneState }) => [
        [activeState, 'processing'],
        [doneState, 'downloaded'],
      ]),
    ),
    ...Object.fromEntries([ready, queued, posting, posted].map((state) => [state, 'completed'])),
    failed: 'failed',
    blocked: 'failed',
  };

  return {
    states: all(Object.keys(transitions)),
    transitions: transitions as TransitionTable<State>,
    /** The state in which an item waits for a person to start the stage. */
    waitingStates: perStage(({ waitingState }) => waitingState as State),
    /** The state while a job of the stage is open. */
    activeStates: perStage(({ activeState }) => activeState as State),
    /** The state in which an item stops after the stage if nothing follows automatically. */
    doneStates: perStage(({ doneState }) => doneState as State),
    /** The state in which an item waits for a person to queue it. */
    readyState: ready as State,
    /** The states from which a person may start the stage. */
    startStates: perStage(({ startStates }) => all(startStates)),
    /** No work is open: a person may discard the item, and a restored item returns to one of these. */
    restingStates: all([...doneStates, 'failed', 'blocked', posted]),
    /** The item passed the rights check and is not queued yet: a claim entered now has to stop it. */
    rightsCheckedStates: all([...clearedStates, ...afterRightsCheck.map(({ activeState }) => activeState)]),
    /** The item may still be published, and no stage is writing its files. */
    storedStates: all([...stages.flatMap((stage) => (stage.writesMedia ? stage.doneState : [stage.activeState, stage.doneState])), queued]),
    /** Discarded and deleted items are not shown. */
    downloadStatuses: statuses as Record<Exclude<State, 'discarded' | 'deleted'>, DownloadStatus>,
  };
}

export const ITEM_FLOW = itemFlowOf(STAGE_CATALOGUE);

export const ITEM_STATES = ITEM_FLOW.states;
export const INITIAL_ITEM_STATES: readonly ItemState[] = [INITIAL];
export const ITEM_TRANSITIONS = ITEM_FLOW.transitions;
/** Status of a download on the wire. */
export const DOWNLOAD_STATUS_OF = ITEM_FLOW.downloadStatuses;

/** Of each status table of the pipeline, the statuses that no transition reaches. A process with one refuses to start. */
export const UNREACHABLE_STATUSES: readonly (readonly [subject: string, statuses: readonly string[]])[] = [
  ['an item', unreachableStatuses(ITEM_TRANSITIONS, INITIAL_ITEM_STATES)],
  ['a queue item', unreachableStatuses(QUEUE_TRANSITIONS, INITIAL_QUEUE_STATUSES)],
  ['a publish attempt', unreachableStatuses(ATTEMPT_TRANSITIONS, INITIAL_ATTEMPT_STATES)],
];
