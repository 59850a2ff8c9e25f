import { bindStage, runWorker } from '@autoposter/stage-runner';
import { lookAtAccount } from './account/look-at-account';
import { watchAccount } from './account/watch-account';
import { posterTools } from './poster.tools';
import { postStage } from './post/post.stage';
import { reconcileStage } from './reconcile/reconcile.stage';

void runWorker('instagram-poster', (systems, signal) => {
  const tools = posterTools(systems);
  const look = lookAtAccount(systems, tools);
  if (look !== null) watchAccount({ look, logger: systems.logger, signal });
  return [bindStage(postStage, tools), bindStage(reconcileStage, tools)];
});
