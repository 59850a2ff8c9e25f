export type { ModelCheck } from './check-model';
export { GeminiCaptions, GeminiCombined, GeminiVision } from './gemini-models';
export { GroqCaptions } from './groq-captions';
export { OfflineCaptions, OfflineVision } from './offline-models';
