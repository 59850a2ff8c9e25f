import { aiRoutes } from './ai.api';
import { auditLogRoutes } from './audit-log.api';
import { authRoutes } from './auth.api';
import { contentRoutes } from './content.api';
import { dmcaRoutes } from './dmca.api';
import { downloadsRoutes, instagramSourceRoutes, pipelineRoutes, redditRoutes } from './downloads.api';
import { evidenceRoutes } from './evidence.api';
import { healthRoutes } from './health.api';
import { instagramQueueRoutes } from './instagram-queue.api';
import { instagramAccountsRoutes } from './instagram-accounts.api';
import { instagramRoutes } from './instagram.api';
import { liveRoutes } from './live.api';
import { logsRoutes } from './logs.api';
import { mediaRoutes } from './media.api';
import { overviewRoutes } from './overview.api';
import { stagesRoutes } from './pipeline.api';
import { publishingRoutes } from './publishing.api';
import { originalityRoutes } from './originality.api';
import { permissionsRoutes } from './permissions.api';
import { rightsMatchesRoutes } from './rights-matches.api';
import { rightsRoutes } from './rights.api';
import { runsRoutes } from './runs.api';
import { schedulerRoutes } from './scheduler.api';
import { skippedPostsRoutes } from './skipped-posts.api';
import { subredditsRoutes } from './subreddits.api';
import { takedownRoutes } from './takedown.api';
import type { Route } from './route';

/** All calls: the gateway serves this table, the console calls it, and OpenAPI is generated from it. */
export const api = {
  auth: authRoutes,
  health: healthRoutes,
  dmca: dmcaRoutes,
  ai: aiRoutes,
  runs: runsRoutes,
  content: contentRoutes,
  instagram: instagramRoutes,
  instagramAccounts: instagramAccountsRoutes,
  instagramSource: instagramSourceRoutes,
  media: mediaRoutes,
  downloads: downloadsRoutes,
  reddit: redditRoutes,
  pipeline: pipelineRoutes,
  overview: overviewRoutes,
  stages: stagesRoutes,
  subreddits: subredditsRoutes,
  skippedPosts: skippedPostsRoutes,
  instagramQueue: instagramQueueRoutes,
  scheduler: schedulerRoutes,
  logs: logsRoutes,
  publishing: publishingRoutes,
  rights: rightsRoutes,
  rightsMatches: rightsMatchesRoutes,
  permissions: permissionsRoutes,
  originality: originalityRoutes,
  takedown: takedownRoutes,
  evidence: evidenceRoutes,
  auditLog: auditLogRoutes,
  live: liveRoutes,
} as const;

export const allRoutes: readonly Route[] = Object.values(api).flatMap((table) => Object.values(table) as Route[]);
