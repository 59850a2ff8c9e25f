import { bindStage, runWorker } from '@autoposter/stage-runner';
import { aiStage } from './ai/ai.stage';
import { aiTools } from './ai.tools';

void runWorker('ai-worker', (systems) => [bindStage(aiStage, aiTools(systems))]);
