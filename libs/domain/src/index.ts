export * from './errors/failure';
export { FAILURES, type FailureCode } from './errors/failure-catalogue';
export {
  FAILURE_POLICY,
  isRefusedForGood,
  NEXT_ACTIONS,
  SIDES,
  type NextActionCode,
  type RetryRule,
  type Side,
} from './errors/failure-kinds';
export * from './external-text';
export * from './pipeline/item-state';
export * from './pipeline/next-stage';
export * from './pipeline/transitions';
export * from './captioning/caption-model.port';
export * from './jpeg-segments';
export * from './publishing/capabilities';
export * from './publishing/cover-picture';
export * from './publishing/publisher.port';
export * from './publishing/copyright-check';
export * from './publishing/post-checks';
export * from './publishing/account-trouble';
export * from './publishing/media-access';
export * from './publishing/account-login';
export * from './sourcing/content-source.port';
export * from './review/review-reason';
export { isFlat, isPlain } from './rights/compare-pictures';
export { hammingDistance, hitsBetween } from './rights/hits-between';
export * from './rights/prints';
export * from './rights/claim-target';
export * from './rights/originality';
export * from './rights/takedown';
export * from './rights/rights-decision';
export * from './rights/rights-match';
export { matchesOf } from './rights/matches-of';
export { compareSounds, hasFeatures, searchedItems } from './rights/compare-sounds';
export { soundMatchesOf } from './rights/sound-match';
export * from './sourcing/filter-rules';
export * from './sourcing/request-budget';
export * from './scheduling/zoned-time';
export * from './scheduling/next-slot';
export * from './sourcing/url-kind';
export * from './scheduling/stored-settings';
export * from './captioning/provider-breaker';
export * from './captioning/caption-policy';
export { comparableCaption, foldText, isSensitive, withoutInvisible } from './captioning/text-patterns';
