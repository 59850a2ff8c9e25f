/** What the jobs of a stage are about: the row that `subjectId` names. */
type StageSubject = 'item' | 'collectRun' | 'publishAttempt' | 'rightsClaim';

/** A role that exactly one stage has in code outside its own folder. */
type StageRole = 'collect' | 'fetch' | 'checkRights' | 'writeCaption' | 'publish' | 'reconcile' | 'fetchWork' | 'registerWork';

/** A value of `autoProcessStage` with its texts in the settings form. */
export interface AutoProcessOption {
  value: string;
  label: string;
  description: string;
}

interface StageFacts {
  /** Folder, topic, metric label, chart value and skip reason all use this name. */
  name: string;
  /** The worker that runs the stage: folder under `apps/`, deployment, first half of the consumer group. */
  app: string;
  /** Short name in lists and filters. */
  label: string;
  /** Long name, for the timeline of an item. */
  title: string;
  /** What the stage does, one line. */
  purpose: string;
  role?: StageRole;
  /** The message key of its topics; it decides the partition and with it the order. */
  topicKey: 'itemId' | 'subredditId' | 'accountId' | 'claimId';
  /** Whether at most one job per message key runs at a time, across all stages with this setting. */
  oneJobPerKey?: true;
  /** Claims that a job may use up before it becomes a dead letter. Other retry rules depend on the failure, not on the stage. */
  attempts: number;
  /** Facts of the stage with the label of their timeline entry. The first four exist for every stage. */
  facts: Readonly<{ requested: string; started: string; completed: string; failed: string } & Record<string, string>>;
  /** The fact of an attempt that ends with `skip`; `completed` if absent. */
  factOnSkip?: string;
  /** The fact of an attempt whose irreversible step has an unknown result; `failed` if absent. */
  factOnUnknown?: string;
}

/** A stage that moves a content item: the item has `activeState` while a job is open and `doneState` afterwards. */
interface ItemStageFacts extends StageFacts {
  subject: 'item';
  activeState: string;
  /** Also the state in which an item waits for the stage that follows. The last item stage ends in `ready`. */
  doneState: string;
  /** States other than the waiting state and `failed` from which a person may start the stage. */
  alsoStartsFrom: readonly string[];
  /** Shown when a person starts the stage from any other state. */
  entryError: string;
  /** What a person calls the stage when it runs over all waiting items, and the defaults of that request; absent where there is none. */
  processAll?: { title: string; batchSize: number; delayBetweenFilesMs: number; maxFiles: number };
  /** The setting with which items wait for a person before this stage. */
  stopBefore?: AutoProcessOption;
  /** Whether the stage replaces the stored files of the item. */
  writesMedia?: true;
  /** Whether a person may finish or discard an item instead of the stage while its job is idle. */
  acceptsManualResult?: true;
  /** One line on where the item is. */
  progress: { waiting: string; active: string; failed: string };
}

interface OtherStageFacts extends StageFacts {
  subject: Exclude<StageSubject, 'item'>;
  activeState?: string;
  doneState?: string;
}

export type StageEntry = ItemStageFacts | OtherStageFacts;
export type StageCatalogue = readonly StageEntry[];

/**
 * All stages in the order in which the pipeline runs them. Topics, transition tables, SQL filters, metrics, API enums, console texts and the
 * chart checks are derived from it (`stages.ts`, `item-state.ts`, `next-stage.ts`).
 */
export const STAGE_CATALOGUE = [
  {
    name: 'collect',
    app: 'downloader',
    label: 'Collect',
    title: 'Collecting',
    purpose: 'Lists the new posts of the subreddits',
    role: 'collect',
    subject: 'collectRun',
    topicKey: 'subredditId',
    attempts: 3,
    facts: {
      requested: 'Subreddit check requested',
      started: 'Subreddit check started',
      completed: 'Subreddit checked',
      failed: 'Subreddit check failed',
    },
    factOnSkip: 'failed',
  },
  {
    name: 'download',
    app: 'downloader',
    label: 'Download',
    title: 'Download',
    purpose: 'Fetches the files',
    role: 'fetch',
    subject: 'item',
    topicKey: 'itemId',
    attempts: 3,
    facts: {
      requested: 'Download requested',
      started: 'Download started',
      completed: 'Downloaded',
      skipped: 'Skipped',
      failed: 'Download failed',
    },
    factOnSkip: 'skipped',
    activeState: 'downloading',
    doneState: 'downloaded',
    alsoStartsFrom: ['deleted', 'discarded'],
    entryError: 'Only a new, failed or removed post can be downloaded',
    writesMedia: true,
    progress: { waiting: 'Waiting for the download', active: 'Downloading', failed: 'Download failed' },
  },
  {
    name: 'dmca',
    app: 'dmca-worker',
    label: 'DMCA',
    title: 'DMCA protection',
    purpose: 'Checks rights and converts files to Reels',
    role: 'checkRights',
    subject: 'item',
    topicKey: 'itemId',
    attempts: 3,
    facts: {
      requested: 'DMCA protection requested',
      started: 'DMCA protection started',
      completed: 'DMCA protection completed',
      blocked: 'Blocked by DMCA protection',
      failed: 'DMCA protection failed',
    },
    factOnSkip: 'blocked',
    activeState: 'protecting',
    doneState: 'protected',
    alsoStartsFrom: ['blocked'],
    entryError: 'Only a downloaded post can go through DMCA protection',
    processAll: { title: 'DMCA protection', batchSize: 1, delayBetweenFilesMs: 3000, maxFiles: 100 },
    stopBefore: {
      value: 'dmcaProtection',
      label: 'Stop at DMCA',
      description: 'Posts are downloaded and wait before DMCA protection.',
    },
    writesMedia: true,
    progress: { waiting: 'Waiting for DMCA protection', active: 'In DMCA protection', failed: 'DMCA protection failed' },
  },
  {
    name: 'ai',
    app: 'ai-worker',
    label: 'AI',
    title: 'AI caption',
    purpose: 'Writes captions and hashtags',
    role: 'writeCaption',
    subject: 'item',
    topicKey: 'itemId',
    attempts: 3,
    facts: { requested: 'Caption requested', started: 'Captioning started', completed: 'Captioned', failed: 'Captioning failed' },
    activeState: 'captioning',
    doneState: 'ready',
    alsoStartsFrom: ['ready'],
    entryError: 'Only a protected post can get a caption',
    processAll: { title: 'AI captions', batchSize: 1, delayBetweenFilesMs: 5000, maxFiles: 10 },
    stopBefore: {
      value: 'aiCaption',
      label: 'Auto DMCA, stop at AI caption',
      description: 'Posts are downloaded and protected, and wait before captioning.',
    },
    acceptsManualResult: true,
    progress: { waiting: 'Waiting for the AI caption', active: 'Writing the AI caption', failed: 'AI caption failed' },
  },
  {
    name: 'post',
    app: 'instagram-poster',
    label: 'Post',
    title: 'Posting',
    purpose: 'Publishes due posts',
    role: 'publish',
    subject: 'publishAttempt',
    topicKey: 'accountId',
    oneJobPerKey: true,
    attempts: 5,
    facts: {
      requested: 'Posting requested',
      started: 'Posting started',
      completed: 'Posted',
      failed: 'Posting failed',
      unknown: 'Verifying publication',
    },
    factOnSkip: 'failed',
    factOnUnknown: 'unknown',
    activeState: 'posting',
    doneState: 'posted',
  },
  {
    name: 'reconcile',
    app: 'instagram-poster',
    label: 'Reconcile',
    title: 'Verification',
    purpose: 'Verifies posts with an unknown result',
    role: 'reconcile',
    subject: 'publishAttempt',
    topicKey: 'accountId',
    oneJobPerKey: true,
    attempts: 10,
    facts: {
      requested: 'Verification requested',
      started: 'Verification started',
      completed: 'Publication verified',
      failed: 'Verification failed',
    },
  },
  {
    name: 'retrieve',
    app: 'downloader',
    label: 'Retrieve',
    title: 'Claimed work',
    purpose: 'Fetches claimed works from their addresses',
    role: 'fetchWork',
    subject: 'rightsClaim',
    topicKey: 'claimId',
    attempts: 3,
    facts: {
      requested: 'Files of a claimed work requested',
      started: 'Fetching a claimed work started',
      completed: 'Claimed work fetched',
      failed: 'Fetching a claimed work failed',
    },
  },
  {
    name: 'register',
    app: 'dmca-worker',
    label: 'Register',
    title: 'Rights register',
    purpose: 'Fingerprints the files of claimed works',
    role: 'registerWork',
    subject: 'rightsClaim',
    topicKey: 'claimId',
    attempts: 3,
    facts: {
      requested: 'Fingerprints requested',
      started: 'Fingerprinting started',
      completed: 'Claimed work fingerprinted',
      failed: 'Fingerprinting failed',
    },
  },
] as const satisfies StageCatalogue;

/** The posting queue: not a stage (no job runs there), but the step between the last item stage and publishing. */
export const QUEUE_STEP = {
  name: 'queue',
  label: 'Queue',
  title: 'Instagram queue',
  state: 'queued',
  entryError: 'Only a post with a caption can go into the queue',
  stopBefore: {
    value: 'processedContent',
    label: 'Auto DMCA and AI, stop at processed',
    description: 'Posts are downloaded, protected and captioned, and wait in Processed Content.',
  },
} as const satisfies { stopBefore: AutoProcessOption } & Record<string, unknown>;

/** The setting with which an item enters the posting queue without a person. */
export const FULL_AUTOMATION = {
  value: 'queuePost',
  label: 'Full automation to the Instagram queue',
  description: 'Posts go all the way into the queue and are published without a review.',
} as const satisfies AutoProcessOption;
