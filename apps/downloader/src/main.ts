import { bindStage, runWorker } from '@autoposter/stage-runner';
import { collectStage } from './collect/collect.stage';
import { downloadStage } from './download/download.stage';
import { downloaderTools } from './downloader.tools';

void runWorker('downloader', (systems) => {
  const tools = downloaderTools(systems);
  return [bindStage(collectStage, tools), bindStage(downloadStage, tools)];
});
