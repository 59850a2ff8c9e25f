import { bindStage, keepReporting, runWorker } from '@autoposter/stage-runner';
import { aiStage } from './ai/ai.stage';
import { aiTools } from './ai.tools';
import { checkModels } from './check-models';

void runWorker('ai-worker', (systems, signal) => {
  const tools = aiTools(systems);
  keepReporting(
    systems,
    'ai-models',
    async () => {
      await tools.budget.configure();
      return checkModels(tools);
    },
    signal,
  );
  return [bindStage(aiStage, tools)];
});
