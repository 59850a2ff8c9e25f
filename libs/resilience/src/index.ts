export { exchange, retryAfterIn, withoutSlash, wordsFrom, type Answer, type ExchangeLimits, type HttpRequest } from './exchange';
export { Poller, repeatUntilAborted } from './poller';
export { retry } from './retry';
export { settleOrAbort, withinTime } from './within-time';
export { HttpServerFake, respond, type Handler, type SeenRequest } from './http-server.fake';
