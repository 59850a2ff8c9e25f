import {
  COLLECT_STAGE,
  deriveStages,
  PUBLISH_STAGE,
  RECONCILE_STAGE,
  STAGE_CATALOGUE,
  type StageCatalogue,
  type StageEntry,
} from '@autoposter/contracts';
import { itemFlowOf } from '@autoposter/domain';

const list = (values: readonly string[]): string => `(${values.map((value) => `'${value}'`).join(',')})`;

/** The stages and item states of a catalogue as SQL lists. They are constants of the program, so that they need no parameters. */
function stageSqlOf(catalogue: StageCatalogue) {
  const { withItemState, oneJobPerKey, writingMedia } = deriveStages(catalogue);
  const about = (...subjects: StageEntry['subject'][]) =>
    list(catalogue.filter(({ subject }) => subjects.includes(subject)).map(({ name }) => name));
  return {
    withItemState: list(withItemState),
    oneJobPerKey: list(oneJobPerKey),
    writingMedia: list(writingMedia),
    aboutPublishAttempts: about('publishAttempt'),
    beforePublishing: about('item', 'collectRun'),
    /** Pairs of an item stage and the state of an item that it works on. */
    activeStates: `(${Object.entries(itemFlowOf(catalogue).activeStates)
      .map((pair) => list(pair))
      .join(',')})`,
  };
}

export const STAGE_SQL = {
  ...stageSqlOf(STAGE_CATALOGUE),
  collect: `'${COLLECT_STAGE}'`,
  publish: `'${PUBLISH_STAGE}'`,
  reconcile: `'${RECONCILE_STAGE}'`,
} as const;
