export {
  exchange,
  retryAfterIn,
  withoutSlash,
  wordsFrom,
  type Answer,
  type ExchangeLimits,
  type ExchangeProblem,
  type HttpRequest,
} from './exchange';
export { retry, type RetryOptions } from './retry';
export { HttpServerFake, respond, type Handler, type SeenRequest } from './http-server.fake';
