import { bindStage, processName, runWorker } from '@autoposter/job-engine';
import { discardStored } from '@autoposter/workflow';
import { collectStage } from './collect/collect.stage';
import { downloadStage } from './download/download.stage';
import { downloaderTools } from './downloader.tools';
import { watchAccess } from './reddit-access/reddit-access';
import { watchRemovals } from './removals/find-removed';
import { retrieveStage } from './retrieve/retrieve.stage';

void runWorker('downloader', (systems, signal) => {
  const tools = downloaderTools(systems);
  const { database, logger } = systems;
  watchAccess({ reddit: tools.redditClient, access: tools.access, database, owner: processName('downloader'), logger, signal });
  if (tools.reddit !== null) watchRemovals({ reddit: tools.reddit, database, objects: systems.objects, logger, signal });
  return [
    bindStage(collectStage, tools),
    { ...bindStage(downloadStage, tools), discard: discardStored(systems) },
    bindStage(retrieveStage, tools),
  ];
});
