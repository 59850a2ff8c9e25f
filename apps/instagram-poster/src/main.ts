import { bindStage, keepReporting, runWorker } from '@autoposter/stage-runner';
import { readAccount } from './account-report';
import { posterTools } from './poster.tools';
import { postStage } from './post/post.stage';
import { reconcileStage } from './reconcile/reconcile.stage';

void runWorker('instagram-poster', (systems, signal) => {
  const tools = posterTools(systems);
  const { publisher } = tools;
  if (publisher !== null) keepReporting(systems, 'instagram-account', () => readAccount(publisher), signal);
  return [bindStage(postStage, tools), bindStage(reconcileStage, tools)];
});
