export { redeemCode, type GrantedAccount } from './account-connection';
export { isSealedWithCurrent, openToken, sealToken, takeUpToken } from './access-token';
export type { RenewedToken, SealingKeys, StoredToken } from './access-token';
export { GRAPH_ORIGIN } from './graph-api';
export { explainContainerError } from './graph-error';
export { InstagramPostSource } from './instagram-post-source';
export { InstagramPublisher } from './instagram-publisher';
