import { QUEUE_STEP, STAGE_FACTS } from '@autoposter/contracts';

export const ITEM_TEXT = {
  title: 'Post',
  loading: 'Loading post...',
  loadError: 'This post could not be loaded',
  refresh: 'Refresh',
  original: 'Original post',
  details: 'View Details',
  claim: 'Claim this work',
  timeline: 'Timeline',
  history: 'History',
  caption: 'Caption',
  manualCaption: 'Write the caption yourself. The post is then ready and needs a review before it is published.',
  movedOn: 'The post moved on in the meantime. Your draft is kept; saving it replaces the caption.',
  noRuns: 'No stage has started this post yet.',
  stages: { ...STAGE_FACTS.titles, queue: QUEUE_STEP.title },
  states: {
    requested: 'Waiting for a worker',
    running: 'Running',
    waiting: 'Waiting',
    retrying: 'Retry scheduled',
    done: 'Done',
    dead: 'Failed',
    cancelled: 'Cancelled',
    todo: 'Not started',
  },
  attempts: (made: number, most: number) => `Attempt ${made} of ${most}`,
  waited: (text: string) => `waited ${text}`,
  ran: (text: string) => `ran ${text}`,
  next: (moment: string) => `resumes ${moment}`,
  ending: (attempt: number, outcome: string) => `Attempt ${attempt} ended: ${outcome}`,
  rights: 'Rights check',
  verdicts: { clear: 'Clear', flagged: 'Needs review', blocked: 'Blocked' },
};

/** Labels of timeline events; an unlisted event shows its type. */
export const EVENT_LABELS: Record<string, string> = {
  ...STAGE_FACTS.factLabels,
  'stage.waiting': 'Waiting',
  'stage.retrying': 'Retry scheduled',
  'stage.cancelled': 'Cancelled',
  'item.queued': 'Added to the queue',
  'item.unqueued': 'Removed from the queue',
  'item.discarded': 'Discarded',
  'item.restored': 'Restored',
  'item.deleted': 'Deleted',
  'item.edited': 'Caption edited',
};
