export * from './errors/failure';
export { FAILURES, type FailureCode } from './errors/failure-catalogue';
export {
  FAILURE_KINDS,
  FAILURE_POLICY,
  NEXT_ACTIONS,
  SIDES,
  type FailureKind,
  type NextActionCode,
  type RetryRule,
  type Side,
} from './errors/failure-kinds';
export * from './outside/outside-json';
export * from './outside/outside-text';
export * from './pipeline/item-state';
export * from './pipeline/next-stage';
export * from './pipeline/queue-status';
export * from './pipeline/transitions';
export * from './captioning/caption-model.port';
export * from './publishing/publisher.port';
export * from './publishing/account-trouble';
export * from './publishing/media-access';
export * from './publishing/posted-as';
export * from './publishing/public-address';
export * from './sourcing/content-source.port';
export * from './rights/verdict';
export * from './sourcing/filter-rules';
export * from './sourcing/plain-title';
export * from './sourcing/request-budget';
export * from './sourcing/source-access';
export * from './sourcing/source-key';
export * from './scheduling/zoned-time';
export * from './scheduling/blocked-time';
export * from './scheduling/next-slot';
export * from './scheduling/explain-slot';
export * from './scheduling/next-run';
export * from './sourcing/url-kind';
export * from './scheduling/stored-settings';
export * from './captioning/ai-day';
export * from './captioning/provider-breaker';
export * from './captioning/caption-policy';
export { foldText, isSensitive, withoutInvisible } from './captioning/outside-text';
export * from './captioning/visuals-in-prose';
