export { isSealedWithCurrent, openToken, sealToken, takeUpToken } from './access-token';
export type { RenewedToken, SealingKeys, StoredToken, TokenTakeUp } from './access-token';
export { flavourOf, GRAPH_ORIGIN, type LoginFlavour } from './graph-api';
export { explainContainerError } from './graph-error';
export { InstagramPostSource } from './instagram-post-source';
export { InstagramPublisher, type InstagramPublisherOptions } from './instagram-publisher';
