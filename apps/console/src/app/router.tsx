import { Navigate, type RouteObject, useRouteError } from 'react-router-dom';
import { AccessDeniedScreen } from '../screens/access-denied/access-denied.screen';
import { LandingScreen } from '../screens/landing/landing.screen';
import { SCREEN_ERROR_TEXT as TEXT } from '../text/sign-in.text';
import { ActionButton } from '../ui/actions';
import { CentredCard, LoadingPage } from '../ui/centred-card';
import { Typography } from '../ui/mui';

/** Error boundary outside the shell. Also shown when a chunk is missing after a new version was deployed. */
function ScreenError() {
  const error = useRouteError();
  return (
    <CentredCard title={TEXT.title}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{error instanceof Error ? error.message : TEXT.unknown}</Typography>
      <Typography sx={{ color: 'text.secondary' }}>{TEXT.hint}</Typography>
      <ActionButton label={TEXT.again} variant="contained" onClick={() => window.location.reload()} />
    </CentredCard>
  );
}

/** Admin screens are lazy, so that the sign-in page stays small. */
export const routes: RouteObject[] = [
  { path: '/', element: <LandingScreen />, errorElement: <ScreenError /> },
  { path: '/access-denied', element: <AccessDeniedScreen /> },
  {
    path: '/admin',
    lazy: async () => ({ Component: (await import('./admin')).Admin }),
    errorElement: <ScreenError />,
    HydrateFallback: LoadingPage,
    children: [
      {
        lazy: async () => ({ ErrorBoundary: (await import('./admin')).ScreenProblem }),
        children: [
          { index: true, lazy: async () => ({ Component: (await import('../screens/dashboard/dashboard.screen')).DashboardScreen }) },
          { path: 'urls', lazy: async () => ({ Component: (await import('../screens/urls/urls.screen')).UrlsScreen }) },
          { path: 'processed', lazy: async () => ({ Component: (await import('../screens/processed/processed.screen')).ProcessedScreen }) },
          {
            path: 'subreddits',
            lazy: async () => ({ Component: (await import('../screens/subreddits/subreddits.screen')).SubredditsScreen }),
          },
          {
            path: 'skipped-posts',
            lazy: async () => ({ Component: (await import('../screens/skipped-posts/skipped-posts.screen')).SkippedPostsScreen }),
          },
          {
            path: 'instagram-queue',
            lazy: async () => ({ Component: (await import('../screens/instagram-queue/instagram-queue.screen')).InstagramQueueScreen }),
          },
          { path: 'scheduler', lazy: async () => ({ Component: (await import('../screens/scheduler/scheduler.screen')).SchedulerScreen }) },
          { path: 'logs', lazy: async () => ({ Component: (await import('../screens/logs/logs.screen')).LogsScreen }) },
          { path: 'settings', lazy: async () => ({ Component: (await import('../screens/settings/settings.screen')).SettingsScreen }) },
          { path: 'items/:id', lazy: async () => ({ Component: (await import('../screens/item/item.screen')).ItemScreen }) },
          { path: 'rights', lazy: async () => ({ Component: (await import('../screens/rights/rights.screen')).RightsScreen }) },
          { path: 'pipeline', lazy: async () => ({ Component: (await import('../screens/pipeline/pipeline.screen')).PipelineScreen }) },
          // Former path of the subreddit scheduler.
          { path: 'subreddit-scheduler', element: <Navigate to="/admin/subreddits" replace /> },
          { path: '*', element: <Navigate to="/admin" replace /> },
        ],
      },
    ],
  },
  { path: '*', element: <Navigate to="/" replace /> },
];
