import { AUTO_PROCESS_STAGE_OPTIONS, LIMITS, QUEUE_STATUSES, SKIP_REASON_LABELS, TIME_PERIODS } from '@autoposter/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import { REELS_SPECS } from '../screens/settings/reels-specs';
import { capitalised, megabytes, nextRun, sourceName, timeUntil } from '../ui/format';
import { AI_ERROR_TEXT, DASHBOARD_TEXT, processAllLabel } from './dashboard.text';
import { QUEUE_TEXT } from './instagram-queue.text';
import { LOGS_TEXT, SCHEDULER_TEXT, SETTINGS_TEXT } from './operations.text';
import { PROCESSED_TEXT, VIDEO_TEXT } from './processed.text';
import { NAV_TEXT, SHELL_TEXT, TRY_AGAIN } from './shell.text';
import { DENIED_TEXT, GUARD_TEXT, SIGN_IN_TEXT } from './sign-in.text';
import { SKIPPED_TEXT } from './skipped-posts.text';
import { SUBREDDITS_TEXT } from './subreddits.text';
import { URLS_TEXT } from './urls.text';

/** Placeholder for a message inside a text. */
const M = '{message}';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const { dmca, ai, clear, health } = DASHBOARD_TEXT;

/** Every text that the specification quotes: [specified, actual]. */
const SAID: Record<string, readonly (readonly [promised: string, said: string | undefined])[]> = {
  landing: [
    ['Coming Soon', SIGN_IN_TEXT.comingSoon],
    ['Sign in with Google', SIGN_IN_TEXT.button],
    ['Loading...', SIGN_IN_TEXT.loading],
  ],
  'access denied and the guard': [
    ['Access Denied', DENIED_TEXT.title],
    ['Admin Access Required', DENIED_TEXT.subtitle],
    ['Back to Home', DENIED_TEXT.back],
    ['Admin Access Required', GUARD_TEXT.title],
  ],
  navigation: [
    ['Dashboard', NAV_TEXT.dashboard],
    ['URL Manager', NAV_TEXT.urls],
    ['Processed Content', NAV_TEXT.processed],
    ['Subreddit Manager', NAV_TEXT.subreddits],
    ['Skipped Posts', NAV_TEXT.skippedPosts],
    ['Instagram Queue', NAV_TEXT.instagramQueue],
    ['Scheduler Manager', NAV_TEXT.scheduler],
    ['Logs', NAV_TEXT.logs],
    ['Settings', NAV_TEXT.settings],
    ['Logout', SHELL_TEXT.logout],
  ],
  dashboard: [
    ['Instagram Auto-Poster Dashboard', DASHBOARD_TEXT.title],
    ['All Systems Operational', health.good],
    ['System Issues Detected', health.bad],
    ['Checking system status', health.checking],
    ['DMCA Protection', dmca.title],
    ['Refresh DMCA Data', dmca.refresh],
    ['PROCESS DMCA', dmca.process],
    ['No files ready for DMCA protection', dmca.empty],
    ['Download some Reddit content first', dmca.emptyHint],
    ['Error loading DMCA files: {message}', dmca.loadFailed(M)],
    ['Failed to fetch DMCA files', dmca.fallback],
    ['Failed to process all files', dmca.allFailed],
    ['AI Caption Generation', ai.title],
    ['Refresh AI Data', ai.refresh],
    ['PROCESS AI', ai.process],
    ['No files ready for AI processing', ai.empty],
    ['Complete DMCA protection first', ai.emptyHint],
    ['Failed to process all AI files', ai.allFailed],
    ['Dismiss', ai.dismiss],
    ['And 4 more files...', DASHBOARD_TEXT.more(4)],
    ['Process All (10)', processAllLabel(10)],
    ['Process All (10+)', processAllLabel(11)],
    ['API Quota Exceeded', AI_ERROR_TEXT.quotaHeadline],
    ['Wait 24 hours', AI_ERROR_TEXT.solutions[0]],
    ['Upgrade to a paid plan', AI_ERROR_TEXT.solutions[1]],
    ['Use a different API key', AI_ERROR_TEXT.solutions[2]],
    ['AI Processing Error', AI_ERROR_TEXT.headline],
    ['API authentication failed. Please check your Gemini API key configuration.', AI_ERROR_TEXT.authentication],
    ['AI processing failed', AI_ERROR_TEXT.failed],
    ['Clear All Data', clear.title],
    ['1.50 MB', megabytes(1.5 * 1024 * 1024)],
    ['r/aww', sourceName({ platform: 'reddit', subreddit: 'aww', author: 'ada' })],
    ['@ada', sourceName({ platform: 'instagram', subreddit: null, author: 'ada' })],
  ],
  'URL manager': [
    ['Auto-process through complete pipeline (Download → DMCA → AI → Instagram)', URLS_TEXT.auto],
    ['Add URLs', URLS_TEXT.add],
    ['Process Complete Pipeline', URLS_TEXT.complete],
    ['Please enter at least one Reddit or Instagram URL', URLS_TEXT.none],
    ['Invalid URLs (must be Reddit or Instagram): a, b', URLS_TEXT.invalid(['a', 'b'])],
    ['Download Queue', URLS_TEXT.queue],
    ['Refresh', URLS_TEXT.refresh],
    ['No URLs in queue', URLS_TEXT.empty],
    ['Successfully processed 3 URL(s)', URLS_TEXT.done(3, 0)],
    ['Successfully processed 3 URL(s), 2 failed', URLS_TEXT.done(3, 2)],
    ['Failed to process all URLs. 2 URL(s) failed.', URLS_TEXT.allFailed(2)],
    ['Failed to fetch downloads', URLS_TEXT.fetchFailed],
    ['Error fetching downloads: {message}', URLS_TEXT.fetchError(M)],
    ['Retry completed successfully', URLS_TEXT.retried],
    ['Retry failed: {message}', URLS_TEXT.retryFailed(M)],
    ['Error retrying: {message}', URLS_TEXT.retryError(M)],
    ['Are you sure you want to delete this download?', URLS_TEXT.deleteQuestion],
    ['Download deleted successfully', URLS_TEXT.deleted],
    ['Delete failed: {message}', URLS_TEXT.deleteFailed(M)],
    ['Error deleting: {message}', URLS_TEXT.deleteError(M)],
  ],
  'processed content': [
    ['Grid', PROCESSED_TEXT.grid],
    ['Reels', PROCESSED_TEXT.reels],
    ['Refresh', PROCESSED_TEXT.refresh],
    ['+4 more', PROCESSED_TEXT.more(4)],
    ['AI Complete', PROCESSED_TEXT.complete],
    ['Posted', PROCESSED_TEXT.posted],
    ['View Details', PROCESSED_TEXT.details],
    ['AI Analysis', PROCESSED_TEXT.analysis],
    ['Add to Queue', PROCESSED_TEXT.add],
    ['Post Now', PROCESSED_TEXT.postNow],
    ['Discard', PROCESSED_TEXT.discard],
    ['Instagram API not configured', PROCESSED_TEXT.notConfigured],
    ['Use as Caption', PROCESSED_TEXT.useAsCaption],
    ['Video could not be loaded', VIDEO_TEXT.failed],
    ['Open in New Tab', VIDEO_TEXT.openInNewTab],
    ['Video processing in progress...', VIDEO_TEXT.processing],
    ['Error Loading Content', PROCESSED_TEXT.loadError],
    ['Try Again', TRY_AGAIN],
    ['Failed to add to Instagram queue: {message}', PROCESSED_TEXT.addFailed(M)],
    ['Failed to discard post: {message}', PROCESSED_TEXT.discardFailed(M)],
    ['Failed to update caption: {message}', PROCESSED_TEXT.captionFailed(M)],
    ['Caption updated successfully!', PROCESSED_TEXT.captionSaved],
  ],
  'subreddit manager': [
    ['Refresh', SUBREDDITS_TEXT.refresh],
    ['Add Subreddit', SUBREDDITS_TEXT.add],
    ['Cancel', SUBREDDITS_TEXT.cancel],
    ['Active Jobs: 2', SUBREDDITS_TEXT.activeJobs(2)],
    ['Enable', SUBREDDITS_TEXT.enable],
    ['Disable', SUBREDDITS_TEXT.disable],
    ['Run Now', SUBREDDITS_TEXT.runNow],
    ['Running...', SUBREDDITS_TEXT.running],
    ['Delete', SUBREDDITS_TEXT.remove],
    ['Are you sure you want to delete this subreddit?', SUBREDDITS_TEXT.removeQuestion],
    ['No subreddits configured yet.', SUBREDDITS_TEXT.empty],
    ['Add your first subreddit to start automatic scraping!', SUBREDDITS_TEXT.emptyHint],
    ['Loading subreddits...', SUBREDDITS_TEXT.loading],
    ['Error: {message}', SUBREDDITS_TEXT.error(M)],
    ['Overdue', nextRun(at(-1), NOW)],
    ['Very soon', nextRun(at(0.5), NOW)],
    ['in 5 minutes', nextRun(at(5.5), NOW)],
    ['in 3 hours', nextRun(at(185), NOW)],
    ['in 2 days', nextRun(at(2 * 24 * 60 + 1), NOW)],
    ['hour day week month year', TIME_PERIODS.join(' ')],
    ['dmcaProtection aiCaption processedContent queuePost', AUTO_PROCESS_STAGE_OPTIONS.map(({ value }) => value).join(' ')],
  ],
  'skipped posts': [
    ['Skipped Posts', SKIPPED_TEXT.title],
    ['Show Filters', SKIPPED_TEXT.show],
    ['Hide Filters', SKIPPED_TEXT.hide],
    ['Refresh', SKIPPED_TEXT.refresh],
    ['Skip Statistics', SKIPPED_TEXT.statistics],
    ['All Subreddits', SKIPPED_TEXT.allSubreddits],
    ['All Reasons', SKIPPED_TEXT.allReasons],
    ['Skip Date|Post Score|Post Date|Subreddit', Object.values(SKIPPED_TEXT.sorts).join('|')],
    ['Descending', SKIPPED_TEXT.orders.desc],
    ['Ascending', SKIPPED_TEXT.orders.asc],
    ['Clear Filters', SKIPPED_TEXT.clear],
    ['Untitled', SKIPPED_TEXT.untitled],
    ['N/A', SKIPPED_TEXT.notAvailable],
    ['No skipped posts found.', SKIPPED_TEXT.empty],
    ['Error: {message}', SKIPPED_TEXT.error(M)],
  ],
  'skip reasons': [
    ['Score too low', SKIP_REASON_LABELS.min_score_filter],
    ['Post too old', SKIP_REASON_LABELS.max_age_filter],
    ['NSFW filtered', SKIP_REASON_LABELS.nsfw_filter],
    ['Content type not allowed', SKIP_REASON_LABELS.content_type_filter],
    ['Stickied excluded', SKIP_REASON_LABELS.stickied_filter],
    ['Download failed', SKIP_REASON_LABELS.download_failure],
    ['Processing failed', SKIP_REASON_LABELS.processing_failure],
    ['DMCA failed', SKIP_REASON_LABELS.dmca_failure],
    ['AI failed', SKIP_REASON_LABELS.ai_failure],
    ['Duplicate', SKIP_REASON_LABELS.duplicate_post],
    ['Invalid URL', SKIP_REASON_LABELS.invalid_url],
    ['Rate limited', SKIP_REASON_LABELS.rate_limit],
    ['Network error', SKIP_REASON_LABELS.network_error],
    ['Unsupported format', SKIP_REASON_LABELS.unsupported_format],
    ['File too large', SKIP_REASON_LABELS.file_size_limit],
    ['Other', SKIP_REASON_LABELS.other],
  ],
  'Instagram queue': [
    ['Instagram Queue', QUEUE_TEXT.title],
    ['Settings', QUEUE_TEXT.settings],
    ['Refresh', QUEUE_TEXT.refresh],
    ['Loading Instagram queue...', QUEUE_TEXT.loading],
    ['Queue Status', QUEUE_TEXT.status],
    ['Running', QUEUE_TEXT.running],
    ['Stopped', QUEUE_TEXT.stopped],
    ['Start Queue', QUEUE_TEXT.start],
    ['Stop Queue', QUEUE_TEXT.stop],
    ['Posting Interval', QUEUE_TEXT.interval],
    ['Next Post', QUEUE_TEXT.next],
    ['Posts in Queue', QUEUE_TEXT.inQueue],
    ['Minimum interval is 30 minutes, recommended 2+ hours', QUEUE_TEXT.intervalHelp],
    ['Save', QUEUE_TEXT.save],
    ['Save Time Settings', QUEUE_TEXT.saveTime],
    ['Save Randomization', QUEUE_TEXT.saveRandomization],
    ['Scheduled Time|Queue Time|Priority|Subreddit', Object.values(QUEUE_TEXT.sorts).join('|')],
    ['pending scheduled posting posted failed cancelled', QUEUE_STATUSES.join(' ')],
    ['Untitled', QUEUE_TEXT.untitled],
    ['Not scheduled', QUEUE_TEXT.notScheduled],
    ['unknown', QUEUE_TEXT.unknownSource],
    ['Ready to post', timeUntil(at(0), NOW)],
    ['-', timeUntil(null, NOW)],
    ['No posts in queue.', QUEUE_TEXT.empty],
    ['Add content from the Processed Content page to start building your posting schedule.', QUEUE_TEXT.emptyHint],
    ['Error: {message}', QUEUE_TEXT.error(M)],
  ],
  'scheduler manager': [
    ['Start Scheduler', SCHEDULER_TEXT.start],
    ['Stop Scheduler', SCHEDULER_TEXT.stop],
    ['Never', SCHEDULER_TEXT.never],
    ['Has Errors', SCHEDULER_TEXT.hasErrors],
    ['Scheduler started successfully', SCHEDULER_TEXT.started],
    ['Scheduler stopped successfully', SCHEDULER_TEXT.stopped],
    ['Failed to start scheduler: {message}', SCHEDULER_TEXT.startFailed(M)],
    ['Failed to stop scheduler: {message}', SCHEDULER_TEXT.stopFailed(M)],
  ],
  logs: [
    ['Server Logs|Browser Logs|Error Logs|PM2 All Logs|PM2 Errors Only', Object.values(LOGS_TEXT.tabs).join('|')],
    ['50 100 200 500 1000', LIMITS.logs.lines.join(' ')],
    ['Refresh', LOGS_TEXT.refresh],
    ['Refresh All', LOGS_TEXT.refreshAll],
    ['Clear Local Logs', LOGS_TEXT.clear],
    ['No data', LOGS_TEXT.noData],
    ['No logs available. Click refresh to load logs.', LOGS_TEXT.placeholder],
    ['No logs available', LOGS_TEXT.none],
    ['Error loading logs: {message}', LOGS_TEXT.error(M)],
  ],
  settings: [
    ['Test Compatibility Setup', SETTINGS_TEXT.test],
    [
      '1080x1920 (9:16)|720 px|1.91:1 to 9:16|MP4 or MOV|At least 30fps|Maximum 90 seconds|Up to 2,200 characters|420x654',
      REELS_SPECS.map(([, value]) => value).join('|'),
    ],
  ],
};

/** Texts that the specification gives in substance only. */
const MEANT: readonly (readonly [said: string, ...promised: RegExp[]])[] = [
  [DENIED_TEXT.sentence, /not authorized/u],
  [DENIED_TEXT.steps.join(' '), /contact the administrator/iu, /right Google account/u, /in the admin list/u],
  [GUARD_TEXT.prompt, /sign in with an admin account/u],
  [clear.warning, /permanently deleted/u, /cannot be undone/u],
  [
    AI_ERROR_TEXT.quota(LIMITS.ai.requestsPerDay),
    /daily quota/u,
    /50 requests\/day/u,
    /exceeded/u,
    /try again tomorrow/u,
    /upgrade the plan/u,
  ],
  [SETTINGS_TEXT.setVariables, /INSTAGRAM_ACCESS_TOKEN/u, /INSTAGRAM_BUSINESS_ACCOUNT_ID/u],
  [PROCESSED_TEXT.steps.join(' '), /download/iu, /DMCA protection/u, /captions and hashtags/u],
  [SKIPPED_TEXT.emptyHint, /adjust or clear/u],
];

/** Column, field and statistic names; searched in the sources of their screen and in the text catalogue. */
const DRAWN: Record<string, readonly string[]> = {
  'instagram-queue': [
    ...['Post', 'Status', 'Scheduled For', 'Time Until', 'Priority', 'Source', 'Actions'],
    ...['Total Posts', 'Pending', 'Posted', 'Failed', 'Avg Queue Time', 'All'],
  ],
  'skipped-posts': ['Post', 'Subreddit', 'Skip Reason', 'Details', 'Skipped At', 'Post Age', 'Score'],
  subreddits: ['Total Runs', 'Posts Scraped', 'Success Rate', 'running', 'active', 'inactive'],
  scheduler: ['Total Tasks', 'Total Runs', 'Total Errors', 'Avg Runs/Task'],
  urls: ['Retry', 'Delete'],
  settings: ['FFmpeg', 'FFprobe'],
};

const HERE = __dirname;
const sourcesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.tsx?$/u.test(name) && !name.includes('.spec.'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n');
const escaped = (text: string): string => text.replaceAll(/[/.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

describe('specified texts', () => {
  describe.each(Object.entries(SAID))('%s', (_subject, texts) => {
    it.each(texts)('says "%s"', (promised, said) => {
      expect(said).toBe(promised);
    });
  });

  it.each(MEANT)('states what the specification requires in "%s"', (said, ...promised) => {
    for (const part of promised) expect(said).toMatch(part);
  });

  describe.each(Object.entries(DRAWN))('the screen %s', (screen, texts) => {
    const sources = sourcesIn(`${HERE}/../screens/${screen}`) + sourcesIn(HERE);
    it.each(texts)('shows the name "%s"', (text) => {
      expect(new RegExp(`["'\`>]\\s*${escaped(text)}\\s*["'\`<]`, 'u').test(sources)).toBe(true);
    });
  });

  it('capitalises the stored queue statuses', () => {
    expect(QUEUE_STATUSES.map(capitalised)).toEqual(['Pending', 'Scheduled', 'Posting', 'Posted', 'Failed', 'Cancelled']);
  });
});
