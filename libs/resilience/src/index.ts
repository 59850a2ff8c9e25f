export { exchange, retryAfterIn, withoutSlash, wordsFrom, type Answer, type ExchangeLimits, type HttpRequest } from './exchange';
export { retry } from './retry';
export { HttpServerFake, respond, type Handler, type SeenRequest } from './http-server.fake';
