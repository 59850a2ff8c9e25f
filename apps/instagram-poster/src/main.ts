import { bindStage, runWorker } from '@autoposter/job-engine';
import { accountChecks, watchAccount } from './account/check-account';
import { mediaAddressWatch, watchMediaAddress } from './account/check-media-address';
import { watchConnectedAccounts } from './account/connected-accounts';
import { posterTools, ToolsByAccount } from './poster.tools';
import { postStage } from './post/post.stage';
import { watchPosts } from './published/check-posts';
import { reconcileStage } from './reconcile/reconcile.stage';
import type { PublishAttempt } from '@autoposter/persistence';
import { watchTakedowns } from './takedowns/remove-posts';

void runWorker('instagram-poster', (systems, signal) => {
  const tools = posterTools(systems);
  const checks = accountChecks(systems, tools);
  if (checks !== null) watchAccount({ ...checks, logger: systems.logger, signal });
  watchMediaAddress({ ...mediaAddressWatch(systems, tools.links), logger: systems.logger, signal });
  const accounts = new ToolsByAccount(systems, tools);
  const publisherOf = async (userId: string) => {
    const { platform } = await accounts.of(userId);
    return platform?.accountId === userId ? platform : null;
  };
  const { database, logger } = systems;
  watchTakedowns({ publisherOf, database, logger, signal });
  watchPosts({ accounts: () => accounts.usable(), database, logger, signal });
  watchConnectedAccounts({ ...systems, checkEnvironmentAccount: checks?.checkAccount ?? null, signal });
  const toolsFor = ({ attempt }: { attempt: PublishAttempt }) => accounts.of(attempt.accountId);
  return [bindStage(postStage, tools, toolsFor), bindStage(reconcileStage, tools, toolsFor)];
});
