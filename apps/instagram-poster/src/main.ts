import { bindStage, runWorker } from '@autoposter/job-engine';
import { accountChecks, watchAccount } from './account/check-account';
import { watchConnectedAccounts } from './account/connected-accounts';
import { posterTools } from './poster.tools';
import { postStage } from './post/post.stage';
import { watchPosts } from './published/check-posts';
import { reconcileStage } from './reconcile/reconcile.stage';
import { watchTakedowns } from './takedowns/remove-posts';

void runWorker('instagram-poster', (systems, signal) => {
  const tools = posterTools(systems);
  const looks = accountChecks(systems, tools);
  if (looks !== null) watchAccount({ ...looks, logger: systems.logger, signal });
  if (tools.platform !== null) {
    const watched = { publisher: tools.platform, database: systems.database, logger: systems.logger, signal };
    watchTakedowns(watched);
    watchPosts(watched);
  }
  watchConnectedAccounts({ ...systems, signal });
  return [bindStage(postStage, tools), bindStage(reconcileStage, tools)];
});
