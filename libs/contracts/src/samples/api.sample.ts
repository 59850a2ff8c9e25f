import type { api } from '../api/routes';
import { aiProcessAllBodySample, captionOptionsSample, readyForAiSample, updateCaptionBodySample } from './items.sample';
import { auditEntrySample, auditLogQuerySample } from './system.sample';
import { currentUserSample, signInQuerySample } from './system.sample';
import { contentDetailsSample, contentItemSample, postedItemSample } from './items.sample';
import { dmcaProcessAllBodySample, readyForDmcaSample } from './items.sample';
import {
  clearAllSample,
  downloadSample,
  downloadsQuerySample,
  failedDownloadSample,
  processedUrlSample,
  processUrlBodySample,
} from './items.sample';
import { acceptedItemSample, ackSample, idParamsSample, paginationSample, processAllSample } from './items.sample';
import { healthSample } from './system.sample';
import * as queue from './publishing-and-rights.sample';
import { compatibilitySample, instagramConfigSample } from './publishing-and-rights.sample';
import { eventsQuerySample } from './system.sample';
import * as logs from './system.sample';
import { mediaQuerySample } from './items.sample';
import { failuresSample, failuresSeenBodySample, overviewSample } from './system.sample';
import * as pipeline from './system.sample';
import { publishingRunningSample, publishingStoppedSample } from './publishing-and-rights.sample';
import { claimSample, claimsQuerySample, createClaimBodySample } from './publishing-and-rights.sample';
import { cancelledRunSample } from './system.sample';
import { schedulerStatisticsSample, schedulerStatusSample } from './system.sample';
import * as skipped from './sources.sample';
import * as subreddits from './sources.sample';
import { SAMPLE_ID } from './items.sample';
import { AUTO_PROCESS_STAGE_OPTIONS } from '../api/subreddits.api';

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
const queueStatus = { response: ok(queue.queueStatusSample) };
const queueItem = ok(queue.queueItemSample);
const subreddit = ok(subreddits.subredditSample);
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
    ready: { response: ok([readyForDmcaSample]) },
    processAll: { body: dmcaProcessAllBodySample, response: processAllSample },
    process: { params, response: accepted },
  },
  ai: {
    ready: { response: ok([readyForAiSample]) },
    completed: { query: {}, response: ok([contentItemSample, postedItemSample]) },
    processAll: { body: aiProcessAllBodySample, response: processAllSample },
    process: { params, body: captionOptionsSample, response: accepted },
    discard: { params, response: ackSample },
    updateCaption: { params, body: updateCaptionBodySample, response: ok(contentItemSample) },
  },
  runs: { cancel: { params, response: ok(cancelledRunSample) } },
  content: { details: { params, response: ok(contentDetailsSample) }, restore: { params, response: ok(contentItemSample) } },
  instagram: {
    config: { response: ok(instagramConfigSample) },
    compatibilityTest: { response: ok(compatibilitySample) },
  },
  instagramSource: { process: byUrl, retry: { params, response: accepted } },
  media: { video: { params, query: mediaQuerySample }, cover: { params, query: mediaQuerySample } },
  downloads: {
    list: { query: downloadsQuerySample, response: ok([downloadSample, failedDownloadSample]) },
    remove: { params, response: ackSample },
  },
  reddit: { process: byUrl, retry: { params, response: accepted }, clearAll: { response: clearAllSample } },
  pipeline: { processComplete: byUrl },
  overview: {
    overview: { response: ok(overviewSample) },
    failures: { response: ok(failuresSample) },
    failuresSeen: { body: failuresSeenBodySample, response: ackSample },
  },
  stages: {
    now: { response: ok(pipeline.pipelineSample) },
    deadLetters: { query: pipeline.deadLettersQuerySample, response: page([pipeline.deadLetterEntrySample]) },
    replayAll: { body: pipeline.replayAllBodySample, response: ok(pipeline.replayedAllSample) },
    replay: { params, response: accepted },
    quarantine: { query: pipeline.quarantineQuerySample, response: page([pipeline.quarantinedEntrySample]) },
  },
  subreddits: {
    list: { response: ok([subreddits.subredditSample]) },
    create: { body: subreddits.createSubredditBodySample, response: subreddit },
    autoProcessStages: { response: ok([...AUTO_PROCESS_STAGE_OPTIONS]) },
    schedulerStatus: { response: ok(subreddits.subredditSchedulerStatusSample) },
    schedulerStart: { response: ok(subreddits.subredditSchedulerStatusSample) },
    schedulerStop: { response: ok({ ...subreddits.subredditSchedulerStatusSample, isRunning: false }) },
    toggle: { params, response: subreddit },
    remove: { params, response: ackSample },
    runNow: { params, response: ok({ runId: SAMPLE_ID }) },
    changeStage: { params, body: subreddits.changeAutoProcessStageBodySample, response: subreddit },
  },
  skippedPosts: {
    list: { query: skipped.skippedPostsQuerySample, response: page([skipped.skippedPostSample]) },
    subreddits: { response: ok(['EarthPorn', 'aww']) },
    reasons: { response: ok([skipped.skipReasonOptionSample]) },
    statistics: { query: skipped.skipStatisticsQuerySample, response: ok([skipped.skipStatisticSample]) },
  },
  instagramQueue: {
    list: { query: queue.queueQuerySample, response: page([queue.queueItemSample]) },
    status: queueStatus,
    statistics: { response: ok(queue.queueStatisticsSample) },
    preview: { query: { count: '5' }, response: ok(queue.queuePreviewSample) },
    start: queueStatus,
    stop: queueStatus,
    setInterval: { ...queueStatus, body: queue.queueIntervalBodySample },
    setTimeBlocking: { ...queueStatus, body: queue.timeBlockingBodySample },
    setRandomization: { ...queueStatus, body: queue.randomizationBodySample },
    enqueue: { params, body: queue.enqueueBodySample, response: queueItem },
    remove: { params, response: ackSample },
    setPriority: { params, body: queue.priorityBodySample, response: queueItem },
    setSchedule: { params, body: queue.scheduleBodySample, response: queueItem },
    retry: { params, response: queueItem },
    settle: { params, body: queue.settleBodySample, response: queueItem },
  },
  scheduler: {
    status: { response: ok(schedulerStatusSample) },
    statistics: { response: ok(schedulerStatisticsSample) },
    start: { response: ok(schedulerStatusSample) },
    stop: { response: ok({ ...schedulerStatusSample, isRunning: false }) },
  },
  logs: {
    server: { query: logs.linesQuerySample, response: logs.logLinesSample },
    errors: { query: logs.linesQuerySample, response: logs.logLinesSample },
    process: { query: logs.processLogsQuerySample, response: logs.logLinesSample },
    browser: { query: logs.linesQuerySample, response: logs.browserLogsSample },
    all: { query: logs.linesQuerySample, response: logs.allLogsSample },
    sendBrowser: { body: logs.browserLogsBodySample, response: ackSample },
    clear: { response: ackSample },
  },
  publishing: {
    state: { response: ok(publishingRunningSample) },
    pause: { response: ok(publishingStoppedSample) },
    resume: { response: ok(publishingRunningSample) },
  },
  rights: {
    list: { query: claimsQuerySample, response: page([claimSample]) },
    create: { body: createClaimBodySample, response: ok(claimSample) },
    withdraw: { params, response: ok({ ...claimSample, status: 'withdrawn' }) },
  },
  auditLog: { list: { query: auditLogQuerySample, response: page([auditEntrySample]) } },
  live: { events: { query: eventsQuerySample } },
} satisfies { [R in keyof typeof api]: { [C in keyof (typeof api)[R]]: CallSample } };
