import { bindStage, reportDaily, runWorker } from '@autoposter/job-engine';
import { discardStored } from '@autoposter/workflow';
import { dmcaStage } from './dmca/dmca.stage';
import { dmcaTools } from './dmca.tools';
import { watchPrints } from './register/refresh-prints';
import { registerStage } from './register/register.stage';

void runWorker('dmca-worker', (systems, signal) => {
  const tools = dmcaTools(systems);
  reportDaily(systems, 'media-tools', () => tools.media.capabilities(), signal);
  watchPrints({ ...systems, media: tools.media, signal });
  return [{ ...bindStage(dmcaStage, tools), discard: discardStored(systems) }, bindStage(registerStage, tools)];
});
