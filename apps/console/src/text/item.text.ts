import { QUEUE_STEP, STAGE_FACTS } from '@autoposter/contracts';

export const ITEM_TEXT = {
  title: 'Post',
  loading: 'Loading post...',
  loadError: 'This post could not be loaded',
  refresh: 'Refresh',
  original: 'Original post',
  details: 'View Details',
  claim: 'Claim this work',
  way: 'Timeline',
  history: 'Everything that happened',
  caption: 'Caption',
  byHand: 'Write it by hand: the post is then ready, and waits for a look before it goes out.',
  movedOn: 'The post has gone on meanwhile. What you typed is still here; saving it replaces the caption.',
  noRuns: 'No stage has taken this post up yet.',
  stages: { ...STAGE_FACTS.titles, queue: QUEUE_STEP.title },
  states: {
    requested: 'Waiting for a worker',
    running: 'Running',
    waiting: 'Waiting',
    retrying: 'To be tried again',
    done: 'Done',
    dead: 'Failed',
    cancelled: 'Cancelled',
    todo: 'To come',
  },
  attempts: (made: number, most: number) => `Attempt ${made} of ${most}`,
  waited: (text: string) => `waited ${text}`,
  ran: (text: string) => `ran ${text}`,
  next: (moment: string) => `goes on ${moment}`,
  ending: (attempt: number, outcome: string) => `Attempt ${attempt} ended: ${outcome}`,
  rights: 'Rights check',
  verdicts: { clear: 'Clear', flagged: 'A person has to look', blocked: 'Stopped' },
};

/** What happened, in words; a fact that is not listed shows its own name. */
export const FACT_WORDS: Record<string, string> = {
  ...STAGE_FACTS.factLabels,
  'stage.waiting': 'Waiting',
  'stage.retrying': 'To be tried again',
  'stage.cancelled': 'Taken back from the run',
  'item.queued': 'Put into the queue',
  'item.unqueued': 'Taken out of the queue',
  'item.discarded': 'Discarded',
  'item.restored': 'Brought back',
  'item.deleted': 'Deleted',
  'item.edited': 'Caption edited',
};
