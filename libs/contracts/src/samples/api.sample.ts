import type { api } from '../api/routes';
import { AUTO_PROCESS_STAGE_OPTIONS } from '../api/subreddits.api';
import { ENVIRONMENT_ACCOUNT_ID } from '../vocabulary';
import {
  acceptedItemSample,
  ackSample,
  aiProcessAllBodySample,
  captionOptionsSample,
  clearAllSample,
  contentDetailsSample,
  contentItemSample,
  dmcaProcessAllBodySample,
  downloadSample,
  downloadsQuerySample,
  failedDownloadSample,
  idParamsSample,
  mediaQuerySample,
  paginationSample,
  postedItemSample,
  processAllSample,
  processedUrlSample,
  processUrlBodySample,
  readyForAiSample,
  readyForDmcaSample,
  SAMPLE_ID,
  SAMPLE_TIME,
  updateCaptionBodySample,
} from './items.sample';
import {
  claimedWorkSample,
  requestedWorkSample,
  claimSample,
  claimsQuerySample,
  compatibilitySample,
  createClaimBodySample,
  instagramConfigSample,
  publishingRunningSample,
  publishingStoppedSample,
} from './publishing-and-rights.sample';
import {
  answerCountSample,
  createNoticeBodySample,
  evidenceKeySample,
  evidenceSample,
  noticeSample,
  openMatchSample,
  originalitySample,
  permissionSample,
  requestedPermissionSample,
  rightsCaseSample,
  rightsThresholdsSample,
  strikesSample,
} from './takedown.sample';
import {
  auditEntrySample,
  auditLogQuerySample,
  cancelledRunSample,
  currentUserSample,
  eventsQuerySample,
  failureCauseSample,
  failuresSample,
  retryFailuresBodySample,
  failuresSeenBodySample,
  healthSample,
  overviewSample,
  schedulerStatisticsSample,
  schedulerStatusSample,
  signInQuerySample,
} from './system.sample';
import * as publishing from './publishing-and-rights.sample';
import * as sources from './sources.sample';
import * as system from './system.sample';

/** One valid sample per schema of a call, as it travels: query values are text. */
export interface CallSample {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  response?: unknown;
}

const ok = (data: unknown) => ({ success: true as const, data });
const page = (posts: unknown[]) => ok({ posts, pagination: paginationSample });
const params = idParamsSample;
const accepted = ok(acceptedItemSample);
const ofAccount = { accountId: ENVIRONMENT_ACCOUNT_ID };
const queueStatus = { query: ofAccount, response: ok(publishing.queueStatusSample) };
const queueItem = ok(publishing.queueItemSample);
const subreddit = ok(sources.subredditSample);
const byUrl = { body: processUrlBodySample, response: ok(processedUrlSample) };

/** Samples of every call, in the shape of the table of routes. */
export const apiSamples = {
  auth: {
    signIn: { query: signInQuerySample },
    callback: {},
    me: { response: currentUserSample },
    logout: { response: ackSample },
  },
  health: { health: { response: ok(healthSample) } },
  dmca: {
    ready: { query: {}, response: ok([readyForDmcaSample]) },
    processAll: { body: dmcaProcessAllBodySample, response: processAllSample },
    process: { params, response: accepted },
  },
  ai: {
    ready: { query: {}, response: ok([readyForAiSample]) },
    completed: { query: {}, response: ok([contentItemSample, postedItemSample]) },
    processAll: { body: aiProcessAllBodySample, response: processAllSample },
    process: { params, body: captionOptionsSample, response: accepted },
    discard: { params, response: ackSample },
    updateCaption: { params, body: updateCaptionBodySample, response: ok(contentItemSample) },
  },
  runs: { cancel: { params, response: ok(cancelledRunSample) } },
  content: { details: { params, response: ok(contentDetailsSample) }, restore: { params, response: ok(contentItemSample) } },
  instagram: {
    config: { query: ofAccount, response: ok(instagramConfigSample) },
    capabilities: { query: ofAccount, response: ok(publishing.capabilitiesSample) },
    testMediaAddress: { response: ackSample },
    compatibilityTest: { response: ok(compatibilitySample) },
  },
  instagramAccounts: {
    list: { response: ok(publishing.instagramAccountsSample) },
    connect: {
      body: publishing.connectAccountBodySample,
      response: ok({ authorizationUrl: 'https://www.instagram.com/oauth/authorize?client_id=990000000000042&response_type=code' }),
    },
    callback: { query: { code: 'AQB1', state: 'c3RhdGU' } },
    pause: { params, response: ok(publishingStoppedSample) },
    resume: { params, body: { since: SAMPLE_TIME }, response: ok(publishingRunningSample) },
    changeNeedsPermission: { params, body: { needsPermission: true }, response: ackSample },
    disconnect: { params, response: ackSample },
  },
  instagramSource: { process: byUrl, retry: { params, response: accepted } },
  media: {
    video: { params, query: mediaQuerySample },
    compared: { params, query: mediaQuerySample },
    cover: { params, query: mediaQuerySample },
    uploadedCover: { params, query: mediaQuerySample },
  },
  downloads: {
    list: { query: downloadsQuerySample, response: ok([downloadSample, failedDownloadSample]) },
    remove: { params, response: ackSample },
  },
  reddit: { process: byUrl, retry: { params, response: accepted }, clearAll: { response: clearAllSample } },
  pipeline: { processComplete: byUrl },
  overview: {
    overview: { response: ok(overviewSample) },
    failures: { response: ok(failuresSample) },
    failureCauses: { query: ofAccount, response: ok({ causes: [failureCauseSample] }) },
    retryFailures: { query: ofAccount, body: retryFailuresBodySample, response: ok({ retried: 8, refused: 0 }) },
    failuresSeen: { body: failuresSeenBodySample, response: ackSample },
  },
  stages: {
    now: { response: ok(system.pipelineSample) },
    deadLetters: { query: system.deadLettersQuerySample, response: page([system.deadLetterEntrySample]) },
    replayAll: { body: system.replayAllBodySample, response: ok(system.replayedAllSample) },
    replay: { params, response: accepted },
    quarantine: { query: system.quarantineQuerySample, response: page([system.quarantinedEntrySample]) },
  },
  subreddits: {
    list: { response: ok([sources.subredditSample]) },
    create: { body: sources.createSubredditBodySample, response: subreddit },
    autoProcessStages: { response: ok([...AUTO_PROCESS_STAGE_OPTIONS]) },
    schedulerStatus: { response: ok(sources.subredditSchedulerStatusSample) },
    schedulerStart: { response: ok(sources.subredditSchedulerStatusSample) },
    schedulerStop: { response: ok({ ...sources.subredditSchedulerStatusSample, isRunning: false }) },
    toggle: { params, body: { isActive: false }, response: subreddit },
    remove: { params, response: ackSample },
    runNow: { params, response: ok({ runId: SAMPLE_ID }) },
    changeNeedsPermission: { params, body: { needsPermission: true }, response: subreddit },
    changeStage: { params, body: sources.changeAutoProcessStageBodySample, response: subreddit },
  },
  skippedPosts: {
    list: { query: sources.skippedPostsQuerySample, response: page([sources.skippedPostSample]) },
    subreddits: { response: ok(['EarthPorn', 'aww']) },
    reasons: { response: ok([sources.skipReasonOptionSample]) },
    statistics: { query: sources.skipStatisticsQuerySample, response: ok([sources.skipStatisticSample]) },
  },
  instagramQueue: {
    list: { query: publishing.queueQuerySample, response: page([publishing.queueItemSample]) },
    status: queueStatus,
    statistics: { query: ofAccount, response: ok(publishing.queueStatisticsSample) },
    preview: { query: { count: '5' }, response: ok(publishing.queuePreviewSample) },
    start: queueStatus,
    stop: queueStatus,
    setInterval: { ...queueStatus, body: publishing.queueIntervalBodySample },
    setTimeBlocking: { ...queueStatus, body: publishing.timeBlockingBodySample },
    setRandomization: { ...queueStatus, body: publishing.randomizationBodySample },
    setUncheckedPosts: { ...queueStatus, body: { uncheckedPosts: 'hold' } },
    setBacklogLimit: { ...queueStatus, body: publishing.backlogLimitBodySample },
    setEqualFailures: { ...queueStatus, body: publishing.equalFailuresBodySample },
    enqueue: { params, body: publishing.enqueueBodySample, response: queueItem },
    remove: { params, response: ackSample },
    setPriority: { params, body: publishing.priorityBodySample, response: queueItem },
    setSchedule: { params, body: publishing.scheduleBodySample, response: queueItem },
    publishAnyway: { params, response: queueItem },
    setOptions: { params, body: publishing.publishOptionsSample, response: queueItem },
    setCover: { params, response: queueItem },
    removeCover: { params, response: queueItem },
    retry: { params, response: queueItem },
    inAppTask: { params, response: { success: true as const, data: publishing.inAppTaskSample } },
    publishedInApp: { params, body: publishing.publishedInAppBodySample, response: queueItem },
    settle: { params, body: publishing.settleBodySample, response: queueItem },
  },
  scheduler: {
    status: { response: ok(schedulerStatusSample) },
    statistics: { response: ok(schedulerStatisticsSample) },
    start: { response: ok(schedulerStatusSample) },
    stop: { response: ok({ ...schedulerStatusSample, isRunning: false }) },
  },
  logs: {
    server: { query: system.linesQuerySample, response: system.logLinesSample },
    errors: { query: system.linesQuerySample, response: system.logLinesSample },
    process: { query: system.processLogsQuerySample, response: system.logLinesSample },
    browser: { query: system.linesQuerySample, response: system.browserLogsSample },
    all: { query: system.linesQuerySample, response: system.allLogsSample },
    sendBrowser: { body: system.browserLogsBodySample, response: ackSample },
    clear: { response: ackSample },
  },
  publishing: {
    state: { response: ok(publishingRunningSample) },
    pause: { response: ok(publishingStoppedSample) },
    resume: { body: { since: SAMPLE_TIME }, response: ok(publishingRunningSample) },
  },
  rights: {
    list: { query: claimsQuerySample, response: page([claimSample]) },
    create: { body: createClaimBodySample, response: ok(claimSample) },
    change: { params, body: { status: 'disputed', note: 'Counter notice received' }, response: ok({ ...claimSample, status: 'disputed' }) },
    upload: { params, response: ok({ ...claimSample, work: claimedWorkSample }) },
    allow: { params, body: { kind: 'author', named: 'u/north_light', reason: 'The claimant posts it here.' }, response: ok(claimSample) },
    endAllow: { params, response: ok({ ...claimSample, allowed: [] }) },
    fetchWork: { params, response: ok({ ...claimSample, work: requestedWorkSample }) },
    withdraw: { params, response: ok({ ...claimSample, status: 'withdrawn' }) },
  },
  rightsMatches: {
    list: { query: { verdict: 'flagged', page: '1' }, response: page([openMatchSample]) },
    answer: {
      body: { itemId: openMatchSample.itemId, other: { kind: 'claim', id: openMatchSample.other.id }, answer: 'different' },
      response: ok({ itemId: openMatchSample.itemId, state: 'ready' }),
    },
    counts: { response: ok([answerCountSample]) },
    thresholds: { response: ok(rightsThresholdsSample) },
    setThresholds: { body: rightsThresholdsSample, response: ok(rightsThresholdsSample) },
  },
  originality: {
    state: { query: ofAccount, response: ok(originalitySample) },
    setRule: { query: ofAccount, body: { holdReposts: true, maxRepostShare: 0.5 }, response: ok(originalitySample) },
    ofItem: { params, response: ok({ mark: null }) },
    markItem: { params, body: { mark: 'edited' }, response: ok({ mark: 'edited' }) },
  },
  permissions: {
    list: { query: { page: '1' }, response: page([permissionSample]) },
    create: {
      body: { kind: 'author', named: 'u/fog_watcher', grantor: 'Fog Watcher' },
      response: ok(requestedPermissionSample),
    },
    answer: {
      params,
      body: { granted: true, answer: 'Yes, with credit.', credit: 'Video: @fog_watcher', collaborator: 'fog.watcher' },
      response: ok(permissionSample),
    },
    proof: { params, response: ok(permissionSample) },
    revoke: {
      params,
      body: { reason: 'The author asked us to stop.' },
      response: ok({ ...permissionSample, status: 'revoked', held: { blocked: 0, flagged: 1, out: [] } }),
    },
  },
  takedown: {
    notices: { query: { page: '1' }, response: page([noticeSample]) },
    createNotice: { body: createNoticeBodySample, response: ok(noticeSample) },
    notice: { params, response: ok(noticeSample) },
    answer: { params, body: { answer: noticeSample.draft }, response: ok({ ...noticeSample, status: 'answered' }) },
    counter: {
      params,
      body: { receivedAt: noticeSample.receivedAt, sender: 'Fog Watcher', statement: 'I made this video.' },
      response: ok({ ...noticeSample, status: 'countered' }),
    },
    close: { params, body: { outcome: 'upheld' }, response: ok({ ...noticeSample, status: 'upheld' }) },
    cases: { query: { state: 'open', page: '1' }, response: page([rightsCaseSample]) },
    moveCase: { params, body: { action: 'remove' }, response: ok({ ...rightsCaseSample, state: 'removing' }) },
    strikes: { response: ok(strikesSample) },
  },
  evidence: {
    ofItem: { params, response: ok(evidenceSample) },
    keys: { response: ok({ keys: [evidenceKeySample] }) },
  },
  auditLog: { list: { query: auditLogQuerySample, response: page([auditEntrySample]) } },
  live: { events: { query: eventsQuerySample } },
} satisfies { [R in keyof typeof api]: { [C in keyof (typeof api)[R]]: CallSample } };
